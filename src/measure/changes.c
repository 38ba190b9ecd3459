#include "measure/changes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "measure/launches.h"

struct split {
    size_t at;         /* from the start of the series */
    double divergence; /* -INFINITY: no split is possible */
};

/* The state and the working memory of a search. */
struct search {
    const double *values;
    size_t n;
    size_t bounds[CHANGES_MOST + 2]; /* where segments begin; the last is the end of the series */
    size_t parts;
    double *shuffled;
    double *within; /* sum of all distances within the first i values of a segment, by i */
    double *rows;   /* by value: sum of its distances to the later values added so far */
    struct random random;
};

static double pairs(size_t n)
{
    return (double)n * (double)(n - 1) / 2;
}

/* Divergence between the first LEFT values and the next RIGHT values, from the sums of distances
 * within each group and between them (Matteson and James, equations 5 to 7). */
static double divergence(size_t left, size_t right, double among_left, double among_right,
                         double between)
{
    double l = (double)left, r = (double)right;

    return l * r / (l + r) *
           (2 * between / (l * r) - among_left / pairs(left) - among_right / pairs(right));
}

/* Add the value at END - 1 to the sums of distances. */
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

/* The most divergent split of the N VALUES of a segment or of any prefix of it, since a later
 * change may reverse an earlier one. The sums of distances are updated value by value, so that the
 * whole takes n^2 steps. */
static struct split best_split(struct search *search, const double *values, size_t n)
{
    struct split best = {0, -INFINITY};
    const double *within = search->within;

    search->within[0] = 0;
    for (size_t end = 1; end <= n; end++) {
        double right = 0; /* distances among the values from AT to END */

        take_next(search, values, end);
        for (size_t at = end; end >= 2 * CHANGES_LEAST && at-- > CHANGES_LEAST;) {
            double d;

            right += search->rows[at];
            if (end - at < CHANGES_LEAST)
                continue;
            d = divergence(at, end - at, within[at], right, within[end] - within[at] - right);
            if (d > best.divergence)
                best = (struct split){at, d};
        }
    }
    return best;
}

/* The most divergent split over all segments of VALUES. */
static struct split best_of_parts(struct search *search, const double *values)
{
    struct split best = {0, -INFINITY};

    for (size_t i = 0; i < search->parts; i++) {
        size_t from = search->bounds[i];
        struct split split = best_split(search, values + from, search->bounds[i + 1] - from);

        if (split.divergence > best.divergence)
            best = (struct split){from + split.at, split.divergence};
    }
    return best;
}

/* Shuffle the values within each segment. */
static void shuffle_parts(struct search *search)
{
    memcpy(search->shuffled, search->values, search->n * sizeof *search->values);
    for (size_t i = 0; i < search->parts; i++)
        for (size_t j = search->bounds[i + 1]; j > search->bounds[i] + 1; j--) {
            size_t other = search->bounds[i] +
                           random_below(&search->random, (uint32_t)(j - search->bounds[i]));
            double value = search->shuffled[j - 1];

            search->shuffled[j - 1] = search->shuffled[other];
            search->shuffled[other] = value;
        }
}

/* The p-value of SPLIT by permutation: the share of random orders with a split at least as
 * divergent. Counting stops above SIGNIFICANCE, so a larger p-value is only a lower bound. */
static double chance_of(struct search *search, const struct split *split, double significance)
{
    const double all = CHANGES_PERMUTATIONS + 1;
    double as_divergent = 1;

    for (size_t i = 0; i < CHANGES_PERMUTATIONS && as_divergent <= significance * all; i++) {
        shuffle_parts(search);
        as_divergent += best_of_parts(search, search->shuffled).divergence >= split->divergence;
    }
    return as_divergent / all;
}

/* Insert AT into the sorted bounds. Returns its index. */
static size_t add_bound(struct search *search, size_t at)
{
    size_t i = search->parts++;

    search->bounds[i + 1] = search->bounds[i];
    for (; search->bounds[i - 1] > at; i--)
        search->bounds[i] = search->bounds[i - 1];
    search->bounds[i] = at;
    return i;
}

static void find_all(struct search *search, double significance, struct changes *changes)
{
    double p[CHANGES_MOST + 1];

    while (search->parts <= CHANGES_MOST) {
        struct split split = best_of_parts(search, search->values);
        double chance = INFINITY;
        size_t index;

        if (split.divergence > 0)
            chance = chance_of(search, &split, significance);
        if (chance > significance)
            break;
        index = add_bound(search, split.at);
        memmove(&p[index + 1], &p[index], (search->parts - 1 - index) * sizeof p[0]);
        p[index] = chance;
    }
    changes->count = search->parts - 1;
    for (size_t i = 0; i < changes->count; i++)
        changes->list[i] = (struct change){.at = search->bounds[i + 1], .p = p[i + 1]};
}

/* Compare the means before and after each change. */
static void compare_parts(const struct search *search, struct launch *launches,
                          struct changes *changes)
{
    for (size_t i = 0; i < search->n; i++)
        launches[i] = (struct launch){.server = 0, .estimate = search->values[i]};
    for (size_t i = 0; i < changes->count; i++) {
        const size_t *bound = &search->bounds[i];
        struct change *change = &changes->list[i];

        comparison_of_launches(&change->means, launches + bound[0], bound[1] - bound[0],
                               launches + bound[1], bound[2] - bound[1]);
        change->means.p = change->means.adjusted_p = change->p;
    }
}

static int check(const double *values, size_t n, struct error *error)
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
    struct search search = {.values = values, .n = n, .bounds = {0, n}, .parts = 1};
    double *room;
    struct launch *launches;
    int code = check(values, n, error);

    changes->count = 0;
    if (code || n < 2 * CHANGES_LEAST)
        return code;
    room = calloc(3 * (n + 1), sizeof *room);
    launches = calloc(n, sizeof *launches);
    if (room && launches) {
        search.shuffled = room;
        search.within = room + n + 1;
        search.rows = room + 2 * (n + 1);
        random_seed(&search.random, seed);
        find_all(&search, significance, changes);
        compare_parts(&search, launches, changes);
    } else {
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu results", n);
    }
    free(room);
    free(launches);
    return code;
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
