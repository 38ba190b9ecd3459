#include "cli/explain_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/error_print.h"
#include "cli/explain_calls.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/session_rounds.h"
#include "common/cpu.h"
#include "explain/stamped.h"
#include "measure/paired.h"
#include "output/file.h"
#include "output/prediction.h"

/* The two series of its rounds: the same calls. */
enum { STAMPED, UNSTAMPED, BOTH };

struct explain_run {
    const struct explain_plan *plan;
    struct settings settings; /* of the session: the plan's, for the op alone */
    struct session session;
    struct engine *engines[BOTH];
    struct stamped_log log;
    struct explain_server server;
    struct explain_calls calls;
    struct block_source base; /* the session's own: what calls need, progress */
    struct rounds rounds;
    struct predictions predictions;
    struct explanation explanation;
};

static struct session_series *op_series(struct explain_run *run)
{
    return &run->session.series[0];
}

/* The rounds */

static int run_unstamped(struct explain_run *run, size_t count, uint64_t *ticks, size_t *recorded,
                         struct error *error)
{
    struct session_series *series = op_series(run);

    return engine_run(run->engines[UNSTAMPED], &series->call.engine, count, ticks, recorded,
                      &series->tally, error);
}

static int run_stamped(struct explain_run *run, size_t count, uint64_t *ticks, size_t *recorded,
                       struct error *error)
{
    struct session_series *series = op_series(run);
    struct error ignored;
    int code, ended;

    explain_server_begin(&run->server, run->log.port);
    code = engine_run(run->engines[STAMPED], &series->call.engine, count, ticks, recorded,
                      &series->tally, error);
    ended =
        explain_server_end(&run->server, run->log.calls, run->log.count, code ? &ignored : error);
    if (code || ended)
        return code ? code : ended;
    if (run->server.view != run->calls.phases.view)
        explain_calls_change_view(&run->calls, run->server.view);
    if (explain_calls_add(&run->calls, run->log.calls, run->log.count, &run->server) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the calls");
    return 0;
}

static int run_block(void *context, size_t index, size_t count, uint64_t *ticks, size_t *recorded,
                     struct error *error)
{
    struct explain_run *run = context;
    struct session_series *series = op_series(run);
    int code;

