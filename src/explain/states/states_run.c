/* Measures the states of RPCs through a mount, or of requests in the kernel's server. Each of a
 * session's ops is called with and without tracing in the same rounds. */
#include <errno.h>
#include <math.h>

#include "explain/explain_run.h"
#include "explain/kernel/trace.h"
#include "explain/states/states.h"
#include "run/mount_calls.h"

struct states_run {
    /* its rounds have the session's series, then the same series traced */
    struct explain_run run;
    struct trace *trace; /* NULL: nothing can be traced, see MISSING */
    char absent[TRACE_ABSENT_SIZE];
    struct error missing; /* why TRACE is NULL */
    struct states_op ops[RUN_PLAN_OPS_MAXIMUM];
    struct states_result result;
};

_Static_assert(SERIES_MAXIMUM <= (int)EXTRA_SERIES_MAXIMUM, "all ops, with tracing and without");

static size_t op_count(const struct states_run *states)
{
    return states->run.session.set.count;
}

static int open_ops(struct states_run *states, uint32_t caller)
{
    int code = 0;

    for (size_t i = 0; i < op_count(states) && code == 0; i++) {
        const struct run_series *series = states->run.session.set.series[i];

        states->ops[i].op = series->name;
        if (series->mounted)
            states->ops[i].system_call =
                mount_counts_of(&states->run.session.set, series).means.system_call;
        code = rpc_states_open(&states->ops[i].rpcs, caller);
    }
    return code;
}

