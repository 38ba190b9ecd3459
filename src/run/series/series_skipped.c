/* Ops that can't be measured, such as those whose first call fails: the run continues. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nfs/status.h"
#include "run/series/series.h"
#include "run/setup/setup_parts.h"

static void add_skip(struct series_set *set, const char *op, const char *reason, bool doubted)
{
    struct series_skip *added = &set->skipped[set->skipped_count];

    if (series_set_find_skip(set, op)) /* OP was already skipped as a baseline */
        return;
    set->skipped_count++;
    added->op = op;
    added->doubted = doubted;
    snprintf(added->reason, sizeof added->reason, "%s", reason);
}

int series_skip_op(struct series_set *set, const char *op, const char *reason)
{
    add_skip(set, op, reason, false);
    return 0;
}

int series_skip_failed_op(struct series_set *set, const char *op, const char *reason,
                          const struct setup_failure *failure)
{
    add_skip(set, op, reason, true);
    if (set->first_failure.code == 0)
        set->first_failure = *failure;
    return 0;
}

bool series_set_can_skip(const struct series_set *set, bool from_group, int code,
                         const struct error *error)
{
    return (from_group || run_plan_skips_named(set->plan)) &&
           setup_goes_on(set->setup, code, error);
}

/* Does SET have a series for PROCEDURE? The baseline is in SET even if it is not a requested op. */
static bool is_left(const struct series_set *set, const struct nfs_procedure *procedure)
{
    const bool is_baseline = set->baseline && strcmp(procedure->op, set->baseline->name) == 0;

    return is_baseline || series_set_find_op(set, procedure->op);
}

int series_set_check_left(const struct series_set *set, struct error *error)
{
    const struct run_plan *plan = set->plan;

    if (plan->ops_optional)
        return 0;
    for (size_t i = 0; i < plan->op_count; i++)
        if (is_left(set, plan->ops[i]))
            return 0;
    if (set->first_failure.code) {
        *error = set->first_failure.error;
        return set->first_failure.code;
    }
    if (set->count > 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOENT, "none of the ops can be measured here");
}

static bool is_lack(int status)
{
    switch (status) {
    case NFS3ERR_NOTSUPP:
    case NFS3ERR_PERM:
    case NFS3ERR_ACCES:
    case NFS3ERR_ROFS:
    case NFS3ERR_INVAL:
    case NFS3ERR_BADTYPE:
    case -(int)RPC_OUTCOME_PROC_UNAVAIL:
    case -(int)RPC_OUTCOME_PROG_UNAVAIL:
    case -(int)RPC_OUTCOME_PROG_MISMATCH:
        return true;
    default:
        return status >= NFS_MOUNT_STATUS && status < ENGINE_SYSTEM_ERROR;
    }
}

static void describe_skip(const struct run_series *series, int status, int code,
                          const struct error *error, char reason[SERIES_SKIP_REASON_SIZE])
{
    char name[NFS_STATUS_NAME_SIZE];
    const size_t size = SERIES_SKIP_REASON_SIZE;

    if (nfs_status_finding(status) || (series->call.findings.failure[0] && !is_lack(status)))
        snprintf(reason, size, "%s", error->text);
    else if (status != 0)
        snprintf(reason, size, "%s", nfs_status_name(status, name));
    else if (code == -EBADMSG)
        snprintf(reason, size, "its result can't be decoded (RPC_CANTDECODERES)");
    else if (error->kind == ERROR_UNREACHABLE)
        snprintf(reason, size, "%s: %.480s", series->call.procedure->rpc.name, error->text);
    else
        snprintf(reason, size, "its set-up or clean-up failed: %.480s", error->text);
}

int series_skip_last(struct series_set *set, bool from_group, int status, int code,
                     const struct error *error)
{
    const struct run_series *series = series_set_last(set);
    const struct setup_failure failure = {.code = code, .error = *error};
    char reason[SERIES_SKIP_REASON_SIZE];

    describe_skip(series, status, code, error, reason);
    if (from_group && status == 0 && series->service == SERVICE_PORTMAP)
        series_skip_op(set, series->name, "the port mapper can't be reached");
    else if (from_group && is_lack(status))
        series_skip_op(set, series->name, reason);
    else
        series_skip_failed_op(set, series->name, reason, &failure);
    series_set_drop_last(set);
    return 0;
}
