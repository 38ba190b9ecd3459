#include "measure/above_null.h"

#include <math.h>

enum { REPLICATES = 1000 };

int above_null_estimate(struct above_null *above, const struct series *op,
                        const struct series *null_calls, size_t n, double noise_floor_ns,
                        uint64_t seed, struct error *error)
{
    const struct {
        enum block_statistic statistic;
        struct interval *interval;
    } parts[] = {
        {BLOCK_TRIMMED_MEAN, &above->cost},
        {BLOCK_P50, &above->p50},
        {BLOCK_P90, &above->p90},
        {BLOCK_P99, &above->p99},
    };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int code = estimate_difference(op->blocks[parts[i].statistic],
                                       null_calls->blocks[parts[i].statistic], n, REPLICATES, seed,
                                       parts[i].interval, error);

        if (code)
            return code;
    }
    above->mean_difference = op->histogram.mean - null_calls->histogram.mean;
    above->share = op->histogram.mean > 0 ? above->cost.estimate / op->histogram.mean : 0;
    above->distinguishable =
        above->cost.low * above->cost.high > 0 && fabs(above->cost.estimate) > noise_floor_ns;
    return 0;
}

double above_null_noise_floor(const struct above_null *control)
{
    return fmax(fabs(control->cost.low), fabs(control->cost.high));
}
