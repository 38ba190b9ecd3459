/* Which functions of the kernel run for the calls of each op: the session's own blocks, during
 * which they are counted. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/cpu.h"
#include "common/memory.h"
#include "explain/explain_run.h"
#include "explain/functions.h"
#include "measure/mean_cost.h"
#include "run/ledger_run.h"
#include "run/outcome.h"

/* Of a round's block. */
struct block_counts {
    struct function_count functions[FUNCTIONS_MAXIMUM];
    double calls;
};

struct counted_series {
    const struct run_series *series; /* NULL: not in the result */
    struct block_counts *blocks;
    size_t count, capacity;
};

struct functions_run {
    struct explain_run run; /* its rounds have the session's series */
    struct function_counts *counts;
    struct counted_series *series; /* of the session */
    struct server_counters server;
    struct functions_result result;
};

/* Opening */

static bool is_counted(const struct series_set *set, const struct run_series *series)
{
    const struct series_role_type *role = series_role(series);

    return role->in_result && !role->in_mix && series != set->control;
}

static int open_functions(struct explain_run *run, struct error *error)
{
    struct functions_run *functions = (struct functions_run *)run;
    const struct series_set *set = &run->session.set;
    int code = session_rounds_begin(&run->session, error);

    if (code)
        return code;
    functions->series = calloc(set->count, sizeof *functions->series);
    functions->result.ops = calloc(set->count, sizeof *functions->result.ops);
    if (!functions->series || !functions->result.ops)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the ops");
    for (size_t i = 0; i < set->count; i++)
        if (is_counted(set, set->series[i]))
            functions->series[i].series = set->series[i];
    ledger_run_find_server(&run->session.setup, &functions->server);
    return function_counts_open(&functions->counts, getpid(), functions->server.pid, error);
}

/* The rounds */

static uint64_t shape(const struct explain_run *run, size_t *series, uint32_t *blocks,
                      bool *follows)
{
    *series = run->session.set.count;
    return session_block_sizes(&run->session, blocks, follows);
}

static size_t calls_of(const struct explain_run *run, size_t series)
{
    return series;
}

static void show_rounds(struct explain_run *run)
{
    session_set_rounds(&run->session, &run->rounds, 0);
}

static int add_block(struct counted_series *counted, const struct function_count *before,
                     const struct function_count *after, double calls)
{
    struct block_counts *block, *blocks = array_grow(counted->blocks, counted->count,
                                                     &counted->capacity, 64, sizeof *blocks);

    if (!blocks)
        return -ENOMEM;
    counted->blocks = blocks;
    block = &blocks[counted->count++];
    block->calls = calls;
    for (size_t i = 0; i < FUNCTIONS_MAXIMUM; i++)
        for (unsigned side = 0; side < FUNCTION_SIDES; side++)
            block->functions[i].calls[side] = after[i].calls[side] - before[i].calls[side];
    return 0;
}

static int run_block(void *context, size_t index, struct block *block, struct error *error)
{
    struct functions_run *functions = context;
    struct explain_run *run = &functions->run;
    struct function_count before[FUNCTIONS_MAXIMUM], after[FUNCTIONS_MAXIMUM];
    int code;

    if (!functions->series[index].series)
        return run->calls.run(run->calls.context, index, block, error);
    function_counts_read(functions->counts, before);
    function_counts_enable(functions->counts, true);
    code = run->calls.run(run->calls.context, index, block, error);
    function_counts_enable(functions->counts, false);
    function_counts_read(functions->counts, after);
    if (code == 0 && add_block(&functions->series[index], before, after, (double)block->count) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the counts");
    return code;
}

static void measuring_begins(struct explain_run *run)
{
    struct functions_run *functions = (struct functions_run *)run;

    for (size_t i = 0; i < run->session.set.count; i++)
        functions->series[i].count = 0;
}

/* Result */

static int fill_interval(const struct counted_series *counted, size_t function,
                         enum function_side side, uint64_t seed, struct interval *interval,
                         struct error *error)
{
    double *values = calloc(counted->count, sizeof *values);
    int code;

    if (!values)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the counts");
    for (size_t i = 0; i < counted->count; i++)
        values[i] =
            (double)counted->blocks[i].functions[function].calls[side] / counted->blocks[i].calls;
    code = mean_interval(values, counted->count, estimate_block_length(values, counted->count),
                         seed, interval, error);
    interval->low = fmax(interval->low, 0); /* no count is below it */
    free(values);
    return code;
}

static int fill_op(const struct functions_run *functions, const struct counted_series *counted,
                   struct functions_op *op, struct error *error)
{
    uint64_t seed = functions->run.plan->run.seed;
    int code = 0;

    op->op = counted->series->name;
    op->rows = calloc(kernel_function_count, sizeof *op->rows);
    if (!op->rows)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the functions");
    for (size_t i = 0; i < counted->count; i++)
        op->calls += (uint64_t)counted->blocks[i].calls;
    for (size_t i = 0; i < kernel_function_count && code == 0; i++) {
        struct function_row *row = &op->rows[op->row_count];

        if (function_counts_missing(functions->counts, i))
            continue;
        row->function = &kernel_functions[i];
        op->row_count++;
        for (unsigned side = 0; side < FUNCTION_SIDES && code == 0; side++)
            code = fill_interval(counted, i, side, seed, &row->per_call[side], error);
    }
    return code;
}

static void fill_environment(struct functions_run *functions)
{
    const struct session *session = &functions->run.session;
    struct functions_result *result = &functions->result;

    outcome_fill_origin(&result->origin, session->plan, session->started,
                        transport_name(session->setup.mount.nfs.transport));
    cpu_allowed_list(result->client_cpus);
    result->server_cpu = session->plan->target.self ? session->setup.self.pinned_cpu : -1;
    result->load = run_plan_makes_load(session->plan) ? &session->plan->load : NULL;
    result->rounds = functions->run.rounds.done;
    result->server_missing = functions->server.pid ? NULL : functions->server.missing;
}

static void fill_missing(struct functions_run *functions)
{
    struct functions_result *result = &functions->result;

    for (size_t i = 0; i < kernel_function_count; i++) {
        const char *reason = function_counts_missing(functions->counts, i);

        if (reason)
            result->missing[result->missing_count++] =
                (struct function_missing){kernel_functions[i].name, reason};
    }
}

static int make_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error)
{
    struct functions_run *functions = (struct functions_run *)run;
    int code = 0;

    fill_environment(functions);
    fill_missing(functions);
    functions->result.cut_short_by = cut_short_by;
    for (size_t i = 0; i < run->session.set.count && code == 0; i++)
        if (functions->series[i].count > 0)
            code = fill_op(functions, &functions->series[i],
                           &functions->result.ops[functions->result.op_count++], error);
    *result = code ? NULL : &functions->result;
    return code;
}

static void close_functions(struct explain_run *run)
{
    struct functions_run *functions = (struct functions_run *)run;

    run->session.measuring.rounds = (struct rounds){.series = NULL}; /* owned by the run */
    function_counts_close(functions->counts);
    server_counters_close(&functions->server);
    for (size_t i = 0; functions->series && i < run->session.set.count; i++)
        free(functions->series[i].blocks);
    for (size_t i = 0; i < functions->result.op_count; i++)
        free(functions->result.ops[i].rows);
    free(functions->series);
    free(functions->result.ops);
}

const struct explain_method explain_functions = {
    .size = sizeof(struct functions_run),
    .open = open_functions,
    .shape = shape,
    .calls_of = calls_of,
    .run_block = run_block,
    .begins = measuring_begins,
    .show_rounds = show_rounds,
    .result = make_result,
    .close = close_functions,
};
