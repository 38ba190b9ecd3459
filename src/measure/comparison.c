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

/* The correlation of both estimates that the width of their difference implies. */
static double correlation(const struct comparison *comparison)
{
    double first = interval_half_width(&comparison->first),
           second = interval_half_width(&comparison->second);
    double difference = interval_half_width(&comparison->difference);
    double r = (first * first + second * second - difference * difference) / (2 * first * second);

    return isnan(r) ? 0 : fmax(-1, fmin(r, 1));
}

/* The root x, the lower for SIGN -1 and the upper for 1, of
 * (b - x a)^2 = half_b^2 + x^2 half_a^2 - 2 x r half_a half_b; NAN if there is none. */
static double ratio_bound(double a, double b, double half_a, double half_b, double r, int sign)
{
    double square = a * a - half_a * half_a, middle = a * b - r * half_a * half_b;
    double rest = b * b - half_b * half_b, discriminant = middle * middle - square * rest;
    /* Where half_a is below a, only rounding makes it negative. */
    double root = sqrt(square > 0 ? fmax(0, discriminant) : discriminant);

    /* The same number in two forms: the first has no difference of what may be equal, and holds
     * where half_a reaches beyond a. */
    return sign * middle < 0 ? rest / (middle - sign * root) : (middle + sign * root) / square;
}

/* Ratios x are in the interval as long as 0 is in that of B - x A. Of the two x at which 0 leaves
 * it, the lower one has HALF_A above A and HALF_B below B; the upper one, the reverse. */
struct interval comparison_ratio(const struct comparison *comparison, bool paired)
{
    const struct interval *first = &comparison->first, *second = &comparison->second;
    double a = first->estimate, b = second->estimate;
    double r = paired ? correlation(comparison) : 0;
    double low = ratio_bound(a, b, first->high - a, b - second->low, r, -1);
    double high = ratio_bound(a, b, a - first->low, second->high - b, r, 1);

    /* Where the first's lower or upper half is as wide as its estimate, no ratio may be excluded,
     * and the roots are not the ends of an interval. */
    if (!(first->low > 0 && b > 0) || !(low <= b / a && b / a <= high))
        return (struct interval){NAN, NAN, NAN};
    return (struct interval){b / a, low, high};
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
