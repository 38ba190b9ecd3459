/* A small seeded random number generator, so that a run can be repeated with its printed seed:
 * xoshiro256** seeded by SplitMix64 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
 * Generators", ACM TOMS 47, 2021). Not for secrets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Return VALUE with its bits mixed, by SplitMix64's last step. The function is a bijection. */
uint64_t random_mix(uint64_t value);

/* Start the sequence of SEED, which may have any value. */
void random_seed(struct random *random, uint64_t seed);

static inline uint64_t random_rotate(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

/* Return the next 64 bits of the sequence. */
static inline uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = random_rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate(s[3], 45);
    return result;
}

/* Return a uniform number from 0 to BOUND - 1 (Lemire's multiply-and-reject); BOUND is above 0. */
uint32_t random_below(struct random *random, uint32_t bound);

/* Return a number from 0 to BOUND - 1 as random_below() does, for a BOUND of up to 64 bits. */
static inline uint64_t random_below_64(struct random *random, uint64_t bound)
{
    unsigned __int128 product = (unsigned __int128)random_next(random) * bound;

    if ((uint64_t)product < bound) {
        uint64_t threshold = -bound % bound;

        while ((uint64_t)product < threshold)
            product = (unsigned __int128)random_next(random) * bound;
    }
    return (uint64_t)(product >> 64);
}

/* Return a uniform number in (0, 1]. */
static inline double random_uniform(struct random *random)
{
    return (double)((random_next(random) >> 11) + 1) * 0x1p-53;
}

/* Return a standard normal number (Box and Muller, 1958). */
double random_normal(struct random *random);

/* Return true with PROBABILITY, from 0 (never) to 1 (always). */
bool random_chance(struct random *random, double probability);

/* Shuffle COUNT items; all orders are equally likely (Fisher and Yates). */
void random_shuffle(struct random *random, size_t *items, size_t count);

/* Return a random seed of 32 bits from the system, for runs without a given seed. */
uint64_t random_system_seed(void);

/* Zipf's law: rank R is drawn with a probability proportional to R^-EXPONENT. Exact, in constant
 * time and memory for any COUNT: rejection-inversion (W. Hoermann and G. Derflinger,
 * "Rejection-inversion to generate variates from monotone discrete distributions", ACM Transactions
 * on Modeling and Computer Simulation 6(3), 1996). */
struct random_zipf {
    double exponent, count;
    double low, high; /* range from which the area under the hat function is drawn uniformly */
    /* A rank is accepted without evaluating h() if it is at most this far above the drawn point. */
    double surely;
};

/* Set up ZIPF. COUNT is 1 or more, EXPONENT more than 0. */
void random_zipf_begin(struct random_zipf *zipf, uint64_t count, double exponent);

/* Draw a rank, from 1 to COUNT. */
uint64_t random_zipf_next(const struct random_zipf *zipf, struct random *random);
