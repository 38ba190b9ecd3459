/* Made-up numbers that are derived from names, so that a new name changes no other number. */
#pragma once

#include "common/random.h"

static inline uint64_t sample_hash(const char *name, uint64_t number)
{
    uint64_t hash = random_mix(number);

    for (; *name; name++)
        hash = random_mix(hash ^ (unsigned char)*name);
    return hash;
}
