#include "run/series/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "measure/time_plan.h"
#include "run/ledger_run.h"
#include "run/load_block.h"
#include "run/load_run.h"

const struct series_role_type series_roles[SERIES_ROLES] = {
    [SERIES_NULL] = {.in_result = true, .counted = true},
    [SERIES_CONTROL] = {.in_result = true},
    [SERIES_MIX] = {.in_result = true, .awaited = true},
    [SERIES_MIX_OP] = {.is_op = true, .in_result = true, .counted = true, .in_mix = true},
    [SERIES_OP] = {.is_op = true, .in_result = true, .counted = true, .awaited = true},
    [SERIES_LOCAL] = {.in_result = true, .counted = true},
    [SERIES_NULLS] = {.in_result = true, .counted = true},
    [SERIES_CALL_LENGTH] = {.divisor = TIME_PLAN_MODEL_DIVISOR},
    [SERIES_REPLY_LENGTH] = {.divisor = TIME_PLAN_MODEL_DIVISOR},
    [SERIES_PAUSE] = {.divisor = TIME_PLAN_MODEL_DIVISOR},
    [SERIES_ECHO] = {.divisor = TIME_PLAN_WITNESS_DIVISOR},
};

static void free_series(struct run_series *series)
{
    nfs_call_free(&series->call);
    if (series->load)
        timeline_free(&series->load->timeline);
    free(series->failure);
    free(series->own_name);
    free(series->own_objects);
    free(series->own_identity);
    free(series->mounted);
    free((void *)(uintptr_t)series->echo.bytes);
    free(series);
}

/* Return the maximum number of consecutive calls of a series, in a block or a ledger's stretch. */
static size_t variants_needed(const struct run_plan *plan)
{
    size_t block = plan->block                 ? plan->block
                   : run_plan_makes_load(plan) ? load_block(&plan->load, plan->calls)
                                               : ROUNDS_BLOCK;

    return block > LEDGER_RUN_CALLS_MAXIMUM ? block : LEDGER_RUN_CALLS_MAXIMUM;
}

static int make_room(struct series_set *set, struct error *error)
{
    if (array_reserve(&set->series, &set->capacity, set->count + 1, sizeof *set->series) == 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
}

/* Set SERIES' call. A mix, an echo or a series on a mount gets only its procedure and objects. */
static int make_call(const struct series_set *set, struct run_series *series,
                     const struct nfs_procedure *procedure, struct error *error)
{
    const struct nfs_objects *objects =
        series->own_objects ? series->own_objects : &set->setup->objects;
    const struct identity *identity =
        series->own_identity ? series->own_identity : &set->plan->identity;

    int code = 0;

    if (series->role != SERIES_MIX && series->role != SERIES_ECHO && !series->mounted)
        code = nfs_call_make(&series->call, procedure, objects, identity,
                             variants_needed(set->plan), error);
    series->call.procedure = procedure;
    series->call.objects = objects;
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
        free(request->mounted);
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    }
    series->role = request->role;
    series->index = set->count;
    series->name = request->name;
    series->service = request->procedure->service;
    series->baseline = set->baseline;
    series->own_objects = request->objects;
    series->own_identity = request->identity;
    series->mounted = request->mounted;
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

struct engine *series_set_engine(const struct series_set *set, const struct run_series *series)
{
    return series->role == SERIES_LOCAL ? set->local_engine : set->engines[series->service];
}

bool series_set_is_rate_low(const struct series_set *set)
{
    enum { LOW_RATE = 1000 };

    return set->plan->load.rate > 0 && set->plan->load.rate < LOW_RATE;
}
