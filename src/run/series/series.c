#include "run/series/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "measure/statistics/estimate.h"
#include "measure/validity.h"
#include "nfs/status.h"
#include "run/ledger_run.h"
#include "run/load_run.h"
#include "run/local_run.h"
#include "run/series/listing_check.h"
#include "run/time_use.h"

const struct series_role_type series_roles[SERIES_ROLES] = {
    [SERIES_NULL] = {.in_result = true, .counted = true},
    [SERIES_CONTROL] = {.in_result = true},
    [SERIES_MIX] = {.in_result = true, .awaited = true},
    [SERIES_MIX_OP] = {.is_op = true, .in_result = true, .counted = true, .in_mix = true},
    [SERIES_OP] = {.is_op = true, .in_result = true, .counted = true, .awaited = true},
    [SERIES_LOCAL] = {.in_result = true, .counted = true},
    [SERIES_NULLS] = {.in_result = true, .counted = true},
    [SERIES_CALL_LENGTH] = {.of_model = true},
    [SERIES_REPLY_LENGTH] = {.of_model = true},
    [SERIES_PAUSE] = {.of_model = true},
};

/* Series */

/* Over UDP a call is sent again when its reply takes longer than the timeout, over TCP only when
 * the connection was lost. */
static int refuse_resent_block(const struct run_plan *plan, const struct run_series *series,
                               struct error *error)
{
    const double timeout_s = (double)plan->timeout_ns / 1e9;

    if (plan->target.transport == TRANSPORT_TCP)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "every call of a block of %s was sent again, since its connection was "
                         "lost, so none can be timed; --count-resent times such calls, too",
                         series->name);
    return error_set(error, ERROR_FAILED, -ENODATA,
                     "every call of a block of %s was sent again, since no reply came within "
                     "--timeout, %g s, so none can be timed; if the server takes longer than that, "
                     "use --timeout %gs",
                     series->name, timeout_s, 3 * timeout_s);
}

int series_failed_block_error(const struct run_plan *plan, const struct run_series *series,
                              struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE], listing[LISTING_CHECK_TEXT];
    const struct engine_tally *tally = &series->tally;
    const char *finding;
    int status;

    if (tally->error_kinds == 0)
        return refuse_resent_block(plan, series, error);
    status = tally->errors[tally->error_kinds - 1].status;
    finding = nfs_status_finding(status);
    if ((status == NFS3ERR_BAD_COOKIE || status == NFS_COOKIE_REPEATED) &&
        listing_check_describe_timed(series, listing))
        finding = listing;
    if (finding)
        return error_set(error, ERROR_FAILED, -ENODATA, "every call of a block of %s failed: %s",
                         series->name, finding);
    return error_set(
        error, ERROR_FAILED, -ENODATA, "every call of a block of %s failed; %s %s%s", series->name,
        series->role == SERIES_LOCAL ? "the file system answers" : "the server answers",
        nfs_status_name(status, name), nfs_status_hint(status));
}

static void free_series(struct run_series *series)
{
    nfs_call_free(&series->call);
    if (series->load)
        timeline_free(&series->load->timeline);
    free(series->failure);
    free(series->own_name);
    free(series->own_objects);
    free(series->own_identity);
    free(series);
}

/* Set */

/* The largest number of consecutive calls: in a block, in a stretch of the ledger, or in a trial.
 */
static size_t variants_needed(const struct run_plan *plan)
{
    size_t block = plan->block                 ? plan->block
                   : run_plan_makes_load(plan) ? load_block(&plan->load, plan->calls)
                                               : ROUNDS_BLOCK;

    return block > LEDGER_RUN_CALLS_MAXIMUM ? block : LEDGER_RUN_CALLS_MAXIMUM;
}

static int make_room(struct series_set *set, struct error *error)
{
    struct run_series **series =
        array_grow(set->series, set->count, &set->capacity, 16, sizeof *series);

    if (!series)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    set->series = series;
    return 0;
}

/* The series of a mix has no call of its own. */
static int make_call(const struct series_set *set, struct run_series *series,
                     const struct nfs_procedure *procedure, struct error *error)
{
    const struct nfs_objects *objects =
        series->own_objects ? series->own_objects : &set->setup->objects;
    const struct identity *identity =
        series->own_identity ? series->own_identity : &set->plan->identity;

    int code = 0;

    if (series->role != SERIES_MIX && !series->mounted.operation)
        code = nfs_call_make(&series->call, procedure, objects, identity,
                             variants_needed(set->plan), error);
    series->call.procedure = procedure;
    series->call.objects = objects;
    series->call.engine.operation = series->mounted.operation;
    series->call.engine.strict = set->plan->strict;
    return code;
}

int series_set_add(struct series_set *set, const struct series_request *request,
                   struct error *error)
{
    struct run_series *series = calloc(1, sizeof *series);
    int code = series ? make_room(set, error) : -ENOMEM;

    if (!series) {
        free(request->objects);
        free(request->identity);
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    }
    series->role = request->role;
    series->index = set->count;
    series->name = request->name;
    series->service = request->procedure->service;
    series->baseline = set->baseline;
    series->own_objects = request->objects;
    series->own_identity = request->identity;
    series->mounted.operation = request->operation;
    if (code == 0)
        code = make_call(set, series, request->procedure, error);
    if (code)
        free_series(series);
    else
        set->series[set->count++] = series;
    return code;
}

