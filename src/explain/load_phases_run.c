/* The phases of calls under load, or of several ops: the session's own blocks, and the same blocks
 * over connections that are observed. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/worker.h"
#include "explain/calls.h"
#include "explain/explain_fill.h"
#include "explain/explain_judge.h"
#include "explain/load_log.h"

/* An op whose calls are explained. */
struct load_op {
    const struct run_series *series;
    struct explain_calls calls;
};

struct load_phases_run {
    struct explain_run run; /* its rounds have the session's series, then the observed ones */
    struct engine *engine;  /* over observed connections */
    struct load_log log;
    struct server_side server;
    struct load_op *ops;
    size_t op_count;
    size_t *observed; /* the session's series whose calls are made in the observed ones */
    size_t observed_count;
    struct explanations result;
    struct outcome outcome; /* of the session's own blocks */
};

/* Opening */

static bool is_op(const struct run_series *series)
{
    return series->role == SERIES_OP || series->role == SERIES_MIX_OP;
}

static bool is_explained(const struct run_series *series)
{
    return series->service == SERVICE_NFS && is_op(series);
}

static int add_op(struct load_phases_run *load, const struct run_series *series,
                  struct error *error)
{
    struct load_op *op = &load->ops[load->op_count++];

    op->series = series;
    return explain_calls_open(&op->calls, load->server.view, load->run.plan->slowest, error);
}

/* The op of SERIES is in the run, and is not explained. */
static void leave_out(struct load_phases_run *load, const struct run_series *series)
{
    struct explanations *result = &load->result;

    result->skipped[result->skipped_count++] =
        (struct result_skipped){series->name, "not a call to the NFS service"};
}

/* What the server lacks, of a group. */
static void add_lacking(struct explanations *result, const struct series_set *set)
{
    for (size_t i = 0; i < set->skipped_count; i++)
        result->skipped[result->skipped_count++] =
            (struct result_skipped){set->skipped[i].op, set->skipped[i].reason};
}

