/* Access patterns: in which order the places of a working set are visited. A place is a number;
 * what it stands for (a block of a file, a file) is the caller's. Any number of places takes the
 * same few bytes, and a pattern's order follows from its seed alone. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/random.h"

enum { PATTERN_NAME_SIZE = 32 };

enum pattern_kind {
    PATTERN_SAME,       /* the first place, always */
    PATTERN_SEQUENTIAL, /* one after the other, and again from the first */
    PATTERN_RANDOM,     /* each as likely each time */
    PATTERN_ZIPF,       /* by Zipf's law; which place has which rank is drawn from the seed */
    PATTERN_STRIDE, /* every so many places; after the last one on from the second, and so on, until
                     * all were visited */
};

struct pattern {
    enum pattern_kind kind;
    double exponent; /* of Zipf's law */
    uint64_t stride; /* places; 1 or more */
};

/* Read TEXT: same, sequential, random, zipf:S (S more than 0, at most 10) or stride:N (N at least
 * 1). Returns 0 or -EINVAL. */
int pattern_parse(const char *text, struct pattern *pattern);

/* Does it visit each place before it visits any again, if it is asked to? */
bool pattern_can_visit_once(const struct pattern *pattern);

/* The same text again. */
const char *pattern_name(const struct pattern *pattern, char name[PATTERN_NAME_SIZE]);

/* A permutation of the numbers below COUNT: a Feistel network over the next power of four, walked
 * until it is below COUNT (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA
 * 2002). Not for secrets. */
struct pattern_permutation {
    uint64_t count, key;
    unsigned half_bits;
};

/* The order in which a pattern visits its places. */
struct pattern_order {
    struct pattern pattern;
    uint64_t count, next, lane;
    bool once;
    struct random random;
    struct random_zipf zipf;
    struct pattern_permutation permutation;
};

/* Begin PATTERN's order over COUNT places (1 or more) that belongs to SEED. ONCE: random visits
 * each place once before it visits any again, as sequential and stride do anyway. */
void pattern_begin(struct pattern_order *order, const struct pattern *pattern, uint64_t count,
                   uint64_t seed, bool once);

/* The next place, below COUNT. */
uint64_t pattern_next(struct pattern_order *order);
