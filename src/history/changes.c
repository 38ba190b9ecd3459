#include "history/changes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/launches.h"

/* A split of the values FROM to END - 1: the second side begins at AT. */
struct split {
    size_t from, at, end;
    double divergence; /* divergence between the two sides; -INFINITY: no split is possible */
};

/* The state and the working memory of a search. */
struct search {
    const double *values;
    size_t n;
    struct changes *changes;       /* changes found so far; each begins a new segment */
    double drift;                  /* largest drift to remove */
    double nearer[CHANGES_VALUES]; /* VALUES after remove_drift() for the tested split */
    double shuffled[CHANGES_VALUES];
    /* element i: sum of distances among a segment's first i values */
    double within[CHANGES_VALUES + 1];
    /* for each value added so far: sum of its distances to the values added after it */
    double rows[CHANGES_VALUES];
    struct random random;
    struct launch launches[CHANGES_VALUES];
};

static size_t segment_end(const struct search *search, size_t i)
{
    return i < search->changes->count ? search->changes->list[i].at : search->n;
}

static double pairs(size_t n)
{
    return (double)n * (double)(n - 1) / 2;
}

/* Return the divergence of two groups of LEFT and RIGHT values (Matteson and James, equations 5 to
 * 7). AMONG_LEFT and AMONG_RIGHT are the sums of the distances within each group, BETWEEN is the
 * sum of the distances between the groups. */
static double divergence(size_t left, size_t right, double among_left, double among_right,
                         double between)
{
    double l = (double)left, r = (double)right;

    return l * r / (l + r) *
           (2 * between / (l * r) - among_left / pairs(left) - among_right / pairs(right));
}

/* Add the distances of the value at index END - 1 to the values before it to SEARCH's sums. */
static void take_next(struct search *search, const double *values, size_t end)
{
    double sum = 0;

    search->rows[end - 1] = 0;
    for (size_t i = 0; i + 1 < end; i++) {
        double distance = fabs(values[i] - values[end - 1]);

        search->rows[i] += distance;
        sum += distance;
    }
    search->within[end] = search->within[end - 1] + sum;
}

/* Return the most divergent split of a segment of N VALUES, in N^2 steps. The split's second
 * side may end before the last value, because a later change may reverse an earlier one. */
static struct split best_split(struct search *search, const double *values, size_t n)
{
    struct split best = {.divergence = -INFINITY};
    const double *within = search->within;

    search->within[0] = 0;
    for (size_t end = 1; end <= n; end++) {
        double right = 0; /* sum of distances among the values AT to END - 1 */

        take_next(search, values, end);
        for (size_t at = end; end >= 2 * CHANGES_LEAST && at-- > CHANGES_LEAST;) {
            double d;

            right += search->rows[at];
            if (end - at < CHANGES_LEAST)
                continue;
            d = divergence(at, end - at, within[at], right, within[end] - within[at] - right);
            if (d > best.divergence)
                best = (struct split){0, at, end, d};
        }
    }
    return best;
}

/* Return the most divergent split of all segments of VALUES. */
static struct split best_of_segments(struct search *search, const double *values)
{
    struct split best = {.divergence = -INFINITY};

    for (size_t i = 0, from = 0; i <= search->changes->count; from = segment_end(search, i++)) {
        struct split split = best_split(search, values + from, segment_end(search, i) - from);

        if (split.divergence > best.divergence)
            best = (struct split){from, from + split.at, from + split.end, split.divergence};
    }
    return best;
}

/* Return the largest drift to remove: half the standard deviation of the values around their drift.
 * The standard deviation is estimated from the differences of neighbouring values, because few of
 * these differences are at a change: it is 1.4826 x their median size / sqrt(2). */
static double drift_of(struct search *search)
{
    for (size_t i = 1; i < search->n; i++)
        search->shuffled[i] = fabs(search->values[i] - search->values[i - 1]);
    return 0.5 * 1.4826 / sqrt(2) * estimate_median(search->shuffled + 1, search->n - 1);
}

/* Set NEARER to the values, but move the values on the second side of SPLIT towards the first side
 * by the difference of the two sides' medians, at most by DRIFT. */
