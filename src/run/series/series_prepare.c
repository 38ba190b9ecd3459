/* Prepares a series' calls before a block, clears up after it, and measures how long that takes. */
#include "run/local_run.h"
#include "run/mount_calls.h"
#include "run/series/series.h"

static int prepare_calls(struct series_set *set, struct run_series *series, size_t count,
                         struct error *error)
{
    if (series->mounted)
        return set->plan->engine->mount->prepare(set, series, count, error);
    if (series->role == SERIES_ECHO)
        return 0;
    if (series->role == SERIES_LOCAL)
        return local_run_prepare(set, series, count, error);
    return nfs_call_prepare(&series->call, count, set->setup->clients[SERVICE_NFS], error);
}

/* Return how many of COUNT calls of SERIES need their own preparation; at least 1, as a divisor. */
static double count_prepared(const struct run_series *series, size_t count)
{
    const size_t own = series->mounted ? count : nfs_call_count_own(&series->call, count);

    return own > 1 ? (double)own : 1;
}

double series_preparation_ns(const struct run_series *series, size_t count)
{
    const double own = count_prepared(series, count);

    if (series->preparation_ns > 0 || !nfs_call_needs_preparation(&series->call))
        return own * series->preparation_ns;
    return own * (double)series->tried_ns;
}

int series_set_prepare(struct series_set *set, struct run_series *series, size_t count,
                       struct error *error)
{
    const uint64_t began = clock_raw_ns();
    int code = prepare_calls(set, series, count, error);

    series->used = 0;
    series->preparation_ns = (double)(clock_raw_ns() - began) / count_prepared(series, count);
    return code;
}

static int clear_calls(struct series_set *set, const struct run_series *series, size_t count,
                       struct error *error)
{
    if (series->mounted)
        return set->plan->engine->mount->clear(set, series, count, error);
    if (series->role == SERIES_LOCAL || series->role == SERIES_ECHO)
        return 0;
    return nfs_call_clear(&series->call, count, set->setup->clients[SERVICE_NFS], error);
}

int series_set_clear(struct series_set *set, struct run_series *series, size_t count,
                     struct error *error)
{
    const uint64_t began = clock_raw_ns();
    int code = clear_calls(set, series, count, error);

    if (count > 0)
        series->preparation_ns += (double)(clock_raw_ns() - began) / count_prepared(series, count);
    return code;
}
