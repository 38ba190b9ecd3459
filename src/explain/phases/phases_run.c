/* Measures the phases of calls: a session's own blocks, and the same blocks with timestamps, which
 * are noted in a log (load_log.h). If calls are made one at a time, a special engine encodes each
 * call (stamped.h); under load, another engine of the session's type makes the calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/worker.h"
#include "explain/phases/phases_run.h"
#include "explain/phases/stamped.h"

static bool is_op_series(const struct run_series *series)
{
    return series->role == SERIES_OP || series->role == SERIES_MIX_OP;
}

static bool is_explained(const struct phases_run *phases, const struct run_series *series)
{
    return is_op_series(series) && series->service == phases->service;
}

static void open_use(struct phases_run *phases, struct phases_op *op)
{
    const size_t loads = phases->run.session.set.mix ? 1 : phases->op_count;

    load_use_open(&op->use, phases->engine, &phases->load_server, loads);
}

static int add_op(struct phases_run *phases, const struct run_series *series, struct error *error)
{
    struct phases_op *op = &phases->ops[phases->op_count++];

    op->series = series;
    open_use(phases, op);
    return explain_calls_open(&op->calls, phases->run.plan->slowest, error);
}

static int find_ops(struct phases_run *phases, struct error *error)
{
    const struct series_set *set = &phases->run.session.set;
    struct explanations *result = &phases->result;
    int code = 0;

    phases->ops = calloc(set->count, sizeof *phases->ops);
    phases->observed = calloc(set->count, sizeof *phases->observed);
    result->ops = calloc(set->count, sizeof *result->ops);
    result->skipped = calloc(set->count + set->skipped_count, sizeof *result->skipped);
    if (!phases->ops || !phases->observed || !result->ops || !result->skipped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the ops");
    for (size_t i = 0; i < set->count && code == 0; i++) {
        const struct run_series *series = set->series[i];

        if (series == set->mix || (is_explained(phases, series) && !series_role(series)->in_mix))
            phases->observed[phases->observed_count++] = i;
        if (is_explained(phases, series))
            code = add_op(phases, series, error);
        else if (is_op_series(series))
            phases_skip_op(result, series->name, "not a call to the NFS service");
    }
    /* Report the ops that the session skipped, too. */
    for (size_t i = 0; i < set->skipped_count; i++)
        phases_skip_op(result, set->skipped[i].op, set->skipped[i].reason);
    if (code == 0 && phases->op_count == 0)
        code =
            error_set(error, ERROR_USAGE, -EINVAL, "explain handles only calls to the NFS service");
    return code;
}

/* Open the engines for calls one at a time. The session's engine is replaced by one that makes the
 * same calls without timestamps. */
static int open_stamped(struct phases_run *phases, const struct engine_config *config,
                        struct engine **own, struct error *error)
{
    struct engine *unstamped;
    int code = stamped_open(&phases->engine, config, &phases->log, error);

    if (code == 0)
        code = stamped_open(&unstamped, config, NULL, error);
    if (code)
        return code;
    engine_close(*own);
    *own = unstamped;
    return 0;
}

static int open_log(struct phases_run *phases, const struct engine_config *config,
                    struct error *error)
{
    struct load_log *log = &phases->log;

