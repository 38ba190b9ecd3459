#include "common/counted.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool ends_in(const char *word, size_t length, const char *ending)
{
    size_t size = strlen(ending);

    return length >= size && strcmp(word + length - size, ending) == 0;
}

struct counted counted(uint64_t number, const char *noun)
{
    struct counted words;
    size_t length = strlen(noun);
    const char *ending = "s";

    if (number == 1)
        ending = "";
    else if (ends_in(noun, length, "y") && !strchr("aeiou", noun[length - 2])) {
        length--;
        ending = "ies";
    } else if (ends_in(noun, length, "ch")) /* launch: launches */
        ending = "es";
    snprintf(words.text, sizeof words.text, "%" PRIu64 " %.*s%s", number, (int)length, noun,
             ending);
    return words;
}
