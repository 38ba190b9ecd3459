#include "run/intervals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int intervals_begin(struct intervals *intervals, const struct series_set *set, uint64_t length_ns)
{
    *intervals = (struct intervals){.length_ns = length_ns, .count = set->count};
    if (length_ns == 0)
        return 0;
    intervals->series = calloc(set->count, sizeof *intervals->series);
    intervals->ops = calloc(set->count, sizeof *intervals->ops);
    intervals->began_ns = intervals->last_ns = clock_raw_ns();
    if (intervals->series && intervals->ops)
        return 0;
    intervals_free(intervals);
    return -ENOMEM;
}

const struct heat_map *intervals_map(const struct intervals *intervals, size_t index)
{
    bool known = intervals->series && index < intervals->count;

    return known && intervals->series[index].map.columns > 0 ? &intervals->series[index].map : NULL;
}

void intervals_free(struct intervals *intervals)
{
    free(intervals->series);
    free(intervals->ops);
    *intervals = (struct intervals){.count = 0};
}

/* Set OP's latencies from the samples in NOW but not in LAST, and add them to LAST's heat map. */
static void set_interval_latencies(struct interval_op *op, const struct histogram *now,
                                   struct interval_series *last, const struct interval_report *made)
{
    static struct histogram part;

    histogram_difference(&part, now, &last->histogram);
    heat_map_add(&last->map, made->began_s, made->ended_s, &part);
    op->timed = part.count;
    op->mean = part.count ? part.mean : NAN;
    op->p50 = part.count ? histogram_quantile(&part, 0.5) : NAN;
    op->p90 = part.count ? histogram_quantile(&part, 0.9) : NAN;
    op->p99 = part.count ? histogram_quantile(&part, 0.99) : NAN;
    op->p999 = part.count ? histogram_quantile(&part, 0.999) : NAN;
    op->maximum = part.count ? part.maximum : NAN;
}

/* Set OP to the measurements of SERIES since LAST, and LAST to the current state of SERIES. */
static void set_interval_op(struct interval_op *op, struct interval_series *last,
                            const struct run_series *series, const struct series *measured,
                            const struct interval_report *made)
{
    const struct engine_tally *tally = &series->tally;

    *op = (struct interval_op){.op = series->name,
                               .calls = measured->calls - last->calls,
                               .failed = tally->failed - last->failed,
                               .resent = tally->counts.retransmissions - last->resent};
    set_interval_latencies(op, &measured->histogram, last, made);
    last->histogram = measured->histogram;
    last->calls = measured->calls;
    last->failed = tally->failed;
    last->resent = tally->counts.retransmissions;
    last->elapsed_ns = measured->elapsed_ns;
}

/* Set OP's rates. SERIES, or the mix that it is a part of, made the calls in ELAPSED_NS. */
static void set_interval_rates(struct interval_op *op, const struct run_series *series,
                               uint64_t elapsed_ns)
{
    const double bytes = series->role == SERIES_MIX ? 0 : nfs_call_data_bytes(&series->call);

    op->rate_per_s = elapsed_ns ? (double)op->calls * 1e9 / (double)elapsed_ns : 0;
    op->megabytes_per_s = bytes > 0 ? op->rate_per_s * bytes / 1e6 : NAN;
}

static bool is_reported(const struct run_series *series)
{
    return series_role(series)->in_result && series->role != SERIES_CONTROL;
}

static bool has_calls(const struct interval_report *made)
{
    for (size_t i = 0; i < made->op_count; i++)
        if (made->ops[i].calls > 0)
            return true;
    return false;
}

static void report_interval(struct intervals *intervals, const struct series_set *set,
                            const struct rounds *rounds, uint64_t now)
{
    const struct run_observer *observer = set->plan->observer;
    struct interval_report made = {.target = set->plan->target_text,
                                   .at = time(NULL),
                                   .began_s =
                                       (double)(intervals->last_ns - intervals->began_ns) / 1e9,
                                   .ended_s = (double)(now - intervals->began_ns) / 1e9,
                                   .ops = intervals->ops};
    uint64_t elapsed_ns = 0;

    for (size_t i = 0; i < intervals->count; i++) {
        const struct run_series *series = set->series[i];
        struct interval_op *op = &intervals->ops[made.op_count];

        if (!is_reported(series))
            continue;
        if (series->role != SERIES_MIX_OP) /* a mix's ops follow the mix */
            elapsed_ns = rounds->series[i].elapsed_ns - intervals->series[i].elapsed_ns;
        set_interval_op(op, &intervals->series[i], series, &rounds->series[i], &made);
        set_interval_rates(op, series, elapsed_ns);
        made.op_count++;
    }
    intervals->last_ns = now;
    if (has_calls(&made))
        observer->interval(observer->context, &made);
}

void intervals_look(struct intervals *intervals, const struct series_set *set,
                    const struct rounds *rounds, bool last)
{
    const struct run_observer *observer = set->plan->observer;
    uint64_t now;

    if (!intervals->series || !observer || !observer->interval)
        return;
    now = clock_raw_ns();
    if (last || now - intervals->last_ns >= intervals->length_ns)
        report_interval(intervals, set, rounds, now);
}
