/* The series of a run on a mount, and their blocks. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mounted/caller.h"
#include "nfs/status.h"
#include "run/series/series.h"
#include "run/setup/mounted_setup.h"

enum { BLOCK_TRIES = 5, TRIED_CALLS = 5 };

/* Blocks */

static struct mountstats expected_of(const struct mounted_operation *operation, uint64_t calls)
{
    struct mountstats expected = {0};

    if (operation->procedure != OPERATION_NO_RPC)
        expected.counters[operation->procedure][MOUNTSTATS_CALLS] = calls;
    if (operation->second)
        expected.counters[operation->second][MOUNTSTATS_CALLS] = calls;
    return expected;
}

static bool is_as_expected(const struct mounted_operation *operation, const struct mountstats *sent,
                           uint64_t calls)
{
    struct mountstats expected = expected_of(operation, calls);

    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++)
        if (sent->counters[i][MOUNTSTATS_CALLS] != expected.counters[i][MOUNTSTATS_CALLS])
            return false;
    return true;
}

static int read_mountstats(const struct series_set *set, struct mountstats *stats,
                           struct error *error)
{
    const char *point = set->setup->mounted_at.point;
    int code = mountstats_read(point, stats);

    return code == 0 ? 0
                     : error_set(error, ERROR_UNREACHABLE, code,
                                 "/proc/self/mountstats has no statistics of NFSv3 for %.200s any "
                                 "more: %s; was it unmounted?",
                                 point, strerror(-code));
}

/* Count what the calls of a block sent, all of them or none. Sets *GOOD. What a call that fails has
 * sent is not known (one of a stale handle sends nothing from the second on), so that a block with
 * such calls counts as it is, but not in what the RPCs' means are of. */
static int run_once(struct series_set *set, struct run_series *series, struct block *block,
                    struct engine_tally *tally, bool *good, struct error *error)
{
    struct mounted_series *mounted = &series->mounted;
    struct mountstats before, after, sent = {0};
    struct engine_tally added = {.failed = 0};
    int code = read_mountstats(set, &before, error);
    uint64_t calls;

    if (code == 0)
        code = series_run_watched(set, series, set->engines[SERVICE_NFS], &series->call.engine,
                                  block, &added, error);
    if (code == 0)
        code = read_mountstats(set, &after, error);
    if (code)
        return code;
    mountstats_add(&sent, &before, &after);
    calls = block->count + caller_others(set->setup->caller);
    *good = block->is_cut || is_as_expected(mounted->operation, &sent, calls);
    if (block->is_cut)
        return 0;
    if (!*good && added.failed > 0) {
        *good = true;
        engine_tally_add(tally, &added);
        return 0;
    }
    if (!*good) {
        mounted->discarded++;
        mountstats_describe(&sent, mounted->instead, sizeof mounted->instead);
        return 0;
    }
    mountstats_add(&mounted->sent, &before, &after);
    mounted->calls += calls;
    engine_tally_add(tally, &added);
    return 0;
}

static int prepare_again(struct series_set *set, struct run_series *series, size_t count,
                         struct error *error)
{
    int code = series_set_clear(set, series, count, error);

    return code ? code : series_set_prepare(set, series, count, error);
}

static int refuse_block(const struct series_set *set, const struct run_series *series, size_t count,
                        struct error *error)
{
    const struct mounted_operation *operation = series->mounted.operation;
    struct mountstats stats = expected_of(operation, count);
    const char *change = mounted_setup_change(set->setup);
    char expected[80];

    mountstats_describe(&stats, expected, sizeof expected);
    return error_set(error, ERROR_FAILED, -EPROTO,
                     "%s: %zu calls of %s on %.100s should send %s, and these were sent: %s; %s%s",
                     series->name, count, operation->system_call, set->setup->mounted_at.point,
                     expected, series->mounted.instead,
                     change             ? change
                     : operation->needs ? "it needs a mount with -o "
                                        : "is the mount in use?",
                     operation->needs && !change ? operation->needs : "");
}