static void remove_drift(struct search *search, const struct split *split)
{
    const size_t all = search->n * sizeof *search->values;
    double *copy = search->shuffled, by;

    memcpy(search->nearer, search->values, all);
    memcpy(copy, search->values, all);
    by = estimate_median(copy + split->from, split->at - split->from) -
         estimate_median(copy + split->at, split->end - split->at);
    by = fmax(-search->drift, fmin(by, search->drift));
    for (size_t i = split->at; i < split->end; i++)
        search->nearer[i] += by;
}

/* Set SHUFFLED to NEARER in a random order within each segment. */
static void shuffle_segments(struct search *search)
{
    memcpy(search->shuffled, search->nearer, search->n * sizeof *search->values);
    for (size_t i = 0, from = 0; i <= search->changes->count; from = segment_end(search, i++))
        for (size_t j = segment_end(search, i); j > from + 1; j--) {
            size_t other = from + random_below(&search->random, (uint32_t)(j - from));
            double value = search->shuffled[j - 1];

            search->shuffled[j - 1] = search->shuffled[other];
            search->shuffled[other] = value;
        }
}

/* Return the p-value of SPLIT. The drift is removed from the values first. The p-value is the share
 * of random orders that have a split at least as divergent as the best one of the given order.
 * Counting stops above SIGNIFICANCE, so that a p-value above SIGNIFICANCE is only a lower bound. */
static double p_value_of(struct search *search, const struct split *split, double significance)
{
    const double all = CHANGES_PERMUTATIONS + 1;
    double as_divergent = 1, divergence;

    remove_drift(search, split);
    divergence = best_of_segments(search, search->nearer).divergence;
    for (size_t i = 0; i < CHANGES_PERMUTATIONS && as_divergent <= significance * all; i++) {
        shuffle_segments(search);
        as_divergent += best_of_segments(search, search->shuffled).divergence >= divergence;
    }
    return as_divergent / all;
}

static void find_all(struct search *search, double significance)
{
    struct changes *changes = search->changes;

    while (changes->count < CHANGES_MOST) {
        struct split split = best_of_segments(search, search->values);
        struct change change = {.at = split.at};
        size_t i = changes->count;

        if (split.divergence > 0)
            change.p = p_value_of(search, &split, significance);
        if (split.divergence <= 0 || change.p > significance)
            break;
        for (; i > 0 && changes->list[i - 1].at > split.at; i--)
            changes->list[i] = changes->list[i - 1];
        changes->list[i] = change;
        changes->count++;
    }
}

static void compare_segments(struct search *search)
{
    struct launch *launches = search->launches;

    for (size_t i = 0; i < search->n; i++)
        launches[i] = (struct launch){.server = 0, .estimate = search->values[i]};
    for (size_t i = 0, from = 0; i < search->changes->count; from = segment_end(search, i++)) {
        struct change *change = &search->changes->list[i];

        comparison_of_launches(&change->means, launches + from, change->at - from,
                               launches + change->at, segment_end(search, i + 1) - change->at);
        change->means.p = change->means.adjusted_p = change->p;
    }
}

static int check_values(const double *values, size_t n, struct error *error)
{
    if (n > CHANGES_VALUES)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "the series has %zu results; changes are searched for in at most %d", n,
                         CHANGES_VALUES);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "value %zu of the series is not a finite number", i + 1);
    return 0;
}

int changes_find(const double *values, size_t n, double significance, uint64_t seed,
                 struct changes *changes, struct error *error)
{
    struct search *search;
    int code = check_values(values, n, error);

    changes->count = 0;
    if (code || n < 2 * CHANGES_LEAST)
        return code;
    search = malloc(sizeof *search);
    if (!search)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu results", n);
    search->values = values;
    search->n = n;
    search->changes = changes;
    search->drift = drift_of(search);
    random_seed(&search->random, seed);
    find_all(search, significance);
    compare_segments(search);
    free(search);
    return 0;
}

size_t changes_enough(double significance)
{
    double ways = 1; /* number of ways to choose half of N */
    size_t n = 0;

    while (n < 2 * CHANGES_LEAST || (2 / ways > significance && n < CHANGES_VALUES)) {
        size_t half = ++n / 2;

        /* C(2k, k) is C(2k - 1, k - 1) x 2; C(2k + 1, k) is C(2k, k) x (2k + 1) / (k + 1). */
        ways *= n % 2 ? (double)n / (double)(half + 1) : 2;
    }
    return n;
}
