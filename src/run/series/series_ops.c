/* The series of the ops, and of the NULL calls that are their baseline. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nfs/objects/scratch.h"
#include "nfs/status.h"
#include "nfs/verify/read_back.h"
#include "run/local_run.h"
#include "run/mount_calls.h"
#include "run/series/listing_check.h"
#include "run/series/series.h"
#include "run/setup/setup_parts.h"

/* Return a message about the object that PROCEDURE needs and the export lacks; NULL: none. */
static const char *missing_object(const struct nfs_objects *objects,
                                  const struct nfs_procedure *procedure)
{
    if (procedure->object == NFS_OBJECT_FILE && !objects->has_file)
        return "no regular file was found at or below the target";
    if (procedure->object == NFS_OBJECT_SYMLINK && !objects->has_symlink)
        return "no symbolic link was found at or below the target";
    return NULL;
}

/* Try the op of the last series (nfs_call_try()), note the trial's duration, and set *STATUS to the
 * result's status. Returns 0 if STATUS is 0, otherwise a negative errno with ERROR set. */
static int call_last(struct series_set *set, int *status, struct error *error)
{
    struct run_series *series = series_set_last(set);
    int code = setup_connect(set->setup, series->service, error);
    const uint64_t began_ns = clock_raw_ns();

    *status = 0;
    if (code == 0)
        code = nfs_call_try(&series->call, set->setup->clients[series->service], status, error);
    series->tried_ns = clock_raw_ns() - began_ns;
    set->tried_ns += series->tried_ns;
    set->tried++;
    if (code || *status == 0)
        return code;
    if (series->call.findings.failure[0])
        return error_set(error, ERROR_FAILED, -EIO, "%s", series->call.findings.failure);
    return nfs_status_describe(*status, series->call.procedure->rpc.name, error);
}

static int try_op(struct series_set *set, bool from_group, struct error *error)
{
    int status, code = call_last(set, &status, error);

    if (code == 0 || !series_set_can_skip(set, from_group, code, error))
        return code;
    return series_skip_last(set, from_group, status, code, error);
}

/* Does PROCEDURE use the scratch directory because PLAN sets its number of entries? */
static bool reads_scratch(const struct run_plan *plan, const struct nfs_procedure *procedure)
{
    return plan->directory_size > 0 &&
           (procedure->object == NFS_OBJECT_NAME || procedure->object == NFS_OBJECT_DIRECTORY);
}

static struct nfs_objects *scratch_objects(struct series_set *set, struct error *error)
{
    struct nfs_objects *objects = series_set_copy_objects(set, error);

    if (!objects)
        return NULL;
    objects->directory = objects->scratch;
    objects->has_file = false;
    strcpy(objects->name, NFS_SCRATCH_FILE);
    strcpy(objects->directory_path, objects->scratch_path);
    strcpy(objects->file_path, objects->scratch_file_path);
    return objects;
}

static int add_op_series(struct series_set *set, const struct nfs_procedure *procedure,
                         struct error *error)
{
    struct series_request request = {.role = set->mix ? SERIES_MIX_OP : SERIES_OP,
                                     .name = procedure->op,
                                     .procedure = procedure};

    if (reads_scratch(set->plan, procedure)) {
        request.objects = scratch_objects(set, error);
        if (!request.objects)
            return -ENOMEM;
    }
    return series_set_add(set, &request, error);
}

static int add_op(struct series_set *set, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error);

/* Set *BASELINE to PROCEDURE's baseline, a series of NULL calls of NFS; a null pointer: the run has
 * none. A procedure of MOUNT gets the op mount-null instead, which is added if necessary, but NULL
 * of NFS if mount-null is skipped. FROM_GROUP: only a group named PROCEDURE. */
