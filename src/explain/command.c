/* The command 'nfsbench explain': makes the plan from the options, and runs the job. */
#include <unistd.h>

#include "explain/explain_run.h"
#include "explain/ladder/ladder.h"
#include "explain/options.h"
#include "explain/phases/events_answer.h"
#include "explain/phases/explain.h"
#include "explain/states/states.h"
#include "explain/xdr/xdr.h"
#include "job/console.h"
#include "job/job.h"
#include "job/plan.h"

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
    const struct explain_options *explain = &explain_own;
    int code = plan_make(&plan->run, options, error);
    bool states, of_means;

    plan->kind = kind_of(explain, &plan->run);
    states = plan->kind == RESULT_STATES;
    of_means = states || plan->kind == RESULT_EXPLANATION || plan->kind == RESULT_EXPLANATIONS;
    if (plan->run.precision.share == 0 && plan->run.precision.ns == 0)
        plan->run.precision =
            of_means ? (struct precision){.share = EXPLAIN_PRECISION} : PRECISION_USUAL;
    plan->sample = explain->sample;
    plan->slowest = explain->slowest;
    plan->no_server = explain->no_server;
    plan->kprofile = explain->kprofile;
    plan->server_command = plan->run.server_command;
    plan->echo = explain->echo;
    if (code == 0)
        code = forms_check(options, plan->kind, &plan->run, error);
    if (code == 0 && explain->predict)
        code = predictions_read(explain->predict, states ? rpc_phase_types : phase_types,
                                states ? RPC_PHASES : PHASE_TYPES, &plan->predictions, error);
    return code ? code : explain_plan_complete(plan, error);
}

struct run {
    struct explain_plan plan;
    struct explain_run *run;
};

static int measure_explained(void *run, struct error *error)
{
    struct run *self = run;
    int code;

    progress_begin(&self->plan.run);
    code = explain_run_open(&self->run, &self->plan, error);
    if (code == 0)
        code = explain_run_measure(self->run, error);
    return code;
}

static int unmount_session(void *run, struct error *error)
{
    struct explain_run *self = ((struct run *)run)->run;

    return self ? session_unmount(&self->session, error) : 0;
}

static int return_result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    const void *found = NULL;
    struct explain_run *self = ((struct run *)run)->run;
    int code = self ? explain_run_result(self, cut_short_by, &found, error) : 0;

    *result = (void *)(uintptr_t)found;
    return code;
}

static int run_explain(const struct options *options, int *status, struct error *error)
{
    static struct run run;
    int code = make_plan(&run.plan, options, error);
    const enum result_kind kind = run.plan.kind;
    const struct job job = {.kind = kind,
                            .measure = measure_explained,
                            .take_down = unmount_session,
                            .result = return_result,
                            .judged_if_interrupted = kind == RESULT_LADDER};

    if (code)
        return code;
    *status = job_run(&job, &run, options);
    explain_run_close(run.run);
    return 0;
}

static const struct view *const views[] = {&view_explanation, &view_explanations, &view_ladder,
                                           &view_xdr,         &view_states,       NULL};

static const struct command_form own_forms[] = {{FORM_trace, &form_trace}, {0}};

const struct command command_explain = {
    .purpose = PURPOSE_UNDERSTAND,
    .words = WORDS_TARGET_OPS,
    .groups = GROUPS_MEASURING | GROUP_POINT | GROUP_SERVER,
    .own = explain_option_table,
    .own_title = "what to explain",
    .set_defaults = explain_set_defaults,
    .check = explain_check,
    .views = views,
    .forms = own_forms,
    .clients_are_processes = true,
    .answer = events_answer,
    .name = "explain",
    .usage = "nfsbench explain [options] TARGET [OP[,OP...]] [COUNT]",
    .summary = "show how the time of a call is divided into phases",
    .about = "Shows the phases of a call from encoding to decoding, from timestamps that the "
             "client and its kernel take and, on the server's machine, from eBPF. One run can "
             "explain several ops, also under load. Without COUNT, the run ends when the mean of "
             "each phase is known well enough, or after --max-time (20 s). If TARGET is a "
             "directory on a mount, it shows the states of the kernel client's RPCs.",
    .examples = "  nfsbench explain self: getattr\n"
                "  nfsbench explain --slowest 5 server:/export read 100k\n"
                "  nfsbench explain --server-cmd 'ssh server' server:/export getattr\n"
                "  nfsbench explain --depth 32 self: getattr,read\n"
                "  nfsbench explain --ladder self: getattr\n"
                "  nfsbench explain --xdr self: all\n"
                "  nfsbench explain /mnt/export/dir read\n"
                "  nfsbench explain --knfsd localhost:/export read\n",
    .run = run_explain,
};