    if (load_log_open(log, config->clock, config->endpoint.transport == TRANSPORT_TCP,
                      phases->sample, phases->load ? config->load.threads : 1) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the load's threads");
    load_notes_watch(log);
    log->has_tls = config->channel.tls != NULL;
    log->has_kerberos = config->channel.security.flavor != 0;
    log->single = !phases->load;
    log->sampling = server_side_sample;
    log->context = &phases->server;
    return 0;
}

static int open_engine(struct phases_run *phases, struct error *error)
{
    const struct run_plan *plan = &phases->run.plan->run;
    const struct setup *setup = &phases->run.session.setup;
    const enum service_kind service = phases->service;
    struct channel_options options = setup_channel_options(plan, SERVICE_NFS);
    struct engine **engines = phases->run.session.set.engines;
    struct engine_config config = {.endpoint = setup_endpoint(setup, service),
                                   .channel = setup_secure(setup, service, &options),
                                   .clock = &phases->run.session.clock,
                                   .load = plan->load};
    int code = open_log(phases, &config, error);

    if (code)
        return code;
    config.channel.load_watch = phases->load ? phases->log.watches : NULL;
    code = phases->load ? worker_pool_open(&phases->engine, plan->engine, &config, error)
                        : open_stamped(phases, &config, &engines[service], error);
    if (code == 0 && phases->log.failure)
        code = error_set(error, ERROR_FAILED, phases->log.failure,
                         "the kernel does not timestamp packets (SO_TIMESTAMPING: %s); use Linux "
                         "6.2 or newer",
                         strerror(-phases->log.failure));
    return code;
}

/* Return the default of SAMPLE: 1, or SELDOM if a series has fast calls. Timestamps add at most 4
 * us to a call, and should add at most 2 % on average. */
static uint32_t choose_sample(const struct series_set *set)
{
    enum { SLOW_NS = 200 * 1000, SELDOM = 16 };

    for (size_t i = 0; i < set->count; i++)
        if (set->series[i]->spacing_ns < SLOW_NS)
            return SELDOM;
    return 1;
}

/* Find the server's process if it is on this machine. Otherwise its processor time is not counted,
 * because asking another machine in each block would take too long. */
static void find_server(const struct setup *setup, struct server_counters *server)
{
    ledger_run_find_server(setup, server);
    server_counters_close(server);
}

static int open_phases(struct explain_run *run, struct error *error)
{
    struct phases_run *phases = (struct phases_run *)run;
    int code;

    phases->sample = run->plan->sample ? run->plan->sample : choose_sample(&run->session.set);

    phases->load = run_plan_makes_load(&run->plan->run);
    if (phases->load)
        find_server(&run->session.setup, &phases->load_server);
    phases->service = phases->load || run->plan->kind == RESULT_EXPLANATIONS
                          ? SERVICE_NFS
                          : run->session.set.series[0]->service;
    code = open_engine(phases, error);
    if (code)
        return code;
    server_side_open(&phases->server, run->plan, &run->session.setup, &phases->log);
    code = find_ops(phases, error);
    if (code == 0 && phases->observed_count == run->session.set.count)
        explain_note_observed_series(run);
    else
        run->times.call_ns *= 2; /* an upper limit, because only some series are observed */
    return code;
}

/* The rounds */

static void add_stamped_series(const struct explain_run *run, struct beside *beside)
{
    const struct phases_run *phases = (const struct phases_run *)run;

    for (size_t i = 0; i < phases->observed_count; i++) {
        const size_t index = phases->observed[i];

        explain_add_series(beside, index, run->session.set.series[index]->block);
    }
}

static int begin_stamped_block(struct phases_run *phases, size_t count, struct error *error)
{
    if (load_log_begin(&phases->log, count) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a block");
    server_side_begin(&phases->server, &phases->log);
    return 0;
}

/* End the block. CODE is the result of its calls; if it is not 0, ERROR is set already. Returns
 * CODE, or the error of ending the block. */
static int end_stamped_block(struct phases_run *phases, int code, struct error *error)
{
    struct load_log *log = &phases->log;
    struct error ignored;
    int ended;

    load_log_end(log);
    ended = server_side_end(&phases->server, log, code ? &ignored : error);
    code = code ? code : ended;
    if (code == 0 && log->failure)
        code = error_set(error, ERROR_FAILED, log->failure, "noting timestamps: %s",
                         strerror(-log->failure));
    if (code == 0)
        load_log_gather_decryption(log);
    return code;
}

/* Under load, remove from BLOCK the samples of calls that were not logged, so that its mean shows
 * the cost of logging. If all samples would be removed, or their calls are unknown, BLOCK is not
 * changed. */
static void keep_logged(const struct phases_run *phases, struct block *block)
{
    const uint32_t *numbers = phases->run.session.load.detail.number;
    size_t kept = 0;

    if (!phases->load || phases->log.sample == 1 || (!numbers && block->recorded < block->count))
        return;
    for (size_t i = 0; i < block->recorded; i++)
        if (phases->log.calls[numbers ? numbers[i] : i].answered)
            block->ticks[kept++] = block->ticks[i];
    if (kept > 0)
        block->recorded = kept;
}

static int add_calls(struct phases_run *phases, const struct run_series *series,
                     struct error *error)
{
    const struct load_log *log = &phases->log;
    int code = 0;

    phases->view = phases->server.view;
    for (size_t i = 0; i < log->count && code == 0; i++)
        if (log->calls[i].answered)
            code = explain_calls_add(&phases_op_of(phases, series, i)->calls, &log->calls[i].times,
                                     &phases->server);
    for (size_t i = 0; i < phases->op_count && code == 0; i++)
        code = explain_calls_end_block(&phases->ops[i].calls);
    return code ? error_set(error, ERROR_FAILED, code, "out of memory for the calls") : 0;
}

/* Make SERIES' block and, under load, count the resources that the block uses. */
static int run_block_counting_use(struct phases_run *phases, const struct run_series *series,
                                  struct block *block, struct error *error)
{
    struct load_use *use = phases_use_of(phases, series);
    int code;

    if (phases->load)
        load_use_begin(use);
    code = session_run_block(&phases->run.session, series->index, block, error);
    if (phases->load)
        load_use_end(use, block->count);
    return code;
}

/* Make a block of series OBSERVED[INDEX] with timestamps, and add its logged calls to their ops. */
static int run_stamped_block(void *context, size_t index, struct block *block, struct error *error)
{
    struct phases_run *phases = context;
    struct series_set *set = &phases->run.session.set;
    const struct run_series *series = set->series[phases->observed[index]];
    struct engine **engine = &set->engines[series->service], *own = *engine;
    const size_t calls = series == set->mix ? phases->run.session.mix.capacity : block->count;
    int code = begin_stamped_block(phases, calls, error);

    if (code)
        return code;
    *engine = phases->engine;
    code = run_block_counting_use(phases, series, block, error);
    *engine = own;
    code = end_stamped_block(phases, code, error);
    if (code)
        return code;
    keep_logged(phases, block);
    return add_calls(phases, series, error);
}

static void measuring_begins(void *context)
{
    struct phases_run *phases = context;
    struct load_log *log = &phases->log;

    for (size_t i = 0; i < phases->op_count; i++) {
        explain_calls_clear(&phases->ops[i].calls);
        open_use(phases, &phases->ops[i]);
    }
    memset(log->lost, 0, sizeof log->lost);
    log->unmatched = log->dropped = 0;
    phases->server.events_lost = 0;
}

static bool are_phases_precise(const struct explain_run *run)
{
    const struct phases_run *phases = (const struct phases_run *)run;
    bool precise = true;

    for (size_t i = 0; i < phases->op_count && precise; i++)
        precise = explain_calls_are_precise(&phases->ops[i].calls, phases->view,
                                            &run->plan->run.precision);
    return precise;
}

static void close_phases(struct explain_run *run)
{
    struct phases_run *phases = (struct phases_run *)run;

    server_side_close(&phases->server);
    if (phases->engine)
        engine_close(phases->engine);
    load_log_close(&phases->log);
    for (size_t i = 0; i < phases->op_count; i++)
        explain_calls_close(&phases->ops[i].calls);
    free(phases->ops);
    free(phases->observed);
    free(phases->result.ops);
    free(phases->result.skipped);
}

const struct explain_method explain_phases = {
    .size = sizeof(struct phases_run),
    .shortest_round = explain_time_shortest_round,
    .open = open_phases,
    .add_series = add_stamped_series,
    .source = {.run = run_stamped_block, .measuring_begins = measuring_begins},
    .is_precise = are_phases_precise,
    .result = phases_make_result,
    .close = close_phases,
};
