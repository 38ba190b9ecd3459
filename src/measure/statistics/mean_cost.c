#include "measure/statistics/mean_cost.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "measure/statistics/contrast.h"
#include "measure/statistics/mean_interval.h"

/* A position in a histogram. It moves from the slowest calls to faster calls. */
struct descent {
    const struct histogram *histogram;
    size_t bucket;
    double left; /* share of all calls that is left in the bucket */
};

static void step_down(struct descent *descent)
{
    const struct histogram *histogram = descent->histogram;

    while (descent->left <= 0 && descent->bucket > 0) {
        descent->bucket--;
        descent->left = (double)histogram->buckets[descent->bucket] / (double)histogram->count;
    }
}

static double value_of(const struct descent *descent)
{
    double low = histogram_bucket_low(descent->bucket);

    return (low + histogram_bucket_high(descent->bucket)) / 2;
}

double mean_cost_rare_share(const struct histogram *op, const struct histogram *null_calls,
                            double typical_ns, double rare_ns)
{
    struct descent slow = {op, HISTOGRAM_BUCKETS, 0}, base = {null_calls, HISTOGRAM_BUCKETS, 0};
    const double nearly_all = 0.95 * rare_ns;
    double share = 0, sum = 0;

    if (rare_ns <= 0 || op->count == 0 || null_calls->count == 0)
        return NAN;
    while (share < 0.5) {
        double piece, excess;

        step_down(&slow);
        step_down(&base);
        piece = fmin(slow.left, base.left);
        if (piece <= 0)
            return NAN;
        excess = value_of(&slow) - value_of(&base) - typical_ns;
        if (excess > 0 && sum + excess * piece >= nearly_all)
            return share + (nearly_all - sum) / excess;
        sum += excess * piece;
        share += piece;
        slow.left -= piece;
        base.left -= piece;
    }
    return NAN;
}

int mean_cost_estimate(struct mean_cost *mean, const struct series *op,
                       const struct series *null_calls, const struct resampling *resampling,
                       const struct interval *typical, double noise_ns, struct error *error)
{
    struct comparison rare;
    double *values = paired_differences(null_calls, op, BLOCK_MEAN, resampling->n, error);
    int code = values ? mean_interval(values, resampling->n, resampling->block, resampling->seed,
                                      &mean->cost, error)
                      : -ENOMEM;

    free(values);
    if (code)
        return code;
    comparison_of_intervals(&rare, typical, &mean->cost);
    mean->rare = rare.difference;
    mean->disagrees = mean->rare.low > 0 && mean->rare.estimate > noise_ns;
    mean->rare_share = mean_cost_rare_share(&op->histogram, &null_calls->histogram,
                                            typical->estimate, mean->rare.estimate);
    return 0;
}