    series->call.engine.first = calls_next_variant(series, count);
    code = index == STAMPED ? run_stamped(run, count, ticks, recorded, error)
                            : run_unstamped(run, count, ticks, recorded, error);
    if (code == 0 && *recorded == 0)
        code = session_explain_failed_block(series, error);
    return code;
}

static int prepare_block(void *context, size_t index, size_t count, struct error *error)
{
    struct explain_run *run = context;

    return run->base.prepare(run->base.context, 0, count, error);
}

static int clear_block(void *context, size_t index, size_t count, struct error *error)
{
    struct explain_run *run = context;

    return run->base.clear(run->base.context, 0, count, error);
}

static void measuring_begins(void *context)
{
    struct explain_run *run = context;

    run->base.measuring_begins(run->base.context);
    explain_calls_begin(&run->calls, run->server.view, run->plan->slowest);
    memset(run->log.lost, 0, sizeof run->log.lost);
    run->log.stamps_unmatched = run->log.dropped = 0;
    run->server.events_lost = 0;
}

static void round_done(void *context, size_t round)
{
    struct explain_run *run = context;

    run->base.round_done(run->base.context, round);
}

static int measure(struct explain_run *run, struct error *error)
{
    struct session *session = &run->session;
    struct rounds_plan plan = {.series = BOTH,
                               .calls = run->settings.calls,
                               .block = session->block,
                               .warmup = !run->settings.no_warmup,
                               .seed = run->settings.seed};
    struct block_source source = {.run = run_block,
                                  .prepare = prepare_block,
                                  .clear = clear_block,
                                  .measuring_begins = measuring_begins,
                                  .round_done = round_done,
                                  .context = run};
    int code = rounds_open(&run->rounds, &plan, error);

    if (code)
        return code;
    run->base = session_blocks(session);
    progress_start(&session->progress, run->settings.quiet, run->rounds.planned, 0,
                   BOTH * session->block);
    code = rounds_run(&run->rounds, &plan, &session->clock, &source, error);
    session_rounds_end(session, code);
    return code;
}

/* What was found */

/* What stamps add to a call: round by round, the stamped block against the other. */
static void tell_stamping(struct explain_run *run, struct explanation *explanation)
{
    enum { ROUNDS_LEAST = 6 };
    struct series *series = run->rounds.series;
    struct error ignored;
    double *differences;

    explanation->unstamped_mean = series[UNSTAMPED].histogram.mean;
    if (run->rounds.done < ROUNDS_LEAST)
        return;
    differences = paired_differences(&series[UNSTAMPED], &series[STAMPED], BLOCK_TRIMMED_MEAN,
                                     run->rounds.done, &ignored);
    explanation->has_stamping =
        differences && estimate_median_interval(differences, run->rounds.done, run->settings.seed,
                                                &explanation->stamping, &ignored) == 0;
    free(differences);
}

static void tell_where(struct explain_run *run, struct explanation *explanation)
{
    const struct session *session = &run->session;
    struct result_host host;
    struct tm broken_down;

    host_fill(&host);
    gmtime_r(&session->started, &broken_down);
    strftime(explanation->start, sizeof explanation->start, "%Y-%m-%dT%H:%M:%SZ", &broken_down);
    explanation->target = run->settings.target_text;
    explanation->op = op_series(run)->name;
    explanation->transport = transport_name(session->target.transport);
    snprintf(explanation->kernel, sizeof explanation->kernel, "%s", host.kernel);
    snprintf(explanation->cpu, sizeof explanation->cpu, "%s", host.cpu);
    cpu_allowed_list(explanation->client_cpus);
    explanation->server_cpu = session->target.self ? session->self.pinned_cpu : -1;
    explanation->seed = run->settings.seed;
    explanation->call_bytes = op_series(run)->call.engine.messages[0].length;
    explanation->reply_bytes = op_series(run)->call.reply_length;
}

static void fill(struct explain_run *run, const char *cut_short_by)
{
    struct explanation *explanation = &run->explanation;

    memset(explanation, 0, sizeof *explanation);
    tell_where(run, explanation);
    tell_stamping(run, explanation);
    explanation->phases = &run->calls.phases;
    for (unsigned kind = 0; kind < STAMP_KINDS; kind++)
        explanation->stamps_lost += run->log.lost[kind];
    explanation->stamps_unmatched = run->log.stamps_unmatched;
    explanation->dropped = run->log.dropped;
    explanation->events_lost = run->server.events_lost;
    /* Lost in the block that ended the run, it is there for those before. */
    explanation->server_lacking =
        explanation->phases->view == &phase_view_client ? run->server.lacking : NULL;
    explanation->cut_short_by = cut_short_by;
    explain_rows(explanation);
    explain_calls_tell(&run->calls, explanation);
    if (run->plan->predict)
        explain_predict(explanation, &run->predictions);
}

static int tell(const struct explain_run *run, struct error *error)
{
    struct terminal terminal = terminal_of(stdout);

    if (explain_plan_wants_table(run->plan))
        explain_print(&run->explanation, &terminal, stdout);
    if (fflush(stdout) != 0)
        return error_set(error, ERROR_FAILED, -errno, "writing the table: %s", strerror(errno));
    return file_forms_write(run->plan->forms, EXPLAIN_FORMS, &run->explanation, error);
}

static int refuse_to_explain(const struct explain_run *run, struct error *error)
{
    const struct phases *phases = &run->calls.phases;
    const uint64_t *lost = run->log.lost;

    return error_set(error, ERROR_FAILED, -ENODATA,
                     "no call could be explained: %" PRIu64 " lacked a moment (never came: %" PRIu64
                     " %s, %" PRIu64 " %s, %" PRIu64 " %s; %" PRIu64
                     " of the server's events were lost), %" PRIu64 " were out of order, %" PRIu64
                     " sent again; try --no-server, or a smaller --block",
                     phases->incomplete, lost[STAMP_SCHEDULED], stamp_names[STAMP_SCHEDULED],
                     lost[STAMP_TRANSMITTED], stamp_names[STAMP_TRANSMITTED], lost[STAMP_RECEIVED],
                     stamp_names[STAMP_RECEIVED], run->server.events_lost, phases->out_of_order,
                     phases->retransmitted);
}

/* What was measured is told whatever ended the run. */
static int report(struct explain_run *run, const char *cut_short_by, struct error *error)
{
    if (run->calls.phases.lifetime.count == 0)
        return refuse_to_explain(run, error);
    fill(run, cut_short_by);
    return tell(run, error);
}

/* The run */

static int open_run(struct explain_run *run, struct error *error)
{
    struct session *session = &run->session;
    struct engine_config config;
    int code = session_open(session, &run->settings, error);

    if (code)
        return code;
    config = (struct engine_config){.endpoint = calls_endpoint(session, op_series(run)->service),
                                    .channel = session_channel_options(&run->settings),
                                    .clock = &session->clock,
                                    .load = run->settings.load};
    code = stamped_open(&run->engines[STAMPED], &config, true, &run->log, error);
    if (code == 0)
        code = stamped_open(&run->engines[UNSTAMPED], &config, false, NULL, error);
    if (code)
        return code;
    explain_server_open(&run->server, run->plan, session, run->log.port);
    explain_calls_begin(&run->calls, run->server.view, run->plan->slowest);
    return 0;
}

static void close_run(struct explain_run *run)
{
    explain_server_close(&run->server);
    for (size_t i = 0; i < BOTH; i++)
        if (run->engines[i])
            engine_close(run->engines[i]);
    session_close(&run->session);
    stamped_log_free(&run->log);
    explain_calls_free(&run->calls);
    rounds_close(&run->rounds);
}

static int run_all(struct explain_run *run)
{
    struct error error, other;
    int status = 0, code = open_run(run, &error);
    bool measured = false;

    if (code == 0) {
        code = measure(run, &error);
        measured = run->rounds.done > 0;
    }
    if (code && interrupt_ended(code))
        error_set(&error, ERROR_FAILED, -EINTR, "interrupted");
    if (measured && report(run, code ? error.text : NULL, &other) != 0) {
        error_print(&other);
        status = (int)other.kind;
    }
    if (session_unmount(&run->session, &other) != 0 && code == 0)
        error_print(&other);
    if (code) {
        error_print(&error);
        status = (int)error.kind;
    }
    return status;
}

int explain_run(const struct explain_plan *plan)
{
    struct explain_run *run = calloc(1, sizeof *run);
    struct error error;
    int status;

    if (!run) {
        fprintf(stderr, "nfsbench: out of memory\n");
        return ERROR_FAILED;
    }
    run->plan = plan;
    run->settings = plan->settings;
    run->settings.no_baseline = true;
    if (plan->predict && predictions_read(plan->predict, &run->predictions, &error) != 0) {
        error_print(&error);
        status = (int)error.kind;
    } else {
        status = run_all(run);
        close_run(run);
    }
    free(run);
    return status;
}
