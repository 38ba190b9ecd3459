#include "measure/statistics/contrast.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "measure/statistics/mean_interval.h"

/* Return the p-value of a 95 % interval by Student's t with DEGREES of freedom. */
static double p_of_interval(const struct interval *difference, double degrees)
{
    double estimate = difference->estimate;
    double to_zero = estimate > 0 ? estimate - difference->low : difference->high - estimate;

    if (!isfinite(to_zero))
        return 1;
    if (to_zero <= 0)
        return estimate == 0;
    return student_p(student_975(degrees) * estimate / to_zero, degrees);
}

double comparison_p(const struct interval *difference)
{
    return p_of_interval(difference, INFINITY);
}

static void widen_interval(struct interval *interval, double half_width)
{
    interval->low = interval->estimate - hypot(interval->estimate - interval->low, half_width);
    interval->high = interval->estimate + hypot(interval->high - interval->estimate, half_width);
}

/* Combine the standard error of COMPARISON's difference with ERROR. Set the resulting degrees of
 * freedom, and return the resulting half-width. */
static double wider(struct comparison *comparison, double error)
{
    const double own = interval_half_width(&comparison->difference) /
                       student_975(comparison->degrees),
                 all = hypot(own, error);

    comparison->degrees = own > 0 ? comparison->degrees * pow(all / own, 4) : INFINITY;
    return student_975(comparison->degrees) * all;
}

void comparison_widen(struct comparison *comparison, double error)
{
    const double half_width = interval_half_width(&comparison->difference);
    double more;

    if (!(error > 0) || !isfinite(half_width))
        return;
    more = sqrt(fmax(0, pow(wider(comparison, error), 2) - pow(half_width, 2)));
    widen_interval(&comparison->first, more / sqrt(2));
    widen_interval(&comparison->second, more / sqrt(2));
    widen_interval(&comparison->difference, more);
    comparison->p =
        fmax(comparison->p, p_of_interval(&comparison->difference, comparison->degrees));
    comparison->adjusted_p = comparison->p;
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
    comparison->degrees = INFINITY;
    comparison->p = comparison->adjusted_p = comparison_p(&comparison->difference);
}

/* Return the correlation of the sides' estimates that the width of their difference implies. */
static double implied_correlation(const struct comparison *comparison)
{
    double first = interval_half_width(&comparison->first),
           second = interval_half_width(&comparison->second);
    double difference = interval_half_width(&comparison->difference);
    double r = (first * first + second * second - difference * difference) / (2 * first * second);

    return isnan(r) ? 0 : fmax(-1, fmin(r, 1));
}

/* Return the root x (the lower root for SIGN -1, the upper root for 1) of (b - x a)^2 = half_b^2 +
 * x^2 half_a^2 - 2 x r half_a half_b; NAN if there is none. */
static double ratio_bound(double a, double b, double half_a, double half_b, double r, int sign)
{
    double square = a * a - half_a * half_a, middle = a * b - r * half_a * half_b;
    double rest = b * b - half_b * half_b, discriminant = middle * middle - square * rest;
    /* If half_a < a, only rounding makes the discriminant negative, so it counts as 0. */
    double root = sqrt(square > 0 ? fmax(0, discriminant) : discriminant);

    /* Both forms give the same root. The first avoids cancellation and allows half_a > a. */
    return sign * middle < 0 ? rest / (middle - sign * root) : (middle + sign * root) / square;
}

/* A ratio x is in the interval if the interval of B - x A contains 0. At the lower limit of x, the
 * ends that matter are HALF_A above A and HALF_B below B; at the upper limit, the opposite ends. */
struct interval comparison_ratio(const struct comparison *comparison, bool paired)
{
    const struct interval *first = &comparison->first, *second = &comparison->second;
    double a = first->estimate, b = second->estimate;
    double r = paired ? implied_correlation(comparison) : 0;
    double low = ratio_bound(a, b, first->high - a, b - second->low, r, -1);
    double high = ratio_bound(a, b, a - first->low, second->high - b, r, 1);

    /* If HALF_A is A or more, possibly no ratio is excluded. The roots are then not the ends of an
     * interval. */
    if (!(first->low > 0 && b > 0) || !(low <= b / a && b / a <= high))
        return (struct interval){NAN, NAN, NAN};
    return (struct interval){b / a, low, high};
}

