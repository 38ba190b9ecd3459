/* nfsbench explain: where each microsecond of a call goes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "explain/explain.h"
#include "explain/ladder.h"
#include "explain/states.h"
#include "explain/xdr.h"

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

    plan->kind = kind_of(explain, &plan->run);
    plan->sample = explain->sample;
    plan->slowest = explain->slowest;
    plan->no_server = explain->no_server;
    plan->server_command = options->plan.server_command;
    plan->echo = explain->echo;
    if (code == 0)
        code = forms_check(options, plan->kind, &plan->run, error);
    if (code == 0 && explain->predict)
        code = predictions_read(explain->predict,
                                plan->kind == RESULT_STATES ? rpc_phase_views : phase_views,
                                &plan->predictions, error);
    return code ? code : explain_plan_settle(plan, error);
}

static void print_result(enum result_kind kind, const void *result, bool verbose)
{
    const struct terminal terminal = terminal_of(stdout);

    if (kind == RESULT_EXPLANATION)
        explain_print(result, verbose, &terminal, stdout);
    else if (kind == RESULT_EXPLANATIONS)
        explain_print_ops(result, verbose, &terminal, stdout);
    else
        view_write_text(forms_view(kind), result, verbose, stdout);
}

static int write_result(const struct options *options, enum result_kind kind, const void *result,
                        struct error *error)
{
    if (!options->plan.quiet && !forms_on_stdout(options->forms))
        print_result(kind, result, options->verbose);
    return forms_write(options->forms, kind, result, error);
}

/* A ladder has the verdict of the run that measured its NULL and op, and so have states; XDR has
 * none. */
static const struct validity *validity_of(enum result_kind kind, const void *result)
{
    switch (kind) {
    case RESULT_LADDER:
        return &((const struct ladder_result *)result)->run->validity;
    case RESULT_STATES:
        return &((const struct states_result *)result)->run->validity;
    case RESULT_EXPLANATION:
        return ((const struct explanation *)result)->validity;
    case RESULT_EXPLANATIONS:
        return ((const struct explanations *)result)->ops[0].validity;
    default:
        return NULL;
    }
}

static int exit_status(const struct options *options, enum result_kind kind, const void *result)
{
    const struct validity *validity = validity_of(kind, result);

    if (!validity)
        return 0;
    measure_warn(validity, options);
    return measure_exit_status(validity->verdict, options);
}

/* Report what was measured, whatever ended the run: CODE, with ENDED_BY set unless CODE is 0.
 * Returns an exit status; a ladder that the user interrupted still has its verdict. */
static int report(struct explain_run *run, const struct options *options, int code,
                  const struct error *ended_by)
{
    enum result_kind kind = run->plan->kind;
    bool judged = code == 0 || (code == -EINTR && kind == RESULT_LADDER);
    int status = code ? (int)ended_by->kind : 0;
    const void *result;
    struct error error;
    int failed = explain_run_result(run, code ? ended_by->text : NULL, &result, &error);

    if (failed == 0 && result) {
        status = judged ? exit_status(options, kind, result) : status;
        failed = write_result(options, kind, result, &error);
    }
    if (failed == 0)
        return status;
    error_print(&error);
    return judged ? (int)error.kind : status;
}

/* Returns an exit status. */
static int measure(struct explain_run **run, const struct explain_plan *plan,
                   const struct options *options)
{
    struct error error, unmount_error;
    int status, code = explain_run_open(run, plan, &error);

    if (code == 0)
        code = explain_run_measure(*run, &error);
    if (code && interrupt_ended(code))
        error_set(&error, ERROR_FAILED, code, "interrupted");
    if (*run && explain_run_unmount(*run, &unmount_error) != 0 && code == 0)
        error_print(&unmount_error);
    status = *run ? report(*run, options, code, &error) : (int)error.kind;
    if (code)
        error_print(&error);
    return status;
}

static int run(const struct options *options, int *status, struct error *error)
{
    static struct explain_plan plan;
    struct explain_run *explain_run;
    int code = make_plan(&plan, options, error);

    if (code)
        return code;
    interrupt_catch();
    *status = measure(&explain_run, &plan, options);
    explain_run_close(explain_run);
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
        "Several ops are explained in one run, also under load. COUNT defaults to 40k calls. Of a "
        "directory on a mount of the kernel's client: the states of its RPCs.",
    .examples = "  nfsbench explain self: getattr\n"
                "  nfsbench explain --slowest 5 --svg read.svg server:/export read 100k\n"
                "  nfsbench explain --server-cmd 'ssh server' server:/export getattr\n"
                "  nfsbench explain --depth 32 self: getattr,read\n"
                "  nfsbench explain --ladder self: getattr\n"
                "  nfsbench explain --xdr self: all\n"
                "  nfsbench explain /mnt/export/dir read\n"
                "  nfsbench explain --knfsd localhost:/export read\n",
    .run = run,
};
