#include "measure/statistics/estimate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void estimate_sort_by_first(void *structures, size_t n, size_t size)
{
    qsort(structures, n, size, compare_doubles);
}

void estimate_sort(double *values, size_t n)
{
    estimate_sort_by_first(values, n, sizeof *values);
}

double estimate_trimmed_mean(const double *sorted, size_t n, double trim)
{
    size_t cut = (size_t)(trim * (double)n);
    double sum = 0;

    for (size_t i = cut; i < n - cut; i++)
        sum += sorted[i];
    return sum / (double)(n - 2 * cut);
}

double estimate_quantile(const double *sorted, size_t n, double q)
{
    size_t rank = (size_t)ceil(q * (double)n);

    return sorted[rank > 0 ? rank - 1 : 0];
}

double estimate_median(double *values, size_t n)
{
    estimate_sort(values, n);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

struct ranked {
    double value;
    uint32_t index; /* position in the input */
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Return N values in ascending order, equal values in their original order. The caller frees the
 * result; NULL: out of memory. */
static struct ranked *sort_ranked(const double *values, size_t n)
{
    struct ranked *ranked = malloc(n * sizeof *ranked);

    for (size_t i = 0; ranked && i < n; i++)
        ranked[i] = (struct ranked){values[i], (uint32_t)i};
    if (ranked)
        qsort(ranked, n, sizeof *ranked, compare_ranked);
    return ranked;
}

double *estimate_ranks(const double *values, size_t n)
{
    struct ranked *ranked = sort_ranked(values, n);
    double *ranks = malloc(n * sizeof *ranks);

    for (size_t first = 0, last; ranked && ranks && first < n; first = last) {
        for (last = first + 1; last < n && ranked[last].value == ranked[first].value; last++)
            ;
        for (size_t i = first; i < last; i++)
            ranks[ranked[i].index] = (double)(first + last - 1) / 2;
    }
    if (!ranked) {
        free(ranks);
        ranks = NULL;
    }
    free(ranked);
    return ranks;
}

static double pearson_correlation(const double *x, const double *y, size_t n)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double dx = x[i] - mean_x, dy = y[i] - mean_y;

        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

double estimate_autocorrelation(const double *values, size_t n)
{
    double *ranks, rho;

    if (n < 4)
        return 0;
    ranks = estimate_ranks(values, n);
    if (!ranks)
        return 0;
    rho = pearson_correlation(ranks, ranks + 1, n - 1);
    free(ranks);
    return rho;
}

static size_t length_by_neighbours(const double *values, size_t n)
{
    double rho = estimate_autocorrelation(values, n);
    double length;

    if (rho < 1.96 / sqrt((double)n))
        return 1;
    if (rho > 0.99)
        rho = 0.99;
    length = 2 * cbrt(1.5 * (double)n) * pow(2 * rho / (1 - rho * rho), 2.0 / 3);
    return (size_t)fmin(fmax(round(length), 2), (double)n / 4);
}

/* Return the variance of the means of LENGTH successive ranks, divided by its value for independent
 * ranks. RANKS wraps around, as in the circular bootstrap. */
static double variance_ratio(const double *ranks, size_t n, size_t length)
{
    const double mean = (double)(n - 1) / 2;
    double sum = 0, of_sums = 0, of_ranks = 0;

    for (size_t i = 0; i < length; i++)
        sum += ranks[i] - mean;
    for (size_t i = 0; i < n; i++) {
        of_sums += sum * sum;
        of_ranks += (ranks[i] - mean) * (ranks[i] - mean);
        sum += ranks[i + length < n ? i + length : i + length - n] - ranks[i];
    }
    return of_ranks > 0 ? of_sums / of_ranks / (double)length : 1;
}

/* Try lengths from LENGTH on, each 1.5 times the length before it. Returns the largest length at
 * which the variance ratio grew by more than chance explains, or LENGTH if there is none. */
static size_t last_growth(const double *ranks, size_t n, size_t length)
{
    double reached = variance_ratio(ranks, n, length);

    for (double next = fmax(4, 1.5 * (double)length); next <= (double)n / 4; next *= 1.5) {
        double ratio = variance_ratio(ranks, n, (size_t)next);

        if (ratio / reached > 1 + 2 * sqrt(4 * floor(next) / (3 * (double)n))) {
            length = (size_t)next;
            reached = ratio;
        }
    }
    return length;
}

size_t estimate_block_length(const double *values, size_t n)
{
    size_t length, slow;
    double *ranks;

    if (n < 8)
        return 1;
    length = length_by_neighbours(values, n);
    ranks = estimate_ranks(values, n);
    if (!ranks)
        return length;
    slow = last_growth(ranks, n, length);
    free(ranks);
    return slow == length ? length : 2 * slow < n / 4 ? 2 * slow : n / 4;
}

/* The bootstrap. It counts how often each rank was drawn, and adds up the counts to the middle.
 * This finds a resample's median in linear time without sorting or allocation. */

struct resampler {
    size_t n, block;
    struct ranked *sorted;
    uint32_t *rank;  /* rank of each value */
    uint32_t *drawn; /* number of times that each rank was drawn */
    struct random random;
};

static int resampler_open(struct resampler *resampler, const double *values,
                          const struct resampling *resampling)
{
    size_t n = resampling->n;

    resampler->n = n;
    resampler->block = resampling->block;
    resampler->sorted = sort_ranked(values, n);
    resampler->rank = malloc(n * sizeof *resampler->rank);
    resampler->drawn = malloc(n * sizeof *resampler->drawn);
    random_seed(&resampler->random, resampling->seed);
    if (!resampler->sorted || !resampler->rank || !resampler->drawn)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        resampler->rank[resampler->sorted[i].index] = (uint32_t)i;
    return 0;
}

static void resampler_close(struct resampler *resampler)
{
    free(resampler->sorted);
    free(resampler->rank);
    free(resampler->drawn);
}

/* Draw N values in blocks that wrap around at the end (circular blocks of Politis and Romano). */
static void draw_resample(struct resampler *resampler)
{
    memset(resampler->drawn, 0, resampler->n * sizeof *resampler->drawn);
    for (size_t count = 0; count < resampler->n;) {
        size_t at = random_below(&resampler->random, (uint32_t)resampler->n);

        for (size_t i = 0; i < resampler->block && count < resampler->n; i++, count++) {
            resampler->drawn[resampler->rank[at]]++;
            at = at + 1 < resampler->n ? at + 1 : 0;
        }
    }
}

/* Return the value of rank K (from 0) in the resample. The walk begins at rank *AT among all
 * values, with *BELOW resampled values of lower ranks; both are updated. */
static double walk_to(const struct resampler *resampler, size_t k, size_t *at, size_t *below)
{
    while (*below + resampler->drawn[*at] <= k)
        *below += resampler->drawn[(*at)++];
    return resampler->sorted[*at].value;
}

static double resampled_median(struct resampler *resampler)
{
    size_t at = 0, below = 0;
    double lower;

    draw_resample(resampler);
    lower = walk_to(resampler, (resampler->n - 1) / 2, &at, &below);
    return (lower + walk_to(resampler, resampler->n / 2, &at, &below)) / 2;
}

static double widening(const struct resampling *resampling)
{
    double pieces = (double)resampling->n / (double)resampling->block;

    if (resampling->n < 2)
        return INFINITY;
    if (resampling->block <= 1 || pieces < 2)
        return 1;
    return student_975(pieces - 1) / student_975(INFINITY) * sqrt(pieces / (pieces - 1));
}

/* Estimate the median and its replicates. VALUES are of one regime, or aligned. */
static int replicate(const double *values, const struct resampling *resampling,
                     struct replicates *replicates, struct error *error)
{
    struct resampler resampler = {0};
    int code = resampler_open(&resampler, values, resampling);

    if (code == 0) {
        replicates->estimate = (resampler.sorted[(resampling->n - 1) / 2].value +
                                resampler.sorted[resampling->n / 2].value) /
                               2;
        replicates->widen = widening(resampling);
        for (size_t i = 0; i < ESTIMATE_REPLICATES; i++)
            replicates->values[i] = resampled_median(&resampler);
    } else {
        error_set(error, ERROR_FAILED, code, "out of memory for a bootstrap of %zu rounds",
                  resampling->n);
    }
    resampler_close(&resampler);
    return code;
}

int estimate_align(const struct regime *list, size_t count, double *values)
{
    double medians[REGIMES_MOST], mean = 0, *room;
    size_t n = 0;

    if (count < 2)
        return 0;
    for (size_t i = 0; i < count; i++)
        n += list[i].rounds;
    room = malloc(n * sizeof *room);
    if (!room)
        return -ENOMEM;
    for (size_t i = 0, first = 0; i < count; first += list[i++].rounds) {
        memcpy(room, values + first, list[i].rounds * sizeof *room);
        medians[i] = estimate_median(room, list[i].rounds);
        mean += medians[i] * (double)list[i].rounds / (double)n;
    }
    for (size_t i = 0, at = 0; i < count; i++)
        for (size_t end = at + list[i].rounds; at < end; at++)
            values[at] += mean - medians[i];
    free(room);
    return 0;
}

int estimate_median_replicates(const double *values, const struct resampling *resampling,
                               struct replicates *replicates, struct error *error)
{
    const struct regimes *regimes = resampling->regimes;
    double *aligned;
    int code;

    if (!regimes || regimes->count < 2)
        return replicate(values, resampling, replicates, error);
    aligned = malloc(resampling->n * sizeof *aligned);
    if (aligned)
        memcpy(aligned, values, resampling->n * sizeof *aligned);
    code = aligned ? estimate_align(regimes->list, regimes->count, aligned) : -ENOMEM;
    code = code ? error_set(error, ERROR_FAILED, code, "out of memory for a bootstrap")
                : replicate(aligned, resampling, replicates, error);
    free(aligned);
    return code;
}

int estimate_median_alone(const double *values, size_t n, uint64_t seed,
                          struct replicates *replicates, struct error *error)
{
    const struct resampling resampling = {n, estimate_block_length(values, n), seed, NULL};

    return estimate_median_replicates(values, &resampling, replicates, error);
}

void estimate_add(struct replicates *sum, double weight, const struct replicates *term)
{
    sum->estimate += weight * term->estimate;
    sum->widen = fmax(sum->widen, term->widen);
    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++)
        sum->values[i] += weight * term->values[i];
}

void estimate_interval(const struct replicates *replicates, struct interval *interval)
{
    double sorted[ESTIMATE_REPLICATES], estimate = replicates->estimate;

    memcpy(sorted, replicates->values, sizeof sorted);
    estimate_sort(sorted, ESTIMATE_REPLICATES);
    *interval = (struct interval){estimate, NAN, NAN};
    if (isinf(replicates->widen))
        return;
    interval->low = estimate_quantile(sorted, ESTIMATE_REPLICATES, 0.025);
    interval->high = estimate_quantile(sorted, ESTIMATE_REPLICATES, 0.975);
    interval->low = estimate - replicates->widen * (estimate - interval->low);
    interval->high = estimate + replicates->widen * (interval->high - estimate);
}

bool estimate_excludes_0(const struct interval *interval)
{
    return interval->low > 0 || interval->high < 0;
}

int estimate_median_interval(const double *values, size_t n, uint64_t seed,
                             struct interval *interval, struct error *error)
{
    struct replicates replicates;
    int code = estimate_median_alone(values, n, seed, &replicates, error);

    if (code == 0)
        estimate_interval(&replicates, interval);
    return code;
}

int estimate_share_interval(double *part, const double *rest, size_t n, uint64_t seed,
                            struct interval *share, struct error *error)
{
    for (size_t i = 0; i < n; i++)
        part[i] = part[i] + rest[i] > 0 ? part[i] / (part[i] + rest[i]) : 0;
    return estimate_median_interval(part, n, seed, share, error);
}