static int find_baseline(struct series_set *set, const struct nfs_procedure *procedure,
                         bool from_group, const struct run_series **baseline, struct error *error)
{
    const struct nfs_procedure *null_procedure = nfs_procedure_find("mount-null");
    const struct run_series *found;
    int code = 0;

    *baseline = set->baseline;
    if (procedure->service != SERVICE_MOUNT || procedure == null_procedure || !set->baseline)
        return 0;
    if (!series_set_find_op(set, null_procedure->op))
        code = add_op(set, null_procedure, from_group, error);
    found = series_set_find_op(set, null_procedure->op);
    if (found)
        *baseline = found;
    return code;
}

static int refuse_engine(struct series_set *set, const struct nfs_procedure *procedure,
                         bool from_group, struct error *error)
{
    if (from_group)
        return series_skip_op(set, procedure->op, "the engine can't make this call");
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "%s: engine %s can't make this call; use another --engine",
                     procedure->rpc.name, set->plan->engine->name);
}

/* Name NULLS, the baseline of OP, after OP: "readdir-null" for readdir-all. */
static int name_nulls(struct run_series *nulls, const char *op)
{
    if (asprintf(&nulls->own_name, "%.*s-null", (int)strcspn(op, "-"), op) < 0)
        nulls->own_name = NULL;
    if (nulls->own_name)
        nulls->name = nulls->own_name;
    return nulls->own_name ? 0 : -ENOMEM;
}

