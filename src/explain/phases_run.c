/* The phases of calls: the op is called with and without timestamps in the same rounds. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explain/calls.h"
#include "explain/explain_fill.h"
#include "explain/explain_judge.h"
#include "explain/stamped.h"

/* The two series of the rounds, with the same calls. */
enum { STAMPED, UNSTAMPED, BOTH };

struct phases_run {
    struct explain_run run;
    struct engine *engines[BOTH];
    struct stamped_log log;
    struct server_side server;
    struct explain_calls calls;
    struct explanation explanation;
    struct outcome outcome; /* of the blocks without timestamps */
};

static struct run_series *op_series(const struct phases_run *phases)
{
    return phases->run.session.set.series[0];
}

/* Opening */

static int open_engines(struct phases_run *phases, struct error *error)
{
    const struct run_plan *plan = &phases->run.plan->run;
    struct session *session = &phases->run.session;
    enum service_kind service = op_series(phases)->service;
    struct channel_options options = setup_channel_options(plan);
    const struct engine_config config = {.endpoint = setup_endpoint(&session->setup, service),
                                         .channel =
                                             setup_secure(&session->setup, service, &options),
                                         .clock = &session->clock,
                                         .load = plan->load};
    int code;

    phases->log.sample = phases->run.plan->sample;
    phases->log.sampling = server_side_sample;
    phases->log.context = &phases->server;
    code = stamped_open(&phases->engines[STAMPED], &config, true, &phases->log, error);

    return code ? code : stamped_open(&phases->engines[UNSTAMPED], &config, false, NULL, error);
}

static int open_phases(struct explain_run *run, struct error *error)
{
    struct phases_run *phases = (struct phases_run *)run;
    int code = open_engines(phases, error);

    if (code)
        return code;
    server_side_open(&phases->server, run->plan, &run->session.setup, phases->log.port);
    return explain_calls_open(&phases->calls, phases->server.view, run->plan->slowest, error);
}

/* The rounds */

static uint64_t shape(const struct explain_run *run, size_t *series, uint32_t *blocks,
                      bool *follows)
{
    *series = BOTH;
    blocks[STAMPED] = blocks[UNSTAMPED] = run->session.set.block;
    return BOTH * (uint64_t)run->session.set.block;
}

static size_t calls_of(const struct explain_run *run, size_t series)
{
    return 0; /* both are calls of the op, the session's only series */
}

static int run_unstamped(struct phases_run *phases, struct block *block, struct error *error)
{
    struct run_series *series = op_series(phases);

    return series_run_watched(&phases->run.session.set, series, phases->engines[UNSTAMPED],
                              &series->call.engine, block, &series->tally, error);
}