static int open_states(struct explain_run *run, struct error *error)
{
    struct states_run *states = (struct states_run *)run;
    const pid_t nobody = -1; /* without a mount, no system calls are traced */
    const struct setup *setup = &run->session.setup;
    pid_t caller = setup->on_mount ? setup_client_pid(setup) : nobody;

    trace_open_rpcs(&states->trace, caller, states->absent, &states->missing);
    if (open_ops(states, (uint32_t)caller) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the states");
    if (states->trace)
        explain_note_observed_series(run);
    return 0;
}

/* The rounds */

static void add_traced_series(const struct explain_run *run, struct beside *beside)
{
    const struct states_run *states = (const struct states_run *)run;

    for (size_t i = 0; states->trace && i < op_count(states); i++)
        explain_add_series(beside, i, run->session.set.series[i]->block);
}

/* Add the traced events of a block with CALLS calls to OP. If the block was repeated (COUNTS is
 * false), drop them, because the calls that it made are unknown. */
static int add_events(struct states_run *states, struct states_op *op, bool counts, size_t calls,
                      struct error *error)
{
    struct trace_events events = trace_read(states->trace);

    op->events_lost += events.lost;
    op->blocks_left_out += !counts;
    if (!counts)
        return 0;
    op->calls += calls;
    if (rpc_states_add(&op->rpcs, events.list, events.count, events.lost) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the states");
    return 0;
}

/* Return how many blocks of the series at INDEX were repeated so far. */
static uint64_t blocks_again(const struct session *session, size_t index)
{
    const struct run_series *series = session->set.series[index];

    return series->mounted ? mount_counts_of(&session->set, series).means.blocks_again : 0;
}

static int run_traced_block(void *context, size_t index, struct block *block, struct error *error)
{
    struct states_run *states = context;
    struct session *session = &states->run.session;
    const uint64_t before = blocks_again(session, index);
    int code;

    trace_enable(states->trace, true);
    code = session_run_block(&states->run.session, index, block, error);
    trace_enable(states->trace, false);
    return code ? code
                : add_events(states, &states->ops[index], blocks_again(session, index) == before,
                             block->count, error);
}

static void measuring_begins(void *context)
{
    struct states_run *states = context;

    for (size_t i = 0; i < op_count(states); i++) {
        struct states_op *op = &states->ops[i];

        rpc_states_clear(&op->rpcs);
        op->calls = op->blocks_left_out = op->events_lost = 0;
    }
}

/* Return true if the lifetimes are precise enough. The times in states are not checked, because
 * only their sums over all calls are known. */
static bool are_lifetimes_precise(const struct explain_run *run)
{
    const struct states_run *states = (const struct states_run *)run;
    const size_t first = states->trace ? op_count(states) : 0;
    bool precise = true;

    for (size_t i = 0; i < op_count(states) && precise; i++) {
        const struct series *series = &run->rounds.series[first + i];

        precise = explain_mean_is_precise(&run->plan->run.precision, series->blocks[BLOCK_MEAN],
                                          run->rounds.done, series->histogram.mean);
    }
    return precise;
}

static void name_states(struct states_run *states)
{
    for (size_t i = 0; i < op_count(states); i++) {
        FILE *symbols = fopen("/proc/kallsyms", "re");

        if (!symbols)
            return;
        rpc_states_name(&states->ops[i].rpcs, symbols);
        fclose(symbols);
    }
}

/* Set the lifetime of OP's system calls, as measured by the caller's clock. */
static void set_lifetime(struct states_op *op, const struct series *traced)
{
    struct state_total *measured = &op->rpcs.states->groups[RPC_GROUP_CALLS].measured;
    const struct histogram *histogram = &traced->histogram;

    *measured = (struct state_total){.count = histogram->count,
                                     .sum_ns = histogram->mean * (double)histogram->count,
                                     .low_ns = histogram->minimum,
                                     .high_ns = histogram->maximum};
}

static void set_op_costs(struct states_run *states, size_t index)
{
    const struct rounds *rounds = &states->run.rounds;
    struct states_op *op = &states->ops[index];

    op->untraced_typical_ns = explain_run_typical(&states->run, index);
    op->untraced_ns =
        isnan(op->untraced_typical_ns) ? (double)NAN : rounds->series[index].histogram.mean;
    if (!states->trace)
        return;
    set_lifetime(op, &rounds->series[op_count(states) + index]);
    op->has_cost =
        explain_run_difference(&states->run, index, op_count(states) + index, &op->tracing_cost);
}

static void make_states_table(struct states_op *op, size_t group)
{
    struct states_table *table = &op->tables[op->table_count];

    rpc_states_table(&op->rpcs, group, &table->states);
    if (group == RPC_GROUP_OTHERS || table->states.tasks == 0)
        return;
    op->table_count++;
    table->of = group == RPC_GROUP_CALLS    ? STATES_OF_CALLS
                : op->rpcs.of_server[group] ? STATES_OF_REQUESTS
                                            : STATES_OF_RPCS;
    table->name = group == RPC_GROUP_CALLS ? op->system_call : op->rpcs.groups[group];
    if (group == RPC_GROUP_CALLS)
        predictions_compare(&op->predictions, table->states.rows, table->states.row_count,
                            table->states.lifetime_ns);
}

int states_make_tables(struct states_op *op, const struct predictions *predictions)
{
    arena_free(&op->arena);
    op->predictions = *predictions;
    op->table_count = op->kprofile_count = 0;
    op->tables = arena_alloc(&op->arena, op->rpcs.group_count, sizeof *op->tables);
    if (!op->tables)
        return -ENOMEM;
    for (size_t group = 0; group < op->rpcs.group_count; group++)
        make_states_table(op, group);
    return 0;
}

int states_make_kprofile(struct states_op *op)
{
    op->kprofile_count = 0;
    op->kprofile = arena_alloc(&op->arena, op->rpcs.group_count, sizeof *op->kprofile);
    if (!op->kprofile)
        return -ENOMEM;
    for (size_t i = 0; i < op->table_count; i++)
        if (op->tables[i].of == STATES_OF_RPCS)
            kprofile_make(&op->kprofile[op->kprofile_count++], op->tables[i].name,
                          &op->tables[i].states);
    return 0;
}

void states_close(struct states_op *op)
{
    arena_free(&op->arena);
    rpc_states_close(&op->rpcs);
}

static void observe_states(struct validity_phases *evidence, const struct states_op *op)
{
    for (size_t i = 0; i < op->table_count; i++) {
        const struct state_table *table = &op->tables[i].states;

        explain_observe_discrepancy(evidence, table->discrepancy, table->lifetime_ns);
        if (op->tables[i].of != (op->system_call ? STATES_OF_CALLS : STATES_OF_REQUESTS))
            continue;
        evidence->explained += table->tasks;
        explain_observe_waiting(evidence, op->op, table->rows, table->row_count);
    }
    evidence->calls += op->calls;
}

static void judge_states(struct states_run *states)
{
    struct validity_phases evidence = {.op = NULL};

    if (!states->trace)
        return;
    for (size_t i = 0; i < op_count(states); i++)
        observe_states(&evidence, &states->ops[i]);
    validity_judge_phases(&states->run.outcome.result.validity, &evidence);
}

static int make_tables(const struct states_run *states, struct states_op *op)
{
    const struct explain_plan *plan = states->run.plan;
    int code = states_make_tables(op, &plan->predictions);

    return code || !plan->kprofile ? code : states_make_kprofile(op);
}

static int make_states_result(struct explain_run *run, const char *cut_short_by,
                              const void **result, struct error *error)
{
    struct states_run *states = (struct states_run *)run;

    name_states(states);
    for (size_t i = 0; i < op_count(states); i++) {
        set_op_costs(states, i);
        if (make_tables(states, &states->ops[i]) != 0)
            return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the states");
    }
    judge_states(states);
    states->result = (struct states_result){
        .ops = states->ops,
        .op_count = op_count(states),
        .clients = 1 + run->plan->run.mount_others,
        .missing = states->trace ? NULL : states->missing.text,
        .absent = states->absent[0] ? states->absent : NULL,
        .run = &run->outcome.result,
    };
    *result = &states->result;
    return 0;
}

static void close_states(struct explain_run *run)
{
    struct states_run *states = (struct states_run *)run;

    trace_close(states->trace);
    for (size_t i = 0; i < RUN_PLAN_OPS_MAXIMUM; i++)
        states_close(&states->ops[i]);
}

const struct explain_method explain_states = {
    .size = sizeof(struct states_run),
    .shortest_round = explain_time_shortest_round,
    .open = open_states,
    .add_series = add_traced_series,
    .source = {.run = run_traced_block, .measuring_begins = measuring_begins},
    .is_precise = are_lifetimes_precise,
    .result = make_states_result,
    .close = close_states,
};
