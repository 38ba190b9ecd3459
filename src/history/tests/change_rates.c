/* Measures how reliably changes in a series of results are found, with simulated known changes.
 *
 * usage: change_rates [SERIES]
 *   SERIES  simulated series of each kind (default 300, which takes some minutes)
 *
 * Values are in standard deviations of undisturbed results. The kinds of series:
 *   normal    undisturbed results with a normal distribution
 *   levels    undisturbed results, each the mean of five launches on one of two levels, and noise
 *   outliers  normal, but 5 % are slower by 4 to 15
 *   uneven    normal, but 10 % vary three times as much
 *   trend     normal, plus a straight line, which rises by 1 over the series
 *   all       outliers, uneven and trend
 * Prints how often a change is found in series without a change. For series with a shift: how often
 * the shift is found within two results of its position, and exactly there, and how often another
 * change is found. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/random.h"
#include "history/changes.h"

enum { LONGEST = 60, NEAR = 2 };

struct noise {
    const char *name;
    bool outliers, uneven, trend, levels;
};

static const struct noise noises[] = {
    {.name = "normal"},
    {.name = "levels", .levels = true},
    {.name = "outliers", .outliers = true},
    {.name = "uneven", .uneven = true},
    {.name = "trend", .trend = true},
    {.name = "all", .outliers = true, .uneven = true, .trend = true},
};

enum { NOISES = sizeof noises / sizeof noises[0] };

/* Return a value with mean 0 and variance 1. Nine tenths of the variance are of a mean of five
 * launches, each on one of two levels. One tenth is of normal noise. */
static double draw_levels(struct random *random)
{
    double mean = 0;

    for (int i = 0; i < 5; i++)
        mean += (random_chance(random, 0.5) ? 0.5 : -0.5) / 5;
    return mean / (0.5 / sqrt(5)) * sqrt(0.9) + sqrt(0.1) * random_normal(random);
}

static double draw(struct random *random, const struct noise *noise)
{
    double value = noise->levels ? draw_levels(random) : random_normal(random);

    if (noise->uneven && random_chance(random, 0.1))
        value *= 3;
    if (noise->outliers && random_chance(random, 0.05))
        value += 4 + 11 * random_uniform(random);
    return value;
}

/* numbers of series. FOUND: with a change within NEAR results of the shift; PLACE: with a change
 * exactly at the shift; OTHER: with a further change, or with any change if none is near a shift */
struct counts {
    int found, place, other;
};

/* Make a series of N results that shift by SIZE from index AT on (AT equals N: no shift), and count
 * in COUNTS what is found in the series. */
static void count_one(struct counts *counts, struct random *random, const struct noise *noise,
                      size_t n, size_t at, double size)
{
    double values[LONGEST];
    struct changes changes;
    struct error error;
    bool found = false, place = false;

    for (size_t i = 0; i < n; i++)
        values[i] =
            draw(random, noise) + (i >= at ? size : 0) + (noise->trend ? (double)i / (double)n : 0);
    if (changes_find(values, n, 0.05, random_next(random), &changes, &error)) {
        fprintf(stderr, "change_rates: %s\n", error.text);
        exit(1);
    }
    for (size_t i = 0; i < changes.count && at < n; i++) {
        found |= changes.list[i].at + NEAR >= at && changes.list[i].at <= at + NEAR;
        place |= changes.list[i].at == at;
    }
    counts->found += found;
    counts->place += place;
    counts->other += changes.count > found;
}

static struct counts count(const struct noise *noise, size_t n, size_t at, double size, int series)
{
    struct counts counts = {0};
    struct random random;

    random_seed(&random, n * 1000 + at);
    for (int i = 0; i < series; i++)
        count_one(&counts, &random, noise, n, at, size);
    return counts;
}

int main(int argc, char **argv)
{
    static const size_t lengths[] = {20, 30, 60};
    static const double sizes[] = {1, 2, 3, 4, 6, 8};
    int series = argc > 1 ? atoi(argv[1]) : 300;
    double percent = 100.0 / series;

    if (series < 1 || argc > 2) {
        fprintf(stderr, "usage: change_rates [SERIES]\n");
        return 2;
    }

    printf("%% of %d series\nno shift: found\n%8s", series, "");
    for (size_t k = 0; k < NOISES; k++)
        printf("  %8s", noises[k].name);
    for (size_t i = 0; i < 3; i++) {
        printf("\n%8zu", lengths[i]);
        for (size_t k = 0; k < NOISES; k++)
            printf("  %8.1f", percent * count(&noises[k], lengths[i], lengths[i], 0, series).other);
    }
    printf("\nshift: found, exactly there, another\n%13s", "");
    for (size_t k = 0; k < NOISES; k++)
        printf("  %14s", noises[k].name);
    printf("\n");
    for (size_t i = 0; i < 3; i++) {
        size_t n = lengths[i], places[] = {n / 2, 5, n - 5, n - 3};

        for (size_t p = 0; p < 4; p++)
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                printf("%2zu at %2zu by %g", n, places[p], sizes[s]);
                for (size_t k = 0; k < NOISES; k++) {
                    struct counts c = count(&noises[k], n, places[p], sizes[s], series);

                    printf("  %4.0f %4.0f %4.0f", percent * c.found, percent * c.place,
                           percent * c.other);
                }
                printf("\n");
                fflush(stdout);
            }
    }
    return 0;
}
