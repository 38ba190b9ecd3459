#include "measure/statistics/mean_interval.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/random.h"

struct sample {
    double mean, error; /* ERROR: standard error of the mean */
};

static struct sample describe_sample(const double *values, const uint32_t *drawn, size_t n)
{
    double sum = 0, squares = 0, mean;

    for (size_t i = 0; i < n; i++)
        sum += values[drawn ? drawn[i] : i];
    mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double from_mean = values[drawn ? drawn[i] : i] - mean;

        squares += from_mean * from_mean;
    }
    return (struct sample){mean, sqrt(squares / (double)(n - 1) / (double)n)};
}

/* Replace VALUES by the means of consecutive batches of BLOCK values; the remainder joins the last
 * batch. Returns the number of batches. */
static size_t make_batches(double *values, size_t n, size_t block)
{
    size_t batches = n / block;

    if (block <= 1 || batches == 0)
        return n;
    for (size_t i = 0; i < batches; i++) {
        size_t end = i + 1 < batches ? (i + 1) * block : n;
        double sum = 0;

        for (size_t j = i * block; j < end; j++)
            sum += values[j];
        values[i] = sum / (double)(end - i * block);
    }
    return batches;
}

/* Return the distance of RESAMPLE's mean from SAMPLE's, in RESAMPLE's standard errors. */
static double studentized(const struct sample *resample, const struct sample *sample)
{
    double distance = resample->mean - sample->mean;

    if (resample->error > 0)
        return distance / resample->error;
    return distance == 0 ? 0 : copysign(INFINITY, distance);
}

static int resample(const double *values, size_t n, uint64_t seed, const struct sample *sample,
                    double distances[ESTIMATE_REPLICATES], struct error *error)
{
    uint32_t *drawn = malloc(n * sizeof *drawn);
    struct random random;

    if (!drawn)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a bootstrap of %zu", n);
    random_seed(&random, seed);
    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++) {
        struct sample one;

        for (size_t j = 0; j < n; j++)
            drawn[j] = random_below(&random, (uint32_t)n);
        one = describe_sample(values, drawn, n);
        distances[i] = studentized(&one, sample);
    }
    free(drawn);
    estimate_sort(distances, ESTIMATE_REPLICATES);
    return 0;
}

static int interval_of_batches(const double *values, size_t n, uint64_t seed,
                               struct interval *interval, struct error *error)
{
    double distances[ESTIMATE_REPLICATES], student, above, below;
    struct sample sample;
    int code;

    *interval = (struct interval){values[0], NAN, NAN};
    if (n < 2)
        return 0;
    sample = describe_sample(values, NULL, n);
    code = resample(values, n, seed, &sample, distances, error);
    if (code)
        return code;
    student = student_975((double)n - 1);
    above = -estimate_quantile(distances, ESTIMATE_REPLICATES, 0.025);
    below = estimate_quantile(distances, ESTIMATE_REPLICATES, 0.975);
    interval->estimate = sample.mean;
    interval->low =
        sample.mean - sample.error * fmin(fmax(below, student), MEAN_INTERVAL_REACH * student);
    interval->high =
        sample.mean + sample.error * fmin(fmax(above, student), MEAN_INTERVAL_REACH * student);
    return 0;
}

double mean_of(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

int mean_interval(const double *values, size_t n, size_t block, uint64_t seed,
                  struct interval *interval, struct error *error)
{
    double *batches = calloc(n, sizeof *batches), shift;
    int code;

    if (!batches)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu rounds", n);
    for (size_t i = 0; i < n; i++)
        batches[i] = values[i];
    code = interval_of_batches(batches, make_batches(batches, n, block), seed, interval, error);
    free(batches);
    if (code)
        return code;
    /* The last batch may be longer: correct the batches' mean to the mean of all values. */
    shift = mean_of(values, n) - interval->estimate;
    interval->estimate += shift;
    interval->low += shift;
    interval->high += shift;
    return 0;
}

/* Set DEVIATIONS to the first-order relative deviation of each of N rounds from the whole rate or
 * ratio; their mean is 0. It is negative for a round whose calls (OWN) were slow, and positive for
 * a round in which the divisor's calls (OTHERS) were slow. */
static void find_deviations(const double *own, const double *others, size_t n, double *deviations)
{
    double own_mean = mean_of(own, n), others_mean = others ? mean_of(others, n) : 0;

    for (size_t i = 0; i < n; i++)
        deviations[i] = (others ? others[i] / others_mean : 1) - own[i] / own_mean;
}

int ratio_interval(double estimate, const double *own, const double *others, size_t n,
                   uint64_t seed, struct interval *interval, struct error *error)
{
    double *deviations = calloc(n, sizeof *deviations);
    struct interval off;
    int code;

    if (!deviations)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu rounds", n);
    find_deviations(own, others, n, deviations);
    code = mean_interval(deviations, n, estimate_block_length(deviations, n), seed, &off, error);
    free(deviations);
    if (code)
        return code;
    *interval = (struct interval){estimate, estimate * exp(off.low), estimate * exp(off.high)};
    return 0;
}
