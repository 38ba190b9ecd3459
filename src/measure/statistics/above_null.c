#include "measure/statistics/above_null.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "measure/statistics/contrast.h"

int above_null_lengthen(struct resampling *resampling, const struct series *op,
                        const struct series *null_calls, struct error *error)
{
    const struct regimes *regimes = resampling->regimes;
    const size_t n = resampling->n;
    double *values = paired_differences(null_calls, op, BLOCK_TRIMMED_MEAN, n, error);
    int code = values ? 0 : -ENOMEM;
    size_t own = 0;

    if (values && regimes)
        code = estimate_align(regimes->list, regimes->count, values);
    if (values && code)
        error_set(error, ERROR_FAILED, code, "out of memory for %zu rounds", n);
    if (code == 0)
        own = estimate_block_length(values, n);
    if (own > resampling->block)
        resampling->block = own;
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
            paired_median(null_calls, op, parts[i].statistic, resampling, &replicates, error);

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
    int code = paired_median(null_calls, op, BLOCK_TRIMMED_MEAN, resampling,
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