int mounted_run_block(struct series_set *set, struct run_series *series, struct block *block,
                      struct engine_tally *tally, struct error *error)
{
    bool good = false;
    int code = 0;

    for (int i = 0; i < BLOCK_TRIES && code == 0 && !good; i++) {
        if (i > 0)
            code = prepare_again(set, series, block->count, error);
        if (code == 0)
            code = run_once(set, series, block, tally, &good, error);
    }
    return code || good ? code : refuse_block(set, series, block->count, error);
}

void mounted_run_begin(struct mounted_series *series)
{
    *series = (struct mounted_series){.operation = series->operation};
}

/* Series */

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
                     series->mounted.operation->system_call,
                     nfs_status_name(tally.errors[0].status, name));
}

static int add(struct series_set *set, enum series_role role, const char *name,
               const struct mounted_operation *operation, const struct nfs_procedure *procedure,
               struct error *error)
{
    const struct series_request request = {
        .role = role, .name = name, .procedure = procedure, .operation = operation};
    int code = series_set_add(set, &request, error);

    return code ? code : try_series(set, series_set_last(set), error);
}

static int add_baseline(struct series_set *set, struct error *error)
{
    const struct mounted_operation *cached = mounted_operation_find(MOUNTED_CACHED);
    const struct nfs_procedure *none = nfs_procedure_find("null");
    int code = add(set, SERIES_NULL, cached->op, cached, none, error);

    if (code)
        return code;
    set->baseline = series_set_last(set);
    code = add(set, SERIES_CONTROL, "cached_control", cached, none, error);
    if (code == 0)
        set->control = series_set_last(set);
    return code;
}

/* The series of OPERATION's baseline, which is made, after all ops (so that these stand where those
 * of another side stand), if there is none yet; where it can't be had (noac: the client asks for
 * attributes before it reads from its cache), the usual one. */
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
    if (add(set, SERIES_OP, baseline->op, baseline, nfs_procedure_find("null"), &error) == 0)
        return series_set_last(set);
    while (set->count > count)
        series_set_drop_last(set);
    run_plan_warn(set->plan, "%s is above %s: %s", operation->op, set->baseline->name, error.text);
    return set->baseline;
}

/* Why OPERATION can't be measured on this target; NULL: it can. */
static const char *reason_against(const struct series_set *set,
                                  const struct mounted_operation *operation)
{
    if (!operation)
        return "no system call sends it alone; see doc/MOUNTED.md, or name the server as "
               "host:/export";
    if (set->setup->file_system.is_file && operation->object == OPERATION_SCRATCH)
        return "the target is a file, which is only read; name a directory";
    if (set->plan->mount_others && !operation->repeats)
        return "--clients on a mount is for getattr, read and fsstat, whose calls other processes "
               "can repeat";
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
    code = add(set, SERIES_OP, procedure->op, operation, procedure, error);
    if (code == 0 || !series_set_can_skip(set, from_group, code, error))
        return code;
    while (set->count > count)
        series_set_drop_last(set);
    failure = (struct setup_failure){.code = code, .error = *error};
    return series_skip_failed_op(set, procedure->op, error->text, &failure);
}

int mounted_run_add_ops(struct series_set *set, struct error *error)
{
    const struct run_plan *plan = set->plan;
    int code = plan->no_baseline ? 0 : add_baseline(set, error);
    size_t count;

    for (size_t i = 0; i < plan->op_count && code == 0; i++)
        code = add_op(set, plan->ops[i], plan->from_group[i] || plan->ops_optional, error);
    count = set->count;
    for (size_t i = 0; i < count && code == 0 && set->baseline; i++)
        if (set->series[i]->role == SERIES_OP)
            set->series[i]->baseline = find_baseline(set, set->series[i]->mounted.operation);
    return code ? code : series_set_check_left(set, error);
}
