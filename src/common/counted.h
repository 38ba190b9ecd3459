/* A number with a noun: "1 round", "3 rounds", "2 launches", "0 replies". */
#pragma once

#include <stdint.h>

enum { COUNTED_SIZE = 64 };

struct counted {
    char text[COUNTED_SIZE];
};

/* Return NUMBER and NOUN, which is in the singular. Unless NUMBER is 1, the plural is used: -ies
 * for -y after a consonant, -ches for -ch, else -s. The text is cut to COUNTED_SIZE - 1 bytes. */
struct counted counted(uint64_t number, const char *noun);
