/* nfsbench explain: where each microsecond of a call goes. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "common/ticker.h"
#include "explain/explain_run.h"
#include "explain/states.h"

static enum result_kind kind_of(const struct explain_options *explain, const struct run_plan *plan)
{
    if (explain->ladder)
        return RESULT_LADDER;
    if (explain->xdr)
        return RESULT_XDR;
    if (plan->target.mounted || explain->knfsd)
        return RESULT_STATES;
    return plan->op_count > 1 || plan->mix_name ? RESULT_EXPLANATIONS : RESULT_EXPLANATION;
}

static int make_plan(struct explain_plan *plan, const struct options *options, struct error *error)
{
    const struct explain_options *explain = &options->explain;
    int code = plan_make(&plan->run, options, error);
    bool states, of_means;

    plan->kind = kind_of(explain, &plan->run);
    states = plan->kind == RESULT_STATES;
    of_means = states || plan->kind == RESULT_EXPLANATION || plan->kind == RESULT_EXPLANATIONS;
    if (of_means && !options_given(options, plan.precision))
        plan->run.precision = (struct precision){.share = EXPLAIN_PRECISION};
    plan->sample = explain->sample;
    plan->slowest = explain->slowest;
    plan->no_server = explain->no_server;
    plan->server_command = options->plan.server_command;
    plan->echo = explain->echo;
    if (code == 0)
        code = forms_check(options, plan->kind, &plan->run, error);
    if (code == 0 && explain->predict)
        code = predictions_read(explain->predict, states ? rpc_phase_types : phase_types,
                                states ? RPC_PHASES : PHASE_TYPES, &plan->predictions, error);
    return code ? code : explain_plan_settle(plan, error);
}

/* Progress: what is going on, and how much of the time is left; on a terminal once a second at
 * least. */

static struct {
    struct ticker ticker;
    const struct run_plan *plan;
    uint64_t began_ns; /* on the deadline's clock */
    const char *_Atomic phase;
    _Atomic size_t round; /* of the phase; 0: it has none */
} progress;

static void show_phase(void *context)
{
    const struct deadline *deadline = &progress.plan->deadline;
    const size_t round = progress.round;
    char rounds[40] = "";

    if (round)
        snprintf(rounds, sizeof rounds, ", round %zu", round);
    if (deadline->at_ns)
        progress_show("%s%s, %.0f s left at most", progress.phase, rounds,
                      (double)deadline_left_ns(deadline) / 1e9);
    else
        progress_show("%s%s, %.0f s so far", progress.phase, rounds,
                      (double)(deadline_now_ns() - progress.began_ns) / 1e9);
}

/* With a number of calls it is known how much of it is done. */
static void on_progress(void *context, const struct run_progress *rounds)
{
    progress.phase = rounds->ended           ? "analysing"
                     : rounds->began_ns == 0 ? "warming up"
                                             : "measuring";
    progress.round = rounds->ended ? 0 : rounds->round;
    if (progress.plan->calls) {
        ticker_stop(&progress.ticker);
        progress_observer.progress(context, rounds);
    } else if (!progress.plan->quiet) {
        show_phase(NULL);
    }
}

static void begin_progress(struct run_plan *plan)
{
    static struct run_observer observer;

    observer = progress_observer;
    observer.progress = on_progress;
    plan->observer = &observer;
    progress.plan = plan;
    progress.began_ns = deadline_now_ns();
    progress.phase = "mounting and trying calls";
    if (!plan->quiet && isatty(STDERR_FILENO))
        ticker_start(&progress.ticker, 1000000000 / 2, show_phase, NULL);
}

/* The run */

struct run {
    struct explain_plan plan;
    struct explain_run *run;
};

static int measure(void *run, struct error *error)
{
    struct run *self = run;
    int code;

    begin_progress(&self->plan.run);
    code = explain_run_open(&self->run, &self->plan, error);
    if (code == 0)
        code = explain_run_measure(self->run, error);
    ticker_stop(&progress.ticker);
    return code;
}

static int unmount(void *run, struct error *error)
{
    struct explain_run *self = ((struct run *)run)->run;

    return self ? explain_run_unmount(self, error) : 0;
}

static int result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    const void *found = NULL;
    struct explain_run *self = ((struct run *)run)->run;
    int code = self ? explain_run_result(self, cut_short_by, &found, error) : 0;

    *result = (void *)(uintptr_t)found;
    return code;
}

static int run(const struct options *options, int *status, struct error *error)
{
    static struct run run;
    int code = make_plan(&run.plan, options, error);
    const enum result_kind kind = run.plan.kind;
    const struct job job = {.kind = kind,
                            .measure = measure,
                            .take_down = unmount,
                            .result = result,
                            .judged_if_interrupted = kind == RESULT_LADDER};

    if (code)
        return code;
    *status = job_run(&job, &run, options);
    explain_run_close(run.run);
    return 0;
}

const struct command command_explain = {
    .bit = COMMAND_EXPLAIN,
    .name = "explain",
    .usage = "nfsbench explain [options] TARGET [OP[,OP...]] [COUNT]",
    .summary = "show where each microsecond of a call goes",
    .about =
        "Shows where each microsecond of a call goes: its phases from encoding to decoding, from "
        "timestamps that the client and its kernel take and, on the server's machine, from eBPF. "
        "Several ops are explained in one run, also under load. Without COUNT it ends when the "
        "parts "
        "are known well, or with --max-time (20 s). Of a directory on a mount of the kernel's "
        "client: the states of its RPCs.",
    .examples = "  nfsbench explain self: getattr\n"
                "  nfsbench explain --slowest 5 server:/export read 100k\n"
                "  nfsbench explain --server-cmd 'ssh server' server:/export getattr\n"
                "  nfsbench explain --depth 32 self: getattr,read\n"
                "  nfsbench explain --ladder self: getattr\n"
                "  nfsbench explain --xdr self: all\n"
                "  nfsbench explain /mnt/export/dir read\n"
                "  nfsbench explain --knfsd localhost:/export read\n",
    .run = run,
};
