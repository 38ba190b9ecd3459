/* A small seeded generator, so that a run can be repeated from its printed seed:
 * xoshiro256** seeded by SplitMix64 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
 * Generators", ACM TOMS 47, 2021). Not for secrets. */
#ifndef NFSBENCH_COMMON_RANDOM_H
#define NFSBENCH_COMMON_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* VALUE with its bits mixed, by SplitMix64's last step: each value has one of its own. */
uint64_t random_mix(uint64_t value);

/* Start the sequence of SEED, which can be any value. */
void random_seed(struct random *random, uint64_t seed);

/* The next 64 bits of the sequence. */
uint64_t random_next(struct random *random);

/* A number from 0 to BOUND - 1, uniformly distributed (Lemire's multiply-and-reject); BOUND is at
 * least 1. */
uint32_t random_below(struct random *random, uint32_t bound);

/* The same for a BOUND of up to 64 bits. */
uint64_t random_below_64(struct random *random, uint64_t bound);

/* True with PROBABILITY, from 0 (never) to 1 (always). */
bool random_chance(struct random *random, double probability);

/* Put COUNT items into random order, all orders equally likely (Fisher and Yates). */
void random_shuffle(struct random *random, size_t *items, size_t count);

/* A seed from the system, for when the user gave none. */
uint64_t random_system_seed(void);

#endif