void series_set_remove(struct series_set *set, size_t index)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->series[i]->call.repeated_as == &set->series[index]->call)
            set->series[i]->call.repeated_as = NULL;
    free_series(set->series[index]);
    set->count--;
    for (size_t i = index; i < set->count; i++) {
        set->series[i] = set->series[i + 1];
        set->series[i]->index = i;
    }
}

void series_set_drop_last(struct series_set *set)
{
    series_set_remove(set, set->count - 1);
}

struct run_series *series_set_last(const struct series_set *set)
{
    return set->series[set->count - 1];
}

struct nfs_objects *series_set_copy_objects(const struct series_set *set, struct error *error)
{
    struct nfs_objects *copy = malloc(sizeof *copy);

    if (copy)
        *copy = set->setup->objects;
    else
        error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    return copy;
}

struct run_series *series_set_find_op(const struct series_set *set, const char *op)
{
    for (size_t i = 0; i < set->count; i++)
        if (series_role(set->series[i])->is_op && strcmp(set->series[i]->name, op) == 0)
            return set->series[i];
    return NULL;
}

bool series_set_has_sequence(const struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->series[i]->role == SERIES_OP && set->series[i]->call.procedure->sequence)
            return true;
    return false;
}

const struct series_skip *series_set_find_skip(const struct series_set *set, const char *op)
{
    for (size_t i = 0; i < set->skipped_count; i++)
        if (strcmp(set->skipped[i].op, op) == 0)
            return &set->skipped[i];
    return NULL;
}

const char *series_set_skip_reason(const struct series_set *set, const char *op)
{
    const struct series_skip *skip = series_set_find_skip(set, op);

    return skip ? skip->reason : NULL;
}

static int open_engine(struct series_set *set, enum service_kind service, struct error *error)
{
    struct channel_options options = setup_channel_options(set->plan, service);
    struct engine_config config = {.endpoint = setup_endpoint(set->setup, service),
                                   .channel = setup_secure(set->setup, service, &options),
                                   .clock = set->clock,
                                   .load = set->plan->load,
                                   .count_resent = set->plan->count_resent,
                                   .caller = set->setup->caller};

    config.channel.deadline = set->plan->deadline;
    return set->engines[service]
               ? 0
               : engine_open(&set->engines[service], set->plan->engine, &config, error);
}

int series_set_open(struct series_set *set, struct setup *setup, const struct clock *clock,
                    struct error *error)
{
    int code;

    *set = (struct series_set){
        .plan = setup->plan, .setup = setup, .clock = clock, .mix_ops = setup->plan->mix};
    /* All ops, and a baseline that is not among them. */
    set->skipped = calloc(set->plan->op_count + 1, sizeof *set->skipped);
    if (!set->skipped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the series");
    if (set->plan->target.mounted)
        code = open_engine(set, SERVICE_NFS, error); /* which tries the ops, too */
    else
        code = 0;
    if (code == 0)
        code = series_add_ops(set, error);
    set->model_untried = !time_use_tries_model(set);
    if (code == 0 && !set->model_untried)
        code = series_add_model(set, error);
    for (size_t i = 0; i < set->count && code == 0; i++)
        code = open_engine(set, set->series[i]->service, error);
    setup_lift_deadline(setup);
    return setup_note_time(set->plan, code, error);
}

void series_set_close(struct series_set *set)
{
    for (size_t i = 0; i < SERVICES; i++)
        engine_close(set->engines[i]);
    engine_close(set->local_engine);
    while (set->count > 0)
        series_set_drop_last(set);
    free(set->series);
    free(set->skipped);
    memset(set, 0, sizeof *set);
}

/* Calls */

struct engine *series_set_engine(const struct series_set *set, const struct run_series *series)
{
    return series->role == SERIES_LOCAL ? set->local_engine : set->engines[series->service];
}

int series_set_run(struct series_set *set, struct run_series *series, struct block *block,
                   struct engine_tally *tally, struct error *error)
{
    if (series->mounted.operation)
        return mounted_run_block(set, series, block, tally, error);
    return series_run_watched(set, series, series_set_engine(set, series), &series->call.engine,
                              block, tally, error);
}

static int prepare(struct series_set *set, struct run_series *series, size_t count,
                   struct error *error)
{
    if (series->mounted.operation)
        return caller_prepare(set->setup->caller, series->mounted.operation, count, error);
    if (series->role == SERIES_LOCAL)
        return local_run_prepare(series, count, error);
    return nfs_call_prepare(&series->call, count, set->setup->clients[SERVICE_NFS], error);
}

/* How many of COUNT calls of SERIES are prepared each by itself; 1 at least. */
static double count_prepared(const struct run_series *series, size_t count)
{
    const size_t own = series->mounted.operation ? count : nfs_call_count_own(&series->call, count);

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
    int code = prepare(set, series, count, error);

    series->used = 0;
    series->preparation_ns = (double)(clock_raw_ns() - began) / count_prepared(series, count);
    return code;
}

static int clear(struct series_set *set, const struct run_series *series, size_t count,
                 struct error *error)
{
    if (series->mounted.operation)
        return caller_clear(set->setup->caller, series->mounted.operation, count, error);
    if (series->role == SERIES_LOCAL)
        return 0;
    return nfs_call_clear(&series->call, count, set->setup->clients[SERVICE_NFS], error);
}

int series_set_clear(struct series_set *set, struct run_series *series, size_t count,
                     struct error *error)
{
    const uint64_t began = clock_raw_ns();
    int code = clear(set, series, count, error);

    if (count > 0)
        series->preparation_ns += (double)(clock_raw_ns() - began) / count_prepared(series, count);
    return code;
}
