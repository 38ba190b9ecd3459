/* Access patterns: the order in which the places of a working set are used. A place is a number;
 * the caller decides what it stands for (a file, or a block of a file). The state has a constant
 * size, and the order depends only on the arguments of pattern_begin(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/random.h"

enum { PATTERN_NAME_SIZE = 32 };

enum pattern_kind {
    PATTERN_SAME,       /* always the first place */
    PATTERN_SEQUENTIAL, /* the places in order, then again from the first place */
    PATTERN_RANDOM,     /* uniformly random; a random permutation to use each place once */
    PATTERN_ZIPF,       /* Zipf's law; the rank of each place is drawn from the seed */
    /* Every N-th place; at the end again from the second place, and so on, until all were used. */
    PATTERN_STRIDE,
};

struct pattern {
    enum pattern_kind kind;
    double exponent; /* exponent of Zipf's law */
    uint64_t stride; /* N of PATTERN_STRIDE, 1 or more */
};

/* Parse TEXT: same, sequential, random, zipf:S (S more than 0, at most 10) or stride:N (N at least
 * 1). Returns 0 or -EINVAL. */
int pattern_parse(const char *text, struct pattern *pattern);

/* Return whether PATTERN can use each place once before it uses any place again. */
bool pattern_can_use_places_once(const struct pattern *pattern);

/* Write PATTERN to NAME in the form that pattern_parse() reads. Returns NAME. */
const char *pattern_name(const struct pattern *pattern, char name[PATTERN_NAME_SIZE]);

/* A permutation of the numbers below COUNT: a Feistel network over the next power of four, repeated
 * until the result is below COUNT (Black and Rogaway, "Ciphers with arbitrary finite domains",
 * CT-RSA 2002). Not for secrets. */
struct pattern_permutation {
    uint64_t count, key;
    unsigned half_bits;
};

struct pattern_order {
    struct pattern pattern;
    uint64_t count, next, lane;
    bool once;
    struct random random;
    struct random_zipf zipf;
    struct pattern_permutation permutation;
};

/* Begin PATTERN over COUNT places (1 or more), with SEED. With ONCE, a random pattern uses each
 * place once, and then all again in the same order, as sequential and stride always do. */
void pattern_begin(struct pattern_order *order, const struct pattern *pattern, uint64_t count,
                   uint64_t seed, bool once);

/* Return the next place, below COUNT. */
uint64_t pattern_next(struct pattern_order *order);
