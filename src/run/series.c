#include "run/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "measure/estimate.h"
#include "measure/validity.h"
#include "nfs/status.h"
#include "run/ledger_run.h"
#include "run/load_run.h"
#include "run/local_run.h"

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

int series_explain_failed_block(const struct run_series *series, struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];
    const struct engine_tally *tally = &series->tally;

    if (tally->error_kinds == 0)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "every call of a block of %s was retransmitted, so none can be timed",
                         series->name);
    return error_set(
        error, ERROR_FAILED, -ENODATA, "every call of a block of %s failed; %s %s", series->name,
        series->role == SERIES_LOCAL ? "the file system answers" : "the server answers",
        nfs_status_name(tally->errors[tally->error_kinds - 1].status, name));
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

const char *series_set_skip_reason(const struct series_set *set, const char *op)
{
    for (size_t i = 0; i < set->skipped_count; i++)
        if (strcmp(set->skipped[i].op, op) == 0)
            return set->skipped[i].reason;
    return NULL;
}

static int open_engine(struct series_set *set, enum service_kind service, struct error *error)
{
    struct channel_options options = setup_channel_options(set->plan);
    struct engine_config config = {.endpoint = setup_endpoint(set->setup, service),
                                   .channel = setup_secure(set->setup, service, &options),
                                   .clock = set->clock,
                                   .load = set->plan->load,
                                   .count_resent = set->plan->count_resent,
                                   .caller = set->setup->caller};

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
    if (code == 0)
        code = series_add_model(set, error);
    for (size_t i = 0; i < set->count && code == 0; i++)
        code = open_engine(set, set->series[i]->service, error);
    return code;
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

int series_set_prepare(struct series_set *set, struct run_series *series, size_t count,
                       struct error *error)
{
    if (series->mounted.operation)
        return caller_prepare(set->setup->caller, series->mounted.operation, count, error);
    if (series->role == SERIES_LOCAL)
        return local_run_prepare(series, count, error);
    return nfs_call_prepare(&series->call, count, set->setup->clients[SERVICE_NFS], error);
}

int series_set_clear(struct series_set *set, const struct run_series *series, size_t count,
                     struct error *error)
{
    if (series->mounted.operation)
        return caller_clear(set->setup->caller, series->mounted.operation, count, error);
    if (series->role == SERIES_LOCAL)
        return 0;
    return nfs_call_clear(&series->call, count, set->setup->clients[SERVICE_NFS], error);
}

/* Settling */

enum { TRIED_CALLS = 30, BLOCK_MINIMUM = 5 };

static int try_calls(struct series_set *set, struct run_series *series, struct block *block,
                     struct error *error)
{
    struct engine_tally unused = {.failed = 0};
    int code = series_set_prepare(set, series, block->count, error);

    block->recorded = 0;
    if (code == 0)
        code = series_set_run(set, series, block, &unused, error);
    return code ? code : series_set_clear(set, series, block->count, error);
}

/* The median of a few calls of SERIES, ns; of fewer if they take long. */
static int find_level(struct series_set *set, struct run_series *series, double *level,
                      struct error *error)
{
    enum { SLOW_CALLS = 3, SLOW_NS = 10 * 1000 * 1000 };
    uint64_t ticks[TRIED_CALLS];
    double samples[TRIED_CALLS];
    struct block block = {.count = series->call.engine.sequence ? 1 : SLOW_CALLS, .ticks = ticks};
    int code = try_calls(set, series, &block, error);

    if (code == 0 && block.recorded > 0 && clock_sample_ns(set->clock, ticks[0]) < SLOW_NS) {
        block.count = TRIED_CALLS;
        code = try_calls(set, series, &block, error);
    }
    for (size_t i = 0; i < block.recorded; i++)
        samples[i] = clock_sample_ns(set->clock, ticks[i]);
    *level = block.recorded ? estimate_median(samples, block.recorded) : 0;
    return code;
}

/* A block should be so short that a round of all series takes at most this long, but has between
 * LEAST and USUAL calls. */
static uint32_t choose_block(double round_of_one_ns, uint32_t usual, uint32_t least)
{
    enum { ROUND_NS = 200 * 1000 * 1000 };
    double calls = round_of_one_ns > 0 ? ROUND_NS / round_of_one_ns : usual;

    return calls >= usual ? usual : (uint32_t)(calls > least ? calls : least);
}

/* The same under load. At a given rate, a block has a given duration. */
static uint32_t choose_load_block(const struct run_plan *plan, double round_of_one_ns)
{
    const struct load *load = &plan->load;
    uint32_t usual = load_block(load, plan->calls);

    return load->rate > 0 ? usual : choose_block(round_of_one_ns, usual, load_block_minimum(load));
}

static uint32_t wanted_block(const struct run_plan *plan, double round_of_one_ns)
{
    if (plan->block)
        return plan->block;
    if (run_plan_sequence(plan)) /* of which one is as many calls as a block has */
        return choose_block(round_of_one_ns, ROUNDS_BLOCK, 1);
    return run_plan_makes_load(plan) ? choose_load_block(plan, round_of_one_ns)
                                     : choose_block(round_of_one_ns, ROUNDS_BLOCK, BLOCK_MINIMUM);
}

/* How many of the calls that were tried were in flight at once. */
static double tried_at_once(const struct run_plan *plan)
{
    return run_plan_makes_load(plan) ? fmin((double)load_in_flight(&plan->load), TRIED_CALLS) : 1;
}

uint64_t series_set_places_left(const struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct nfs_places *places = &set->series[i]->call.places.places;

        if (series_role(set->series[i])->is_op && set->series[i]->call.places.differ)
            return places->count - places->drawn;
    }
    return 0;
}

