/* Ops that fail in the middle of a run. The run continues without these ops. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/append.h"
#include "nfs/verify/read_back.h"
#include "run/series/series.h"

/* Would the run go on without FAILED? It needs another op, of the same mix if FAILED belongs to a
 * mix, or another session in the same rounds (OPS_OPTIONAL). */
static bool others_go_on(const struct series_set *set, const struct run_series *failed)
{
    if (set->plan->ops_optional && failed->role == SERIES_OP)
        return true;
    for (size_t i = 0; i < set->count; i++) {
        const struct run_series *series = set->series[i];

        if (series != failed && !series->failure && series->role == failed->role)
            return true;
    }
    return false;
}

static bool is_baseline(const struct series_set *set, const struct run_series *failed)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->series[i]->baseline == failed)
            return true;
    return false;
}

bool series_can_be_given_up(const struct series_set *set, const struct run_series *series, int code,
                            const struct error *error)
{
    return !set->plan->strict && series_role(series)->is_op && series_failure_is_own(code, error) &&
           others_go_on(set, series) && !is_baseline(set, series);
}

int series_give_up(struct run_series *series, struct error *error)
{
    series->failure = strdup(error->text);
    if (series->failure)
        return -ECANCELED;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a message");
}

int series_set_give_up(struct series_set *set, struct run_series *series, int code,
                       struct error *error)
{
    if (!series_can_be_given_up(set, series, code, error))
        return code;
    code = series_give_up(series, error);
    if (code != -ECANCELED)
        return code;
    series_set_warn_of_failed(set, series);
    return 0;
}

void series_set_warn_of_failed(const struct series_set *set, const struct run_series *series)
{
    run_plan_warn(set->plan, "%s failed, and the run continues without it: %s", series->name,
                  series->failure);
}

bool series_lacks_rounds(const struct run_series *series, const struct rounds *rounds,
                         const struct series *measured)
{
    return series->failure && measured->kept_to < rounds->done;
}

void series_describe_failure(const struct run_series *series, const struct series *measured,
                             char reason[SERIES_SKIP_REASON_SIZE])
{
    const struct histogram *calls = &measured->histogram;

    snprintf(reason, SERIES_SKIP_REASON_SIZE, "failed in the rounds, ");
    if (calls->count > 0)
        append(reason, SERIES_SKIP_REASON_SIZE,
               "after %llu calls that took %.2f us (p50): ", (unsigned long long)calls->count,
               histogram_quantile(calls, 0.5) / 1e3);
    else
        append(reason, SERIES_SKIP_REASON_SIZE, "before the first one was complete: ");
    append(reason, SERIES_SKIP_REASON_SIZE, "%.400s", series->failure);
}

void series_set_leave_out(struct series_set *set, size_t index, const char *reason)
{
    struct series_skip *skip = &set->skipped[set->skipped_count++];

    skip->op = set->series[index]->name;
    skip->in_rounds = true;
    snprintf(skip->reason, sizeof skip->reason, "%s", reason);
    series_set_remove(set, index);
}

bool series_failure_is_own(int code, const struct error *error)
{
    if (code == -EINTR || code == -ENOMEM || code == -EMSGSIZE || code == -NFS_NOT_AS_WRITTEN ||
        code == -ENGINE_MISMATCH)
        return false;
    return error->kind == ERROR_FAILED || code == -EPROTONOSUPPORT || code == -EPROTO;
}
