/* nfsbench sec-ladder: what each security flavor that a server offers costs above AUTH_SYS. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "measure/clock.h"
#include "run/sec_ladder.h"
#include "server/gss.h"

/* Progress */

struct progress {
    bool shown;
    uint64_t began_ns;
};

static void show_trial(void *context, const struct sec_ladder *ladder,
                       const struct sec_point *point)
{
    const struct progress *progress = context;
    const double seconds = (double)(clock_raw_ns() - progress->began_ns) / 1e9;
    char left[PROGRESS_LEFT_SIZE], name[SEC_NAME_SIZE];

    if (progress->shown)
        progress_show(
            "%zu of %zu trials, %s; %s by %s, depth %u", ladder->trials_done,
            ladder->trials_planned,
            progress_left(seconds * (double)(ladder->trials_planned - ladder->trials_done) /
                              (double)ladder->trials_done,
                          left),
            sec_point_name(point, name), point->security, point->depth);
}

/* The result */

static void print(const struct options *options, const void *ladder, FILE *out)
{
    view_write_text(&view_sec_ladder, ladder, options->verbose, out);
}

/* Report what was measured, whatever ended the ladder. Returns an exit status. */
static int report(const struct options *options, struct sec_ladder *ladder, int code,
                  const struct error *ended_by)
{
    int status =
        code ? (int)ended_by->kind : measure_exit_status(ladder->validity.verdict, options);
    struct error error;

    ladder->cut_short_by = code ? ended_by->text : NULL;
    if (code == 0)
        measure_warn(&ladder->validity, options);
    if (ladder->trials_done == 0 ||
        command_write_result(options, RESULT_SEC_LADDER, ladder, print, &error) == 0)
        return status;
    error_print(&error);
    return status ? status : (int)error.kind;
}

/* The plan */

/* Has the embedded server a key? Then it offers Kerberos; else *MISSING is why not, in ERROR. */
static void offer_kerberos(struct run_plan *plan, const char **missing, struct error *error)
{
    const struct policy none = {.flavor_count = 0};
    struct gss_server *server;

    if (!plan->target.self)
        return;
    if (gss_server_open(&server, NULL, &none, error) == 0) {
        gss_server_close(server);
        plan_offer_kerberos(plan);
    } else {
        *missing = error->text;
    }
}

/* Where no op is named, there are three. */
static int make_plan(struct sweep_plan *plan, const struct options *options, struct error *error)
{
    static char ops[] = "getattr,read,write";
    const size_t count = options->word_count;
    char *words[] = {count > 0 ? options->words[0] : NULL, ops,
                     count > 1 ? options->words[1] : NULL};
    struct options with_ops = *options;

    if (count == 1 || (count == 2 && isdigit((unsigned char)words[2][0]))) {
        with_ops.words = words;
        with_ops.word_count = count + 1;
    }
    return plan_make_sweep(plan, &with_ops, error);
}

/* The command */

static int measure(const struct options *options, struct sweep_plan *plan)
{
    struct progress progress = {.shown = !options->plan.quiet, .began_ns = clock_raw_ns()};
    const struct sec_ladder_observer observer = {.context = &progress, .trial_done = show_trial};
    static struct sec_ladder_run run;
    const char *no_kerberos = NULL;
    struct error error, missing;
    int code, status;

    interrupt_catch();
    offer_kerberos(&plan->base, &no_kerberos, &missing);
    code = sec_ladder_run(&run, plan, no_kerberos, &observer, &error);
    progress_end();
    if (code && interrupt_flag)
        error_set(&error, ERROR_FAILED, -EINTR, "interrupted");
    status = report(options, &run.ladder, code, &error);
    if (code)
        error_print(&error);
    sec_ladder_run_free(&run);
    return status;
}

static int run(const struct options *options, int *status, struct error *error)
{
    static struct sweep_plan plan;
    int code = make_plan(&plan, options, error);

    if (code == 0)
        code = forms_check(options, RESULT_SEC_LADDER, &plan.base, error);
    if (code == 0)
        *status = measure(options, &plan);
    return code;
}

const struct command command_sec_ladder = {
    .bit = COMMAND_SEC_LADDER,
    .name = "sec-ladder",
    .usage = "nfsbench sec-ladder [options] TARGET [OP[,OP...]] [COUNT]",
    .summary = "measure what each security flavor costs above AUTH_SYS",
    .about =
        "Measures ops by each security flavor that the server offers (sys, none, krb5, krb5i, "
        "krb5p), each against AUTH_SYS in the same rounds. It prints what a call costs more, what "
        "a KiB of READ or WRITE costs more, processor time per call on both sides, and the rate "
        "with 64 calls in flight. A flavor that can't be had is left out, with the reason. Without "
        "OP: getattr, read and write. COUNT is the number of calls in each trial.\n\n"
        "A LIST is made of values and of ranges FIRST..LAST (doublings), separated by commas. The "
        "sizes are 4Ki, 64Ki and 1Mi unless --size is given, as far as the server takes them, and "
        "the depth is 64; rates are of the first size.",
    .examples = "  nfsbench sec-ladder server:/export\n"
                "  nfsbench sec-ladder --size 4Ki..1Mi server:/export read,write -j ladder.json\n"
                "  scripts/with-kerberos nfsbench sec-ladder self: getattr\n",
    .status = "0 ok, 1 the ladder failed or its verdict is not ok, 2 usage, 3 the server could not "
              "be reached.",
    .run = run,
};
