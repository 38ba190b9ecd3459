#include "measure/comparison.h"

#include <math.h>
#include <stdlib.h>

static int estimate(const double *values, size_t n, uint64_t seed, struct replicates *replicates,
                    struct error *error)
{
    struct resampling resampling = {n, estimate_block_length(values, n), seed};

    return estimate_median_replicates(values, &resampling, replicates, error);
}

/* The standard deviation of the replicates, widened by the same factor as their interval. */
static double standard_error(const struct replicates *replicates)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++)
        mean += replicates->values[i] / ESTIMATE_REPLICATES;
    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++)
        squares += (replicates->values[i] - mean) * (replicates->values[i] - mean);
    return replicates->widen * sqrt(squares / (ESTIMATE_REPLICATES - 1));
}

void comparison_fill(struct comparison *comparison, const struct replicates *first,
                     const struct replicates *second, const struct replicates *difference)
{
    double deviation = standard_error(difference);

    estimate_interval(first, &comparison->first);
    estimate_interval(second, &comparison->second);
    estimate_interval(difference, &comparison->difference);
    if (deviation > 0)
        comparison->p = erfc(fabs(difference->estimate) / deviation / sqrt(2));
    else if (isinf(difference->widen)) /* one round: the noise is unknown */
        comparison->p = 1;
    else
        comparison->p = difference->estimate == 0 ? 1 : 0;
    comparison->adjusted_p = comparison->p;
}

int comparison_estimate(struct comparison *comparison, const double *first, size_t first_count,
                        const double *second, size_t second_count, uint64_t seed,
                        struct error *error)
{
    struct replicates a, b, difference;
    int code = estimate(first, first_count, seed, &a, error);

    if (code == 0)
        code = estimate(second, second_count, seed + 1, &b, error);
    if (code)
        return code;
    difference = b;
    estimate_add(&difference, -1, &a);
    comparison_fill(comparison, &a, &b, &difference);
    return 0;
}

double comparison_p(const struct interval *difference)
{
    double estimate = difference->estimate;
    double to_zero = estimate > 0 ? estimate - difference->low : difference->high - estimate;

    if (!isfinite(to_zero))
        return 1;
    if (to_zero <= 0)
        return estimate == 0;
    return student_p(student_975(INFINITY) * estimate / to_zero, INFINITY);
}

void comparison_of_intervals(struct comparison *comparison, const struct interval *first,
                             const struct interval *second)
{
    double estimate = second->estimate - first->estimate;

    comparison->first = *first;
    comparison->second = *second;
    comparison->difference = (struct interval){
        estimate, estimate - hypot(second->estimate - second->low, first->high - first->estimate),
        estimate + hypot(second->high - second->estimate, first->estimate - first->low)};
    comparison->p = comparison->adjusted_p = comparison_p(&comparison->difference);
}

struct interval comparison_ratio(const struct comparison *comparison, bool paired)
{
    const struct interval *first = &comparison->first, *second = &comparison->second;
    double a = first->estimate, b = second->estimate;
    double half_a = (first->high - first->low) / 2, half_b = (second->high - second->low) / 2;
    double half = (comparison->difference.high - comparison->difference.low) / 2;
    double shared = paired ? (half_a * half_a + half_b * half_b - half * half) / 2 : 0;
    double base = a * a - half_a * half_a, middle = a * b - shared;
    double root = middle * middle - base * (b * b - half_b * half_b);

    if (!estimate_excludes_0(first) || !(base > 0) || !(root >= 0))
        return (struct interval){NAN, NAN, NAN};
    return (struct interval){b / a, (middle - sqrt(root)) / base, (middle + sqrt(root)) / base};
}

static int compare_p(const void *a, const void *b)
{
    const struct comparison *x = *(struct comparison *const *)a,
                            *y = *(struct comparison *const *)b;

    return (x->p > y->p) - (x->p < y->p);
}

void comparison_adjust(struct comparison *comparisons[], size_t n)
{
    double largest = 0;

    qsort(comparisons, n, sizeof comparisons[0], compare_p);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, (double)(n - i) * comparisons[i]->p);
        comparisons[i]->adjusted_p = fmin(largest, 1);
    }
}

/* Judging */

#define SIGNIFICANT 0.05

double comparison_floor(enum comparison_design design, enum comparison_quantity quantity,
                        double base_ns, double noise_floor_ns)
{
    /* Shares of the base, and the least amount by which costs of two launches may differ. */
    static const double shares[][2] = {
        [COMPARISON_SEPARATE_RUNS] = {[COMPARISON_ROUND_TRIP] = 0.02, [COMPARISON_COST] = 0},
        [COMPARISON_ONE_LAUNCH] = {[COMPARISON_ROUND_TRIP] = 0.2, [COMPARISON_COST] = 0.6},
        [COMPARISON_SAME_ROUNDS] = {[COMPARISON_ROUND_TRIP] = 0.03, [COMPARISON_COST] = 0.005},
        [COMPARISON_SAME_LAUNCHES] = {[COMPARISON_ROUND_TRIP] = 0, [COMPARISON_COST] = 0},
    };

    static const double least_ns[] = {
        [COMPARISON_ONE_LAUNCH] = 200, [COMPARISON_SAME_LAUNCHES] = 0};
    double floor = fmax(least_ns[design], shares[design][quantity] * base_ns);

    return fmax(noise_floor_ns, floor);
}

enum comparison_verdict comparison_judge(const struct comparison *comparison, double floor)
{
    double difference = comparison->difference.estimate;

    if (comparison->adjusted_p >= SIGNIFICANT || fabs(difference) <= floor)
        return COMPARISON_SAME;
    return difference > 0 ? COMPARISON_SLOWER : COMPARISON_FASTER;
}