static int run_stamped(struct phases_run *phases, struct block *block, struct error *error)
{
    struct run_series *series = op_series(phases);
    struct server_side *server = &phases->server;
    struct stamped_log *log = &phases->log;
    struct error ignored;
    int code, ended;

    server_side_begin(server, log->port);
    server_side_sample(server, log->sample == 1);
    code = series_run_watched(&phases->run.session.set, series, phases->engines[STAMPED],
                              &series->call.engine, block, &series->tally, error);
    ended = server_side_end(server, log->calls, log->count, code ? &ignored : error);
    if (code || ended)
        return code ? code : ended;
    stamped_log_gather_decryption(log);
    if (server->view != phases->calls.phases.view)
        explain_calls_change_view(&phases->calls, server->view);
    if (explain_calls_add(&phases->calls, log->calls, log->count, server) != 0 ||
        explain_calls_end_block(&phases->calls) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the calls");
    return 0;
}

static int run_block(void *context, size_t index, struct block *block, struct error *error)
{
    struct phases_run *phases = context;
    struct run_series *series = op_series(phases);
    int code;

    code =
        index == STAMPED ? run_stamped(phases, block, error) : run_unstamped(phases, block, error);
    if (code == 0 && block->recorded == 0)
        code = series_explain_failed_block(series, error);
    return code;
}

static void show_rounds(struct explain_run *run)
{
    session_set_rounds(&run->session, &run->rounds, UNSTAMPED);
}

static void measuring_begins(struct explain_run *run)
{
    struct phases_run *phases = (struct phases_run *)run;
    struct stamped_log *log = &phases->log;

    explain_calls_begin(&phases->calls, phases->server.view);
    memset(log->lost, 0, sizeof log->lost);
    log->stamps_unmatched = log->dropped = 0;
    phases->server.events_lost = 0;
}

/* Result */

static void fill(struct phases_run *phases, const char *cut_short_by)
{
    struct explanation *explanation = &phases->explanation;
    const struct predictions *predictions = &phases->run.plan->predictions;

    memset(explanation, 0, sizeof *explanation);
    explain_fill_environment(explanation, &phases->run.session, op_series(phases));
    explain_fill_stamping(explanation, &phases->run, UNSTAMPED, STAMPED);
    explanation->sample = phases->log.sample;
    explanation->phases = &phases->calls.phases;
    for (unsigned kind = 0; kind < STAMP_KINDS; kind++)
        explanation->stamps_lost += phases->log.lost[kind];
    explanation->stamps_unmatched = phases->log.stamps_unmatched;
    explanation->dropped = phases->log.dropped;
    explanation->events_lost = phases->server.events_lost;
    /* If the server's side was lost only in the last block, earlier ones still have it. */
    explanation->server_missing =
        explanation->phases->view == &phase_view_client ? phases->server.missing : NULL;
    explanation->cut_short_by = cut_short_by;
    explain_rows(explanation);
    explain_calls_fill(&phases->calls, explanation);
    explain_predict(explanation, predictions);
}

static int refuse_to_explain(const struct phases_run *run, struct error *error)
{
    const struct phases *phases = &run->calls.phases;
    const uint64_t *lost = run->log.lost;

    return error_set(error, ERROR_FAILED, -ENODATA,
                     "no call could be explained: %" PRIu64 " lacked a timestamp (missing: %" PRIu64
                     " %s, %" PRIu64 " %s, %" PRIu64 " %s; %" PRIu64
                     " of the server's events were lost), %" PRIu64
                     " had timestamps out of order, %" PRIu64
                     " were retransmitted; try --no-server, or a smaller --block",
                     phases->incomplete, lost[STAMP_SCHEDULED], stamp_names[STAMP_SCHEDULED],
                     lost[STAMP_TRANSMITTED], stamp_names[STAMP_TRANSMITTED], lost[STAMP_RECEIVED],
                     stamp_names[STAMP_RECEIVED], run->server.events_lost, phases->out_of_order,
                     phases->retransmitted);
}

static int make_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error)
{
    struct phases_run *phases = (struct phases_run *)run;

    if (phases->calls.phases.lifetime.count == 0)
        return refuse_to_explain(phases, error);
    fill(phases, cut_short_by);
    run->session.measuring.calls_beside = run->rounds.series[STAMPED].calls;
    *result = &phases->explanation;
    return explain_judge(&phases->explanation, 1, &phases->outcome, &run->session, error);
}

static void close_phases(struct explain_run *run)
{
    struct phases_run *phases = (struct phases_run *)run;

    outcome_free(&phases->outcome);
    run->session.measuring.rounds = (struct rounds){.series = NULL}; /* owned by the run */
    server_side_close(&phases->server);
    for (size_t i = 0; i < BOTH; i++)
        if (phases->engines[i])
            engine_close(phases->engines[i]);
    stamped_log_free(&phases->log);
    explain_calls_close(&phases->calls);
}

const struct explain_method explain_phases = {
    .size = sizeof(struct phases_run),
    .open = open_phases,
    .shape = shape,
    .calls_of = calls_of,
    .run_block = run_block,
    .begins = measuring_begins,
    .show_rounds = show_rounds,
    .result = make_result,
    .close = close_phases,
};
