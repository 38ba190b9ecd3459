#include "measure/above_null.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "measure/contrast.h"

int above_null_block_length(const struct series *op, const struct series *null_calls, size_t n,
                            size_t *length, struct error *error)
{
    double *values = paired_differences(null_calls, op, BLOCK_TRIMMED_MEAN, n, error);

    if (!values)
        return -ENOMEM;
    *length = estimate_block_length(values, n);
    free(values);
    return 0;
}

static int estimate_statistic(const struct series *op, const struct series *null_calls,
                              enum block_statistic statistic, const struct resampling *resampling,
                              struct replicates *replicates, struct error *error)
{
    double *values = paired_differences(null_calls, op, statistic, resampling->n, error);
    int code = values ? estimate_median_replicates(values, resampling, replicates, error) : -ENOMEM;

    free(values);
    return code;
}

static int estimate_quantiles(struct above_null *above, const struct series *op,
                              const struct series *null_calls, const struct resampling *resampling,
                              struct error *error)
{
    const struct {
        enum block_statistic statistic;
        struct interval *interval;
    } parts[] = {{BLOCK_P50, &above->p50}, {BLOCK_P90, &above->p90}, {BLOCK_P99, &above->p99}};
    struct replicates replicates;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int code =
            estimate_statistic(op, null_calls, parts[i].statistic, resampling, &replicates, error);

        if (code)
            return code;
        estimate_interval(&replicates, parts[i].interval);
    }
    return 0;
}

int above_null_estimate(struct above_null *above, const struct series *op,
                        const struct series *null_calls, const struct resampling *resampling,
                        double noise_floor_ns, struct error *error)
{
    int code = estimate_statistic(op, null_calls, BLOCK_TRIMMED_MEAN, resampling,
                                  &above->cost_replicates, error);

    if (code == 0)
        code = estimate_quantiles(above, op, null_calls, resampling, error);
    if (code)
        return code;
    estimate_interval(&above->cost_replicates, &above->cost);
    above->mean_difference = op->histogram.mean - null_calls->histogram.mean;
    above->share = op->histogram.mean > 0 ? above->cost.estimate / op->histogram.mean : 0;
    above->distinguishable =
        estimate_excludes_0(&above->cost) && fabs(above->cost.estimate) > noise_floor_ns;
    return 0;
}

int above_null_interval(const struct series *op, const struct series *null_calls, size_t n,
                        uint64_t seed, struct interval *interval, struct error *error)
{
    double *values = paired_differences(null_calls, op, BLOCK_TRIMMED_MEAN, n, error);
    int code = values ? estimate_median_interval(values, n, seed, interval, error) : -ENOMEM;

    free(values);
    return code;
}

double above_null_p99(const struct series *op, const struct series *null_calls)
{
    if (op->histogram.count < ABOVE_NULL_P99_CALLS ||
        null_calls->histogram.count < ABOVE_NULL_P99_CALLS)
        return NAN;
    return histogram_quantile(&op->histogram, 0.99) -
           histogram_quantile(&null_calls->histogram, 0.99);
}
