#include "common/random.h"

#include <math.h>
#include <sys/random.h>
#include <time.h>

uint64_t random_mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static uint64_t splitmix64(uint64_t *state)
{
    return random_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

void random_seed(struct random *random, uint64_t seed)
{
    for (size_t i = 0; i < 4; i++)
        random->state[i] = splitmix64(&seed);
}

uint32_t random_below(struct random *random, uint32_t bound)
{
    uint64_t product = (random_next(random) >> 32) * bound;

    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;

        while ((uint32_t)product < threshold)
            product = (random_next(random) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

double random_normal(struct random *random)
{
    double radius = sqrt(-2 * log(random_uniform(random)));

    return radius * cos(2 * M_PI * random_uniform(random));
}

bool random_chance(struct random *random, double probability)
{
    return (double)(random_next(random) >> 11) * 0x1p-53 < probability;
}

void random_shuffle(struct random *random, size_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = random_below(random, (uint32_t)i);
        size_t item = items[i - 1];

        items[i - 1] = items[j];
        items[j] = item;
    }
}

uint64_t random_system_seed(void)
{
    uint64_t seed;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC_RAW, &now);
        seed = (uint64_t)now.tv_nsec;
    }
    return seed & UINT32_MAX;
}

/* H and h are the names in the paper on Zipf's law (random.h). H() is the integral of h() from 1,
 * in a form that is also valid for an exponent of 1 and accurate near it. */

static double h(const struct random_zipf *zipf, double x)
{
    return exp(-zipf->exponent * log(x));
}

static double H(const struct random_zipf *zipf, double x)
{
    double power = (1 - zipf->exponent) * log(x);

    return fabs(power) < 1e-8 ? log(x) * (1 + power / 2) : log(x) * expm1(power) / power;
}

static double H_inverse(const struct random_zipf *zipf, double area)
{
    double power = fmax(area * (1 - zipf->exponent), -1);

    return exp(fabs(power) < 1e-8 ? area * (1 - power / 2) : area * log1p(power) / power);
}

void random_zipf_begin(struct random_zipf *zipf, uint64_t count, double exponent)
{
    zipf->exponent = exponent;
    zipf->count = (double)count;
    zipf->low = H(zipf, 1.5) - 1;
    zipf->high = H(zipf, zipf->count + 0.5);
    zipf->surely = 2 - H_inverse(zipf, H(zipf, 2.5) - h(zipf, 2));
}

uint64_t random_zipf_next(const struct random_zipf *zipf, struct random *random)
{
    for (;;) {
        double share = (double)(random_next(random) >> 11) * 0x1p-53;
        double area = zipf->high + share * (zipf->low - zipf->high);
        double x = H_inverse(zipf, area);
        double rank = fmin(fmax(floor(x + 0.5), 1), zipf->count);

        if (rank - x <= zipf->surely || area >= H(zipf, rank + 0.5) - h(zipf, rank))
            return (uint64_t)rank;
    }
}