/* Return the standard deviation of REPLICATES, widened as much as their interval. */
static double standard_error(const struct replicates *replicates)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++)
        mean += replicates->values[i] / ESTIMATE_REPLICATES;
    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++)
        squares += (replicates->values[i] - mean) * (replicates->values[i] - mean);
    return replicates->widen * sqrt(squares / (ESTIMATE_REPLICATES - 1));
}

void paired_compare(const struct paired *paired, struct comparison *comparison)
{
    const struct replicates *difference = &paired->difference;
    double deviation = standard_error(difference);

    estimate_interval(&paired->first, &comparison->first);
    estimate_interval(&paired->second, &comparison->second);
    estimate_interval(difference, &comparison->difference);
    if (deviation > 0)
        comparison->p = erfc(fabs(difference->estimate) / deviation / sqrt(2));
    else /* P is 1 for a single round, because its noise is unknown */
        comparison->p = isinf(difference->widen) || difference->estimate == 0;
    comparison->degrees = INFINITY;
    comparison->adjusted_p = comparison->p;
}

int comparison_estimate(struct comparison *comparison, const double *first, size_t first_count,
                        const double *second, size_t second_count, uint64_t seed,
                        struct error *error)
{
    struct paired apart;
    int code = estimate_median_alone(first, first_count, seed, &apart.first, error);

    if (code == 0)
        code = estimate_median_alone(second, second_count, seed + 1, &apart.second, error);
    if (code)
        return code;
    paired_costs(&apart, &apart.first, &apart.second);
    paired_compare(&apart, comparison);
    return 0;
}

double *paired_differences(const struct series *first, const struct series *second,
                           enum block_statistic statistic, size_t n, struct error *error)
{
    double *values = malloc(n * sizeof *values);

    if (!values)
        error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu rounds", n);
    for (size_t i = 0; values && i < n; i++)
        values[i] = second->blocks[statistic][i] - first->blocks[statistic][i];
    return values;
}

int paired_median(const struct series *first, const struct series *second,
                  enum block_statistic statistic, const struct resampling *resampling,
                  struct replicates *replicates, struct error *error)
{
    double *values = paired_differences(first, second, statistic, resampling->n, error);
    int code = values ? estimate_median_replicates(values, resampling, replicates, error) : -ENOMEM;

    free(values);
    return code;
}

int paired_levels(struct paired *paired, const struct series *first, const struct series *second,
                  const struct resampling *resampling, struct error *error)
{
    int code =
        paired_median(first, second, BLOCK_TRIMMED_MEAN, resampling, &paired->difference, error);

    if (code == 0)
        code = estimate_median_replicates(first->blocks[BLOCK_TRIMMED_MEAN], resampling,
                                          &paired->first, error);
    if (code == 0)
        code = estimate_median_replicates(second->blocks[BLOCK_TRIMMED_MEAN], resampling,
                                          &paired->second, error);
    return code;
}

void paired_costs(struct paired *paired, const struct replicates *first,
                  const struct replicates *second)
{
    paired->first = *first;
    paired->second = paired->difference = *second;
    estimate_add(&paired->difference, -1, first);
}

int paired_mean_costs(const struct paired_series *first, const struct paired_series *second,
                      const struct resampling *resampling, struct comparison *comparison,
                      struct error *error)
{
    size_t n = resampling->n;
    double *values = paired_differences(second->null_calls, second->op, BLOCK_MEAN, n, error);
    double *less = paired_differences(first->null_calls, first->op, BLOCK_MEAN, n, error);
    int code = values && less ? 0 : -ENOMEM;

    for (size_t i = 0; i < n && code == 0; i++)
        values[i] -= less[i];
    if (code == 0)
        code = mean_interval(values, n, resampling->block, resampling->seed,
                             &comparison->difference, error);
    if (code == 0)
        comparison->p = comparison->adjusted_p = comparison_p(&comparison->difference);
    free(values);
    free(less);
    return code;
}

void paired_add(struct paired *sum, const struct paired *term)
{
    estimate_add(&sum->first, 1, &term->first);
    estimate_add(&sum->second, 1, &term->second);
    estimate_add(&sum->difference, 1, &term->difference);
}

