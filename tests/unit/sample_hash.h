/* Made-up numbers that follow from names. A new name changes no number of another one. */
#pragma once

#include "common/random.h"

/* NAME and NUMBER, mixed to 64 bits. */
static inline uint64_t sample_hash(const char *name, uint64_t number)
{
    uint64_t hash = random_mix(number);

    for (; *name; name++)
        hash = random_mix(hash ^ (unsigned char)*name);
    return hash;
}
