/* Are launches on two levels? */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "measure/launches.h"
#include "measure/mean_cost.h"

enum { LEVELS_SAMPLES = 999, LEVELS_ENOUGH = 50, LEVELS_FEWEST = 5 };

#define LEVELS_SIGNIFICANT 0.01
#define LEVELS_GAP         1.5 /* least gap between two levels, in standard deviations of the wider one */

struct split {
    size_t lower;  /* members of the lower group */
    double square; /* share of the sum of squares within the groups: small for two levels */
};

/* The best split of N sorted values into two groups of at least two: a single outlier is not a
 * level. */
static struct split best_split(const double *sorted, size_t n)
{
    struct split best = {0, 1};
    double total = 0, squares = 0, sum = 0;

    for (size_t i = 0; i < n; i++)
        total += sorted[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += pow(sorted[i] - total, 2);
    for (size_t i = 1; i + 1 < n && squares > 0; i++) {
        double left, share;

        sum += sorted[i - 1] - total;
        if (i < 2)
            continue;
        left = sum * sum / (double)i + sum * sum / (double)(n - i);
        share = 1 - left / squares;
        if (share < best.square)
            best = (struct split){i, share};
    }
    return best;
}

static double uniform(struct random *random)
{
    return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
}

/* A standard normal variate (Box and Muller, 1958). */
static double normal(struct random *random)
{
    double radius = sqrt(-2 * log(uniform(random)));

    return radius * cos(2 * M_PI * uniform(random));
}

/* The p-value of OBSERVED: how often N normal values have a split at least as good. VALUES is
 * overwritten. A large p-value is clear after few samples (Besag and Clifford, "Sequential Monte
 * Carlo p-values", 1991). */
static double chance_of_split(const struct split *observed, double *values, size_t n)
{
    struct random random;
    size_t as_good = 0, samples = 0;

    random_seed(&random, n);
    while (samples < LEVELS_SAMPLES && as_good < LEVELS_ENOUGH) {
        for (size_t j = 0; j < n; j++)
            values[j] = normal(&random);
        estimate_sort(values, n);
        as_good += best_split(values, n).square <= observed->square;
        samples++;
    }
    return ((double)as_good + 1) / ((double)samples + 1);
}

static double deviation_of(const double *values, size_t n)
{
    double mean = mean_of(values, n), squares = 0;

    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

/* Is there a gap between the groups? Two parts of one skewed or uniform distribution have none. */
static bool has_gap(const double *sorted, size_t n, size_t lower)
{
    double larger = fmax(deviation_of(sorted, lower), deviation_of(sorted + lower, n - lower));

    return sorted[lower] - sorted[lower - 1] > LEVELS_GAP * larger;
}

static void find_levels(double *units, size_t n, struct launches_levels *levels)
{
    struct split split;
    double lower, upper;

    *levels = (struct launches_levels){
        .groups = 1, .level = {mean_of(units, n), NAN}, .members = {n, 0}, .p = 1};
    if (n < LEVELS_FEWEST)
        return;
    estimate_sort(units, n);
    split = best_split(units, n);
    if (split.lower == 0 || !has_gap(units, n, split.lower))
        return;
    lower = mean_of(units, split.lower);
    upper = mean_of(units + split.lower, n - split.lower);
    levels->p = chance_of_split(&split, units, n);
    if (levels->p < LEVELS_SIGNIFICANT)
        *levels =
            (struct launches_levels){2, {lower, upper}, {split.lower, n - split.lower}, levels->p};
}

int launches_levels(const struct launch *launches, size_t n, struct launches_levels *levels,
                    struct error *error)
{
    double *units = malloc(n * sizeof *units);

    if (!units)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu launches", n);
    find_levels(units, launches_units(launches, n, units), levels);
    free(units);
    return 0;
}