/* Add the baseline of OP, an op of several calls: as many NULL calls, one after the other. */
static int add_nulls(struct series_set *set, struct run_series *op, struct error *error)
{
    const struct series_request request = {SERIES_NULLS, "null",
                                           .procedure = nfs_procedure_find("null")};
    struct run_series *nulls;
    int status, code = series_set_add(set, &request, error);

    if (code)
        return code;
    nulls = series_set_last(set);
    if (name_nulls(nulls, op->name) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    op->baseline = nulls;
    code = nfs_call_repeat(&nulls->call, &op->call, error);
    return code ? code : call_last(set, &status, error);
}

static int skip_unprepared(struct series_set *set, const char *op,
                           const struct setup_failure *failure)
{
    char reason[SERIES_SKIP_REASON_SIZE];

    snprintf(reason, sizeof reason, "%s: %.480s", failure->what, failure->error.text);
    return series_skip_failed_op(set, op, reason, failure);
}

static int skip_missing_object(struct series_set *set, const struct nfs_procedure *procedure,
                               const char *missing, bool from_group, struct error *error)
{
    struct setup_failure failure = {.code = -ENOENT};

    if (from_group)
        return series_skip_op(set, procedure->op, missing);
    error_set(error, ERROR_FAILED, -ENOENT, "%s: %s; see --file", procedure->rpc.name, missing);
    failure.error = *error;
    return run_plan_skips_named(set->plan)
               ? series_skip_failed_op(set, procedure->op, missing, &failure)
               : -ENOENT;
}

static int add_op(struct series_set *set, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error)
{
    const struct engine_type *engine = set->plan->engine;
    const char *missing = missing_object(&set->setup->objects, procedure);
    const struct setup_failure *failure = setup_failure_of(set->setup, procedure);
    const struct run_series *baseline;
    struct run_series *series;
    int code;

    if (series_set_find_op(set, procedure->op)) /* the op was already added as a baseline */
        return 0;
    if (engine->makes && !engine->makes(&procedure->rpc))
        return refuse_engine(set, procedure, from_group, error);
    code = find_baseline(set, procedure, from_group, &baseline, error);
    if (code)
        return code;
    if (failure)
        return skip_unprepared(set, procedure->op, failure);
    if (missing)
        return skip_missing_object(set, procedure, missing, from_group, error);
    code = add_op_series(set, procedure, error);
    if (code)
        return code;
    series = series_set_last(set);
    series->baseline = baseline;
    code = try_op(set, from_group, error);
    if (code || !series_set_find_op(set, procedure->op)) /* OP was skipped */
        return code;
    code = listing_check(set, series, error);
    if (code)
        return code;
    if (procedure->sequence && baseline)
        return add_nulls(set, series, error);
    return series_add_local(set, procedure, error);
}

/* Add the baseline, a series named null, and, unless unwanted or at a low rate, its control. */
static int add_baseline(struct series_set *set, const struct nfs_procedure *null_procedure,
                        struct error *error)
{
    const struct series_request null = {SERIES_NULL, "null", .procedure = null_procedure};
    const struct series_request control = {SERIES_CONTROL, "null_control",
                                           .procedure = null_procedure};
    int status, code = series_set_add(set, &null, error);

    if (code == 0)
        code = call_last(set, &status, error);
    if (code)
        return code;
    set->baseline = series_set_last(set);
    if (set->plan->no_control || series_set_is_rate_low(set))
        return 0;
    code = series_set_add(set, &control, error);
    if (code == 0)
        code = call_last(set, &status, error);
    if (code == 0)
        set->control = series_set_last(set);
    return code;
}

static int add_mix(struct series_set *set, const struct nfs_procedure *null_procedure,
                   struct error *error)
{
    const struct series_request mix = {SERIES_MIX, "mix", .procedure = null_procedure};
    int code = series_set_add(set, &mix, error);

    if (code == 0)
        set->mix = series_set_last(set);
    return code;
}

static int reduce_mix(struct series_set *set, struct error *error)
{
    const struct run_plan *plan = set->plan;

    for (size_t i = 0; i < set->skipped_count; i++) {
        const struct series_skip *skip = &set->skipped[i];

        nfs_mix_remove(&set->mix_ops, skip->op);
        if (set->mix_ops.count > 0)
            run_plan_warn(plan, "mix:%.200s continues without %s: %s", plan->mix_name, skip->op,
                          skip->reason);
    }
    if (set->mix_ops.count > 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOENT,
                     "none of the ops of mix:%.200s can be measured here: %s: %s", plan->mix_name,
                     set->skipped[0].op, set->skipped[0].reason);
}

/* If the user asked for a pattern or --cold, check that an op has several places in files. */
static int check_places(const struct series_set *set, struct error *error)
{
    const struct nfs_working_set *working_set = &set->plan->working_set;
    char name[PATTERN_NAME_SIZE];

    if (!(working_set->chosen || working_set->once) || working_set->pattern.kind == PATTERN_SAME)
        return 0;
    for (size_t i = 0; i < set->count; i++)
        if (series_role(set->series[i])->is_op && set->series[i]->call.places.differ)
            return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "%s%s: the ops have only one file or block to access; give --tree, or --files "
                     "and --file-size, or for READ a longer --file",
                     working_set->chosen ? "--pattern " : "--cold",
                     working_set->chosen ? pattern_name(&working_set->pattern, name) : "");
}

int series_add_ops(struct series_set *set, struct error *error)
{
    const struct run_plan *plan = set->plan;
    bool all_wanted = plan->mix_name && plan->strict;
    const struct nfs_procedure *null_procedure = nfs_procedure_find("null");
    int code;

    if (plan->target.mounted)
        return plan->engine->mount->add_ops(set, error);
    code = plan->no_baseline ? 0 : add_baseline(set, null_procedure, error);
    if (code == 0 && plan->mix_name)
        code = add_mix(set, null_procedure, error);
    for (size_t i = 0; i < plan->op_count && code == 0; i++)
        if (plan->ops[i] != null_procedure || plan->no_baseline)
            code = add_op(set, plan->ops[i],
                          (plan->from_group[i] && !all_wanted) || plan->ops_optional, error);
    if (code == 0 && plan->mix_name)
        code = reduce_mix(set, error);
    if (code == 0 && plan->mix_name)
        code = series_add_local_mix(set, error);
    if (code == 0)
        code = series_set_check_left(set, error);
    return code ? code : check_places(set, error);
}
