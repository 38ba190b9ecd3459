/* Makes the series of a run on a mount: one for each op and baseline, and the null control. */
#include <errno.h>
#include <stdlib.h>

#include "engine/mounted/mounted_run.h"
#include "nfs/status.h"

enum { TRIED_CALLS = 5 };

static int try_series(struct series_set *set, struct run_series *series, struct error *error)
{
    uint64_t ticks[TRIED_CALLS];
    struct block block = {.count = TRIED_CALLS, .ticks = ticks};
    struct engine_tally tally = {.failed = 0};
    char name[NFS_STATUS_NAME_SIZE];
    int code = series_set_prepare(set, series, block.count, error), cleared;

    if (code == 0)
        code = mounted_run_block(set, series, &block, &tally, error);
    cleared =
        series_set_clear(set, series, block.count, code ? &(struct error){.text = ""} : error);
    if (code || cleared || tally.failed == 0)
        return code ? code : cleared;
    return error_set(error, ERROR_FAILED, -EIO, "%s: %s failed: %s", series->name,
                     series->mounted->operation->system_call,
                     nfs_status_name(tally.errors[0].status, name));
}

static int add_series(struct series_set *set, enum series_role role, const char *name,
                      const struct mounted_operation *operation,
                      const struct nfs_procedure *procedure, struct error *error)
{
    struct series_request request = {.role = role, .name = name, .procedure = procedure};
    int code;

    request.mounted = calloc(1, sizeof *request.mounted);
    if (!request.mounted)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    request.mounted->operation = operation;
    code = series_set_add(set, &request, error);
    if (code)
        return code;
    series_set_last(set)->call.engine.operation = operation;
    return try_series(set, series_set_last(set), error);
}

static int add_baseline(struct series_set *set, struct error *error)
{
    const struct mounted_operation *cached = mounted_operation_find(MOUNTED_CACHED);
    const struct nfs_procedure *none = nfs_procedure_find("null");
    int code = add_series(set, SERIES_NULL, cached->op, cached, none, error);

    if (code)
        return code;
    set->baseline = series_set_last(set);
    code = add_series(set, SERIES_CONTROL, "cached_control", cached, none, error);
    if (code == 0)
        set->control = series_set_last(set);
    return code;
}

/* Return the series of OPERATION's baseline. Add this series if it does not exist. Baselines are
 * added after all ops, so that an op has the same index in both results of a comparison. If the
 * baseline can't be measured, warn and return the series of MOUNTED_CACHED. Example: with the mount
 * option noac, the client sends a GETATTR before it reads its cache. */
static const struct run_series *find_baseline(struct series_set *set,
                                              const struct mounted_operation *operation)
{
    const struct mounted_operation *baseline = mounted_operation_find(operation->baseline);
    struct run_series *found = series_set_find_op(set, operation->baseline);
    size_t count = set->count;
    struct error error;

    if (!set->baseline || strcmp(operation->baseline, MOUNTED_CACHED) == 0)
        return set->baseline;
    if (found)
        return found;
    if (add_series(set, SERIES_OP, baseline->op, baseline, nfs_procedure_find("null"), &error) == 0)
        return series_set_last(set);
    while (set->count > count)
        series_set_drop_last(set);
    run_plan_warn(set->plan, "the baseline of %s is %s: %s", operation->op, set->baseline->name,
                  error.text);
    return set->baseline;
}

static const char *reason_against(const struct series_set *set,
                                  const struct mounted_operation *operation)
{
    if (!operation)
        return "no system call sends only this call; see doc/MOUNTED.md, or name the server as "
               "host:/export";
    if (set->setup->on_mount->file_system.is_file && operation->object == OPERATION_SCRATCH)
        return "the target is a file, which is only read; name a directory";
    if (set->plan->mount_others && !operation->repeats)
        return "--clients on a mount is for getattr, read, write and fsstat, whose calls several "
               "processes can repeat";
    return NULL;
}

static int add_op(struct series_set *set, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error)
{
    const struct mounted_operation *operation = mounted_operation_find(procedure->op);
    const char *why = reason_against(set, operation);
    size_t count = set->count;
    struct setup_failure failure;
    int code;

    if (why && from_group)
        return series_skip_op(set, procedure->op, why);
    if (why)
        return error_set(error, ERROR_USAGE, -ENOTSUP, "%s: %s", procedure->op, why);
    code = add_series(set, SERIES_OP, procedure->op, operation, procedure, error);
    if (code == 0 || !series_set_can_skip(set, from_group, code, error))
        return code;
    while (set->count > count)
        series_set_drop_last(set);
    failure = (struct setup_failure){.code = code, .error = *error};
    return series_skip_failed_op(set, procedure->op, error->text, &failure);
}

int mounted_add_ops(struct series_set *set, struct error *error)
{
    const struct run_plan *plan = set->plan;
    int code = plan->no_baseline ? 0 : add_baseline(set, error);
    size_t count;

    for (size_t i = 0; i < plan->op_count && code == 0; i++)
        code = add_op(set, plan->ops[i], plan->from_group[i] || plan->ops_optional, error);
    count = set->count;
    for (size_t i = 0; i < count && code == 0 && set->baseline; i++)
        if (set->series[i]->role == SERIES_OP)
            set->series[i]->baseline = find_baseline(set, set->series[i]->mounted->operation);
    return code ? code : series_set_check_left(set, error);
}