/* Return the p-value of VALUE, which has the standard error ERROR with DEGREES of freedom. */
static double p_of(double value, double error, double degrees)
{
    if (error > 0)
        return student_p(value / error, degrees);
    return value == 0;
}

/* Set COMPARISON. FIRST has the N launches of the first cell, SECOND the M launches of the second
 * cell; DIFFERENCE is the estimated difference of the cells. */
static void compare_units(struct comparison *comparison, const struct launch *first, size_t n,
                          const struct launch *second, size_t m,
                          const struct difference *difference)
{
    launches_estimate(first, n, &comparison->first);
    launches_estimate(second, m, &comparison->second);
    comparison->difference = difference_interval(difference, 0.975);
    comparison->degrees = difference->degrees > 0 ? difference->degrees : INFINITY;
    comparison->p = p_of(difference->estimate, difference->within, INFINITY);
    if (difference->degrees > 0)
        comparison->p =
            fmax(comparison->p, p_of(difference->estimate, difference->error, difference->degrees));
    comparison->adjusted_p = comparison->p;
}

/* Return the squared standard error of MEAN, at least that of its rounds. If MEAN has one unit, use
 * OTHER's deviation. */
static double squared_error(const struct launches_mean *mean, const struct launches_mean *other)
{
    double deviation = mean->units > 1 ? mean->deviation : other->deviation;

    return fmax(deviation * deviation / (double)mean->units, mean->within * mean->within);
}

/* Estimate the difference of cells that share no rounds, with Welch's degrees of freedom (B. L.
 * Welch, "The Generalization of 'Student's' Problem", 1947). If each cell has one unit, there are
 * no degrees of freedom, and the error is unknown. */
static struct difference welch(const struct launch *first, size_t n, const struct launch *second,
                               size_t m)
{
    const struct launches_mean a = launches_mean(first, n), b = launches_mean(second, m);
    double a_square = squared_error(&a, &b), b_square = squared_error(&b, &a);
    struct difference difference = {.estimate = b.mean - a.mean,
                                    .error = sqrt(a_square + b_square),
                                    .degrees = (double)(a.units + b.units - 2)};

    if (a.units > 1 && b.units > 1)
        difference.degrees =
            pow(a_square + b_square, 2) / (a_square * a_square / (double)(a.units - 1) +
                                           b_square * b_square / (double)(b.units - 1));
    if (difference.degrees <= 0)
        difference.within = INFINITY;
    return difference;
}

bool comparison_of_launches(struct comparison *comparison, const struct launch *first, size_t n,
                            const struct launch *second, size_t m)
{
    const struct difference difference = welch(first, n, second, m);

    compare_units(comparison, first, n, second, m, &difference);
    return isfinite(difference.within);
}

/* Return the mean of CONTRAST's differences over units; zeroed if the cells share no rounds. */
static struct launches_mean mean_difference(const struct contrast *contrast)
{
    return contrast->difference_count
               ? launches_mean(contrast->differences, contrast->difference_count)
               : (struct launches_mean){0};
}

/* Return true if MEAN has enough units, and a known error of its rounds, to show how much units
 * vary relative to that error. */
static bool shows_spread(const struct launches_mean *mean)
{
    return mean->units >= CONTRAST_UNITS_LEAST && mean->within > 0;
}

/* Return S^2 of contrasts_estimate(); 0 if there are too few contrasts. */
static double common_spread(struct contrast *const contrasts[], size_t count)
{
    double sum = 0, degrees = 0;
    size_t members = 0;

    for (size_t i = 0; i < count; i++) {
        const struct launches_mean mean = mean_difference(contrasts[i]);
        const double units = (double)mean.units;

        if (!shows_spread(&mean))
            continue;
        sum += (units - 1) * pow(mean.deviation / mean.within, 2) / units;
        degrees += units - 1;
        members++;
    }
    return members < CONTRAST_FAMILY_LEAST ? 0 : sum / degrees;
}

static void moderate(struct difference *difference, double spread)
{
    const double own = difference->degrees, prior = CONTRAST_PRIOR;
    const double expected = spread * difference->within * difference->within;

    difference->error =
        sqrt((prior * expected + own * difference->error * difference->error) / (prior + own));
    difference->degrees = prior + own;
}

