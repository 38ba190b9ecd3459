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

struct run {
    struct sweep_plan plan;
    uint64_t began_ns;
    const char *no_kerberos; /* why; NULL: it is offered, if the server has it */
    struct error missing;
    struct sec_ladder_run ladder;
};

static void show_trial(void *context, const struct experiment_result *ladder,
                       const struct experiment_cell *point)
{
    const struct run *run = context;
    char left[PROGRESS_LEFT_SIZE], name[CELL_NAME_SIZE];

    if (!run->plan.base.quiet)
        progress_show("%zu of %zu trials, %s; %s by %s, depth %u", ladder->units_done,
                      ladder->units_planned,
                      progress_left(run->began_ns, ladder->units_done, ladder->units_planned, left),
                      cell_name(point, name), point->variant, point->setting.depth);
}

/* The plan */

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

/* The run */

/* Has the embedded server a key? Then it offers Kerberos. */
static void offer_kerberos(struct run *run)
{
    const struct policy none = {.flavor_count = 0};
    struct gss_server *server;

    if (!run->plan.base.target.self)
        return;
    if (gss_server_open(&server, NULL, &none, &run->missing) == 0) {
        gss_server_close(server);
        plan_offer_kerberos(&run->plan.base);
    } else {
        run->no_kerberos = run->missing.text;
    }
}

static int measure(void *run, struct error *error)
{
    struct run *self = run;
    const struct sec_ladder_observer observer = {.context = self, .trial_done = show_trial};

    offer_kerberos(self);
    self->began_ns = clock_raw_ns();
    return sec_ladder_run(&self->ladder, &self->plan, self->no_kerberos, &observer, error);
}

static int result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct experiment_result *ladder = &((struct run *)run)->ladder.ladder;

    ladder->cut_short_by = cut_short_by;
    *result = ladder->units_done > 0 ? ladder : NULL;
    return 0;
}

static int judge(const struct job *job, const struct options *options, void *result)
{
    return measure_judge(&((const struct experiment_result *)result)->validity, options);
}

static const struct job job = {
    .kind = RESULT_EXPERIMENT, .measure = measure, .result = result, .judge = judge};

static int run(const struct options *options, int *status, struct error *error)
{
    static struct run run;
    int code = make_plan(&run.plan, options, error);

    if (code == 0)
        code = forms_check(options, RESULT_EXPERIMENT, &run.plan.base, error);
    if (code)
        return code;
    *status = job_run(&job, &run, options);
    sec_ladder_run_free(&run.ladder);
    return 0;
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
