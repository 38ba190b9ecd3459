/* A number with what it counts: "1 round", "3 rounds", "2 launches", "0 replies". */
#pragma once

#include <stdint.h>

enum { COUNTED_SIZE = 64 };

struct counted {
    char text[COUNTED_SIZE];
};

/* NUMBER and NOUN, a regular English noun in the singular, which gets its plural unless NUMBER is
 * 1. NOUN is cut where TEXT ends. */
struct counted counted(uint64_t number, const char *noun);