static struct difference estimate_units(struct contrast *contrast, const struct launches_mean *mean,
                                        double spread)
{
    struct difference difference = mean->units > 0
                                       ? launches_difference(mean)
                                       : welch(contrast->first, contrast->first_count,
                                               contrast->second, contrast->second_count);

    contrast->moderated = spread > 0 && shows_spread(mean);
    if (contrast->moderated)
        moderate(&difference, spread);
    compare_units(&contrast->comparison, contrast->first, contrast->first_count, contrast->second,
                  contrast->second_count, &difference);
    return difference;
}

void contrasts_estimate(struct contrast *contrasts[], size_t count)
{
    const double spread = common_spread(contrasts, count);

    for (size_t i = 0; i < count; i++) {
        const struct launches_mean mean = mean_difference(contrasts[i]);
        const struct interval *given = &contrasts[i]->comparison.difference;
        struct difference difference = {.estimate = given->estimate,
                                        .within =
                                            interval_half_width(given) / student_975(INFINITY)};

        if (mean.units != 1)
            difference = estimate_units(contrasts[i], &mean, spread);
        contrasts[i]->narrow = difference_interval(&difference, 0.95);
    }
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

#define SIGNIFICANT 0.05

double comparison_floor(enum comparison_design design, enum comparison_quantity quantity,
                        double base_ns, double noise_floor_ns)
{
    /* Floors as shares of BASE_NS. LEAST_NS is a further floor if a side has one launch. */
    static const double shares[][2] = {
        [COMPARISON_SEPARATE_RUNS] = {[COMPARISON_ROUND_TRIP] = 0.02, [COMPARISON_COST] = 0},
        [COMPARISON_ONE_LAUNCH] = {[COMPARISON_ROUND_TRIP] = 0.2, [COMPARISON_COST] = 0.6},
        [COMPARISON_SAME_ROUNDS] = {[COMPARISON_ROUND_TRIP] = 0.03, [COMPARISON_COST] = 0.005},
        [COMPARISON_SAME_LAUNCHES] = {0, 0},
    };
    const double least_ns = design == COMPARISON_ONE_LAUNCH ? 200 : 0;

    return fmax(noise_floor_ns, fmax(least_ns, shares[design][quantity] * base_ns));
}

enum comparison_verdict comparison_judge(const struct comparison *comparison, double floor)
{
    double difference = comparison->difference.estimate;

    if (comparison->adjusted_p >= SIGNIFICANT || fabs(difference) <= floor)
        return COMPARISON_SAME;
    return difference > 0 ? COMPARISON_SLOWER : COMPARISON_FASTER;
}

/* Return true if NARROW, the 90 % interval of the difference, is within MARGIN. */
static bool is_equal(const struct comparison *comparison, const struct interval *narrow,
                     const struct contrast_margin *margin)
{
    const double level = fabs(comparison->first.estimate);
    const double most = fmax(margin->ns, margin->share > 0 ? margin->share * level : 0);

    return most > 0 && -most <= narrow->low && narrow->high <= most;
}

static bool is_known(const struct contrast *contrast)
{
    return isfinite(contrast->comparison.difference.low) &&
           isfinite(contrast->comparison.difference.high);
}

static enum comparison_verdict judge_contrast(const struct contrast *contrast,
                                              const struct contrast_margin *margin)
{
    if (!is_known(contrast))
        return COMPARISON_UNKNOWN;
    if (is_equal(&contrast->comparison, &contrast->narrow, margin))
        return COMPARISON_EQUAL;
    return comparison_judge(&contrast->comparison, contrast->floor);
}

int contrasts_judge(struct contrast *contrasts[], size_t count,
                    const struct contrast_margin *margin, struct error *error)
{
    struct comparison **family = calloc(count + 1, sizeof *family);
    size_t known = 0;

    if (!family)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu contrasts", count);
    for (size_t i = 0; i < count; i++)
        if (is_known(contrasts[i]))
            family[known++] = &contrasts[i]->comparison;
    comparison_adjust(family, known);
    for (size_t i = 0; i < count; i++)
        contrasts[i]->word = judge_contrast(contrasts[i], margin);
    free(family);
    return 0;
}