/* Twenty rounds at least, of however few places; where nothing was tried, calls may take long. */
static uint32_t choose_cold_block(const struct series_set *set)
{
    uint64_t block = series_set_places_left(set) / VALIDITY_ROUNDS_SUSPECT;

    if (set->plan->block)
        return set->plan->block;
    return block < 1 ? 1 : block < ROUNDS_BLOCK ? (uint32_t)block : ROUNDS_BLOCK;
}

/* SERIES' share of a round, relative to one call of each series. */
static double weight_in_round(const struct series_set *set, const struct run_series *series)
{
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];

    if (series_role(series)->of_model)
        return 1.0 / MODEL_DIVISOR;
    if (!series_role(series)->in_mix)
        return 1;
    return 1.0 / nfs_mix_divide(&set->mix_ops, ROUNDS_BLOCK, shares) *
           shares[series->index - set->mix->index - 1];
}

/* Trial calls must not use up places that are visited once, and a replay makes only its workload's
 * calls. */
static bool is_spared(const struct series_set *set, const struct run_series *series)
{
    return set->plan->working_set.visits ||
           (set->plan->working_set.once && series->call.places.differ);
}

/* Ranks agree in the first round, and warn there (measuring.c); the ops of a mix have no blocks of
 * their own in which they could. */
static int give_up_early(struct series_set *set, struct run_series *series, int code,
                         struct error *error)
{
    if (series_role(series)->in_mix)
        return series_set_give_up(set, series, code, error);
    if (series_set_can_give_up(set, series, code, error))
        code = series_give_up(series, error);
    return code == -ECANCELED ? 0 : code;
}

int series_set_settle(struct series_set *set, uint32_t *block, struct error *error)
{
    double null_level = 0, longest = MODEL_PAUSE_MINIMUM_NS, round_of_one_ns = 0;
    size_t pauses = 0;
    int code = 0;

    for (size_t i = 0; i < set->count && code == 0; i++) {
        struct run_series *series = set->series[i];
        double level = null_level;

        if (series_role(series)->counted && !is_spared(set, series))
            code = find_level(set, series, &level, error);
        if (code)
            code = give_up_early(set, series, code, error);
        if (series == set->baseline)
            null_level = level;
        longest = fmax(longest, level - null_level);
        if (series->role == SERIES_PAUSE)
            series->call.engine.pause_ns = (uint64_t)(longest * (double)++pauses / MODEL_PAUSES);
        round_of_one_ns +=
            (level + (double)series->call.engine.pause_ns) * weight_in_round(set, series);
    }
    set->round_of_one_ns = round_of_one_ns / tried_at_once(set->plan);
    *block = set->plan->working_set.once ? choose_cold_block(set)
                                         : wanted_block(set->plan, set->round_of_one_ns);
    return code;
}