static int find_ops(struct load_phases_run *load, struct error *error)
{
    const struct series_set *set = &load->run.session.set;
    int code = 0;

    load->ops = calloc(set->count, sizeof *load->ops);
    load->observed = calloc(set->count, sizeof *load->observed);
    load->result.ops = calloc(set->count, sizeof *load->result.ops);
    load->result.skipped = calloc(set->count + set->skipped_count, sizeof *load->result.skipped);
    if (!load->ops || !load->observed || !load->result.ops || !load->result.skipped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the ops");
    for (size_t i = 0; i < set->count && code == 0; i++) {
        const struct run_series *series = set->series[i];

        if (series == set->mix || (is_explained(series) && !series_role(series)->in_mix))
            load->observed[load->observed_count++] = i;
        if (is_explained(series))
            code = add_op(load, series, error);
        else if (is_op(series))
            leave_out(load, series);
    }
    add_lacking(&load->result, set);
    if (code == 0 && load->op_count == 0)
        code = error_set(error, ERROR_USAGE, -EINVAL,
                         "only calls to the NFS service are explained in this way");
    return code;
}

static int open_engine(struct load_phases_run *load, struct error *error)
{
    const struct run_plan *plan = &load->run.plan->run;
    struct session *session = &load->run.session;
    struct channel_options options = setup_channel_options(plan);
    struct engine_config config = {.endpoint = setup_endpoint(&session->setup, SERVICE_NFS),
                                   .channel = setup_secure(&session->setup, SERVICE_NFS, &options),
                                   .clock = &session->clock,
                                   .load = plan->load};
    int code =
        load_log_open(&load->log, &session->clock, config.endpoint.transport == TRANSPORT_TCP,
                      load->run.plan->sample, config.load.threads);

    if (code)
        return error_set(error, ERROR_FAILED, code, "out of memory for the load's threads");
    load->log.has_tls = config.channel.tls != NULL;
    load->log.sampling = server_side_sample;
    load->log.context = &load->server;
    config.channel.load_watch = load->log.watches;
    code = worker_pool_open(&load->engine, plan->engine, &config, error);
    if (code == 0 && load->log.failure)
        code = error_set(error, ERROR_FAILED, load->log.failure,
                         "the kernel does not timestamp packets (SO_TIMESTAMPING: %s); use Linux "
                         "6.2 or newer",
                         strerror(-load->log.failure));
    return code;
}

static int open_load(struct explain_run *run, struct error *error)
{
    struct load_phases_run *load = (struct load_phases_run *)run;
    int code = open_engine(load, error);

    if (code)
        return code;
    server_side_open_load(&load->server, run->plan, &run->session.setup);
    return find_ops(load, error);
}

/* The rounds */

static uint64_t shape(const struct explain_run *run, size_t *series, uint32_t *blocks,
                      bool *follows)
{
    const struct load_phases_run *load = (const struct load_phases_run *)run;
    size_t own = run->session.set.count;
    uint64_t calls = session_block_sizes(&run->session, blocks, follows);

    for (size_t i = 0; i < load->observed_count; i++) {
        blocks[own + i] = blocks[load->observed[i]];
        calls += blocks[own + i];
    }
    *series = own + load->observed_count;
    return calls;
}

static size_t calls_of(const struct explain_run *run, size_t series)
{
    const struct load_phases_run *load = (const struct load_phases_run *)run;
    size_t own = run->session.set.count;

    return series < own ? series : load->observed[series - own];
}

static void show_rounds(struct explain_run *run)
{
    session_set_rounds(&run->session, &run->rounds, 0);
}

/* The op of SERIES' call NUMBER in the block. */
static struct load_op *op_of(struct load_phases_run *load, const struct run_series *series,
                             size_t number)
{
    const struct mix_run *mix = &load->run.session.mix;
    struct load_op *op = load->ops;

    if (series == load->run.session.set.mix)
        series = mix->ops[mix->sequence[number]];
    while (op->series != series)
        op++;
    return op;
}

static void change_view(struct load_phases_run *load)
{
    for (size_t i = 0; i < load->op_count; i++)
        if (load->ops[i].calls.phases.view != load->server.view)
            explain_calls_change_view(&load->ops[i].calls, load->server.view);
}

static int add_calls(struct load_phases_run *load, const struct run_series *series,
                     struct error *error)
{
    int code = 0;

    change_view(load);
    for (size_t i = 0; i < load->log.count && code == 0; i++) {
        const struct load_call *call = &load->log.calls[i];

        if (call->answered)
            code = explain_calls_add(&op_of(load, series, i)->calls, &call->times, 1, NULL);
    }
    for (size_t i = 0; i < load->op_count && code == 0; i++)
        code = explain_calls_end_block(&load->ops[i].calls);
    return code ? error_set(error, ERROR_FAILED, code, "out of memory for the calls") : 0;
}

/* Keep the samples of the calls that were logged, so that their cost is that of logging. */
static void keep_logged(const struct load_phases_run *load, struct block *block)
{
    const uint32_t *numbers = load->run.session.load.detail.number;
    size_t kept = 0;

    if (load->log.sample == 1 || (!numbers && block->recorded < block->count))
        return;
    for (size_t i = 0; i < block->recorded; i++)
        if (load->log.calls[numbers ? numbers[i] : i].answered)
            block->ticks[kept++] = block->ticks[i];
    if (kept > 0)
        block->recorded = kept;
}

/* Make a block of the session's series INDEX over the observed connections. */
static int run_observed(struct load_phases_run *load, size_t index, struct block *block,
                        struct error *error)
{
    struct explain_run *run = &load->run;
    const struct run_series *series = run->session.set.series[index];
    struct engine **engine = &run->session.set.engines[SERVICE_NFS], *own = *engine;
    bool is_mix = series == run->session.set.mix;
    int code = load_log_begin(&load->log, is_mix ? run->session.mix.capacity : block->count);
    int failed;

    if (code)
        return error_set(error, ERROR_FAILED, code, "out of memory for a block");
    server_side_begin_load(&load->server, &load->log);
    *engine = load->engine;
    code = run->calls.run(run->calls.context, index, block, error);
    *engine = own;
    load_log_end(&load->log);
    failed = server_side_end_load(&load->server, &load->log);
    failed = failed ? failed : load->log.failure;
    if (code == 0 && failed)
        code = error_set(error, ERROR_FAILED, failed, "noting timestamps: %s", strerror(-failed));
    if (code)
        return code;
    load_log_gather_decryption(&load->log);
    keep_logged(load, block);
    return add_calls(load, series, error);
}

static int run_block(void *context, size_t series, struct block *block, struct error *error)
{
    struct load_phases_run *load = context;
    struct explain_run *run = &load->run;
    size_t own = run->session.set.count;

    return series < own ? run->calls.run(run->calls.context, series, block, error)
                        : run_observed(load, load->observed[series - own], block, error);
}

static void measuring_begins(struct explain_run *run)
{
    struct load_phases_run *load = (struct load_phases_run *)run;

    for (size_t i = 0; i < load->op_count; i++)
        explain_calls_begin(&load->ops[i].calls, load->server.view);
    load->log.stamps_lost = load->log.dropped = 0;
    load->server.events_lost = 0;
}

/* Result */

/* The observed series with the calls of SERIES, in the rounds. */
static size_t observed_of(const struct load_phases_run *load, size_t index)
{
    size_t i = 0;

    while (load->observed[i] != index)
        i++;
    return load->run.session.set.count + i;
}

static void fill_op(struct load_phases_run *load, struct load_op *op,
                    struct explanation *explanation)
{
    const struct explain_run *run = &load->run;
    const struct run_series *mix = run->session.set.mix;
    size_t index = mix ? mix->index : op->series->index;

    memset(explanation, 0, sizeof *explanation);
    explain_fill_environment(explanation, &run->session, op->series);
    explain_fill_stamping(explanation, run, index, observed_of(load, index));
    explanation->load = &run->plan->run.load;
    explanation->sample = load->log.sample;
    explanation->phases = &op->calls.phases;
    explanation->stamps_lost = load->log.stamps_lost;
    explanation->dropped = load->log.dropped;
    explanation->events_lost = load->server.events_lost;
    explanation->server_missing = load->server.missing[0] ? load->server.missing : NULL;
    explain_rows(explanation);
    explain_calls_fill(&op->calls, explanation);
    explain_predict(explanation, &run->plan->predictions);
}

static int refuse_to_explain(const struct load_phases_run *load, struct error *error)
{
    uint64_t incomplete = 0, out_of_order = 0, retransmitted = 0;

    for (size_t i = 0; i < load->op_count; i++) {
        const struct phases *phases = &load->ops[i].calls.phases;

        incomplete += phases->incomplete;
        out_of_order += phases->out_of_order;
        retransmitted += phases->retransmitted;
    }
    return error_set(error, ERROR_FAILED, -ENODATA,
                     "no call could be explained: %" PRIu64 " lacked a timestamp, %" PRIu64
                     " had timestamps out of order, %" PRIu64
                     " were retransmitted; try --no-server, or a smaller --block",
                     incomplete, out_of_order, retransmitted);
}

static int make_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error)
{
    struct load_phases_run *load = (struct load_phases_run *)run;
    struct explanations *explanations = &load->result;

    explanations->count = 0;
    explanations->mix = run->plan->run.mix_name;
    for (size_t i = 0; i < load->op_count; i++) {
        struct explanation *explanation = &explanations->ops[explanations->count];

        if (load->ops[i].calls.phases.lifetime.count == 0)
            continue;
        fill_op(load, &load->ops[i], explanation);
        explanation->cut_short_by = cut_short_by;
        explanations->count++;
    }
    if (explanations->count == 0)
        return refuse_to_explain(load, error);
    for (size_t i = run->session.set.count; i < run->rounds.series_count; i++)
        run->session.measuring.calls_beside += run->rounds.series[i].calls;
    *result = run->plan->kind == RESULT_EXPLANATION ? (const void *)explanations->ops
                                                    : (const void *)explanations;
    return explain_judge(explanations->ops, explanations->count, &load->outcome, &run->session,
                         error);
}

static void close_load(struct explain_run *run)
{
    struct load_phases_run *load = (struct load_phases_run *)run;

    outcome_free(&load->outcome);
    run->session.measuring.rounds = (struct rounds){.series = NULL}; /* owned by the run */
    server_side_close(&load->server);
    if (load->engine)
        engine_close(load->engine);
    load_log_close(&load->log);
    for (size_t i = 0; i < load->op_count; i++)
        explain_calls_close(&load->ops[i].calls);
    free(load->ops);
    free(load->observed);
    free(load->result.ops);
    free(load->result.skipped);
}

const struct explain_method explain_load_phases = {
    .size = sizeof(struct load_phases_run),
    .open = open_load,
    .shape = shape,
    .calls_of = calls_of,
    .run_block = run_block,
    .begins = measuring_begins,
    .show_rounds = show_rounds,
    .result = make_result,
    .close = close_load,
};
