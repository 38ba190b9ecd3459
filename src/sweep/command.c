/* Experiments and their presets: nfsbench sweep, its security ladder, run's --vary and --versus. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/printable.h"
#include "job/console.h"
#include "job/plan.h"
#include "measure/clock.h"
#include "sweep/launches.h"
#include "sweep/options.h"
#include "sweep/sides.h"
#include "sweep/variants.h"

struct run {
    struct experiment_plan plan;
    /* copy of the first variant's plan, from which a security ladder's variants are made */
    struct run_plan base;
    const struct options *options;
    uint64_t began_ns; /* clock_raw_ns() when the first visit began */
    struct error no_kerberos;
    struct experiment_run experiment;
};

static void show_full_rate(void *context)
{
    if (!((const struct run *)context)->options->plan.quiet)
        progress_show("measuring the rate of a closed loop");
}

static void show_probe(const struct experiment_result *result, const struct experiment_cell *cell)
{
    progress_show("probe %zu: %.0f calls/s: %s", result->cell_count + 1, cell->setting.rate,
                  cell->answer == OBJECTIVE_HELD     ? "met"
                  : cell->answer == OBJECTIVE_FAILED ? "not met"
                                                     : "inconclusive");
}

static void show_visit(void *context, const struct experiment_result *result,
                       const struct experiment_cell *cell)
{
    const struct run *run = context;
    char left[PROGRESS_LEFT_SIZE], label[FIELD_ROOM];

    if (run->options->plan.quiet)
        return;
    if (result->objective_text)
        show_probe(result, cell);
    else
        progress_show("%zu of %zu trials%s%s; %s: %.0f calls/s", result->units_done,
                      result->units_planned, run->base.deadline.at_ns ? "" : ", ",
                      run->base.deadline.at_ns ? ""
                                               : progress_left(run->began_ns, result->units_done,
                                                               result->units_planned, left),
                      cell_label(result, cell, true, label),
                      cell->units > 0 ? cell->figures[CELL_RATE][cell->units - 1] : 0.);
}

static void show_trial(void *context, const char *what)
{
    if (!((const struct run *)context)->options->plan.quiet)
        progress_show("at the limit, trying %s", what);
}

/* The variants of a security ladder */

/* Set VALUES to LIST's values or, if LIST is empty, to USUAL. Returns the number of values. */
static size_t values_of(const struct varied *list, const char *const *usual, size_t usual_count,
                        const char *const **values)
{
    *values = list->count ? list->values : usual;
    return list->count ? list->count : usual_count;
}

/* For each flavor that OFFER allows, add a variant of OP with SIZE and DEPTH to RUN. */
static int add_flavors(struct run *run, const struct sec_offer *offer,
                       const struct nfs_procedure *op, uint32_t size, uint32_t depth,
                       struct error *error)
{
    struct experiment_plan *plan = &run->plan;
    const size_t family = plan->count;
    int code = 0;

    for (size_t i = 0; sec_flavor_name(i) && code == 0; i++) {
        struct variant *variant = &plan->variants[plan->count];

        if (sec_why_not(&run->base, offer, i))
            continue;
        if (plan->count == CELLS_MAXIMUM)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "the values of op, size, depth and flavor have more than %d "
                             "combinations; give fewer",
                             CELLS_MAXIMUM);
        *variant =
            (struct variant){.other = sec_flavor_name(i), .plan = run->base, .family = family};
        snprintf(variant->name, sizeof variant->name, "%s", variant->other);
        variant->plan.ops[0] = op;
        variant->plan.op_count = 1;
        variant->plan.read_size = size;
        variant->plan.load_request.depth = depth;
        variant->plan.no_baseline = true;
        variant->plan.verify_in_time &= depth == 1;
        sec_flavor_set(&variant->plan, i);
        code = run_plan_complete(&variant->plan, error);
        plan->count++;
    }
    return code;
}

/* Add OP's variants: each size with one call in flight, and the first size at each larger depth. If
 * the user gave no sizes, default sizes above OFFER's maximum are left out, except the first. */
static int add_op(struct run *run, const struct sec_offer *offer, const struct nfs_procedure *op,
                  struct error *error)
{
    static const char *const depth_usual[] = {"64"}, *const sizes_usual[] = {"4096", "65536",
                                                                             "1048576"};
    const bool moves = op->transfer != NFS_TRANSFER_NONE;
    const struct varied *varied = sweep_own.varied;
    const char *const *sizes, *const *depths;
    const size_t size_count = moves ? values_of(&varied[VARY_SIZE], sizes_usual, 3, &sizes) : 1;
    const size_t depth_count = values_of(&varied[VARY_DEPTH], depth_usual, 1, &depths);
    uint32_t first = run->base.read_size;
    int code = 0;

    for (size_t i = 0; i < size_count && code == 0; i++) {
        const uint32_t size = moves ? (uint32_t)strtoul(sizes[i], NULL, 10) : first;

        if (i > 0 && varied[VARY_SIZE].count == 0 && size > offer->size_maximum)
            continue;
        first = i == 0 ? size : first;
        code = add_flavors(run, offer, op, size, 1, error);
    }
    for (size_t i = 0; i < depth_count && code == 0; i++) {
        const uint32_t depth = (uint32_t)strtoul(depths[i], NULL, 10);

        if (depth > 1)
            code = add_flavors(run, offer, op, first, depth, error);
    }
    return code;
}

/* If the embedded server is measured, let it offer Kerberos. Returns a reason if it can't; NULL if
 * it can, or if another server is measured. */
static const char *offer_kerberos(struct run *run)
{
    if (!run->base.target.self)
        return NULL;
    if (command_of_self()->check_kerberos(&run->no_kerberos) != 0)
        return run->no_kerberos.text;
    plan_offer_kerberos(&run->base);
    return NULL;
}

static int find_flavors(struct run *run, struct error *error)
{
    struct sec_offer offer = {.no_kerberos = offer_kerberos(run)};
    int code = sec_offer_ask(&offer, &run->base, error);

    free(run->plan.variants);
    run->plan.count = 0;
    run->plan.varied = "sec";
    run->plan.variants = calloc(CELLS_MAXIMUM, sizeof *run->plan.variants);
    if (!run->plan.variants)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0)
        code = sec_leave_out(&run->experiment, &run->base, &offer, error);
    for (size_t i = 0; i < run->base.op_count && code == 0; i++)
        code = add_op(run, &offer, run->base.ops[i], error);
    if (code == 0 && !run->plan.is_launch)
        variants_set_time(&run->plan, run->options);
    return code;
}

static void announce_scratch(const struct run_plan *plan)
{
    if (run_plan_needs_scratch(plan) && !plan->quiet)
        fprintf(stderr, "nfsbench: each trial works in a scratch directory in %s, and removes it\n",
                printable(plan->target_text).text);
}

static int measure_experiment(void *context, struct error *error)
{
    struct run *run = context;
    const struct experiment_observer observer = {.context = run,
                                                 .full_rate_begins = show_full_rate,
                                                 .visited = show_visit,
                                                 .trying = show_trial};
    int code = 0;

    progress_begin(&run->base);
    if (!run->base.quiet)
        progress_show("the first trial");
    if (run->plan.preset == PRESET_SEC_LADDER)
        code = find_flavors(run, error);
    else
        announce_scratch(&run->base);
    run->began_ns = clock_raw_ns();
    return code ? code : experiment_run(&run->experiment, &run->plan, &observer, error);
}

static int set_result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct experiment_result *found = &((struct run *)run)->experiment.result;

    found->cut_short_by = cut_short_by;
    if (found->units_done > 0)
        *result = found;
    else if (!cut_short_by)
        return error_set(
            error, ERROR_FAILED, -ENODATA,
            "nothing was measured, because none of the rates can be reached; try lower ones");
    return 0;
}

static const struct job job = {
    .kind = RESULT_EXPERIMENT, .measure = measure_experiment, .result = set_result};

static int make_launches(struct run *run, int *status, struct error *error)
{
    static struct experiment_launches merged;
    const struct launches_job launches = {
        .plans = {&run->base},
        .shape = {.servers = 1, .clients = run->options->launches.servers},
        .job = &job,
        .merge = experiment_merge_launches,
        .context = &merged};
    int code;

    merged.plan = &run->plan;
    run->base.server_start = NULL; /* each launch starts its own server */
    code = measure_launches(&launches, run->options, status, error);
    experiment_run_free(&merged.run);
    return code;
}

static void begin_launch(struct run *run)
{
    const struct options *options = run->options;
    const struct launch_order *order = &options->launch;

    launch_process_begin(order);
    run->plan.is_launch = true;
    if (!rules_are_given(options, "repeat"))
        run->plan.repeats = 1;
    for (size_t i = 0; i < run->plan.count; i++) {
        run->plan.variants[i].plan.seed = order->seed;
        run->plan.variants[i].plan.deadline.at_ns = order->end_ns;
        run->plan.variants[i].plan.share = order->share;
    }
    run->base = run->plan.variants[0].plan;
}

static int run_experiment(const struct options *options, enum experiment_preset preset, int *status,
                          struct error *error)
{
    static struct run run;
    int code;

    run.options = options;
    code = variants_make_plan(&run.plan, options, error);
    run.plan.preset = preset;
    if (code == 0) {
        run.base = run.plan.variants[0].plan;
        if (run.base.deadline.at_ns)
            run.base.deadline.at_ns += run.plan.diagnosis_ns;
        run.base.preset = experiment_preset_names[preset];
        code = forms_check(options, RESULT_EXPERIMENT, &run.base, error);
    }
    if (code == 0 && options->launches.servers > 1 && !options->launch.launch.of) {
        code = make_launches(&run, status, error);
    } else if (code == 0) {
        if (options->launch.launch.of)
            begin_launch(&run);
        *status = job_run(&job, &run, options);
    }
    experiment_run_free(&run.experiment);
    free(run.plan.variants);
    return code;
}

/* Make a security ladder of the ops in OPTIONS or, without ops, of getattr, read and write. */
static int run_sec_ladder(const struct options *options, int *status, struct error *error)
{
    static char ops[] = "getattr,read,write";
    const size_t count = options->word_count;
    char *words[] = {count > 0 ? options->words[0] : NULL, ops,
                     count > 1 ? options->words[1] : NULL};
    static struct options with_ops;

    with_ops = *options;
    if (count == 1 || (count == 2 && isdigit((unsigned char)words[2][0]))) {
        with_ops.words = words;
        with_ops.word_count = count + 1;
    }
    return run_experiment(&with_ops, PRESET_SEC_LADDER, status, error);
}

static int run_sweep(const struct options *options, int *status, struct error *error)
{
    return options->any_flavor ? run_sec_ladder(options, status, error)
                               : run_experiment(options, PRESET_SWEEP, status, error);
}

static bool is_asked(const struct options *options)
{
    return sweep_own.varied[VARY_FIRST].entry || options->versus.text || options->versus.changed;
}

static int run_instead(const struct options *options, int *status, struct error *error)
{
    return sweep_own.varied[VARY_FIRST].entry ? run_experiment(options, PRESET_VARY, status, error)
                                              : run_sides(options, status, error);
}

static const struct command_mode mode = {
    .set_defaults = sweep_set_defaults, .is_asked = is_asked, .run = run_instead};

static const struct view *const views[] = {&view_experiment, NULL};

const struct command command_sweep = {
    .words = WORDS_TARGET_OPS,
    .groups = GROUPS_MEASURING | GROUP_SERVER | GROUP_ENGINE | GROUP_LAUNCHES,
    .own = sweep_option_table,
    .mode = &mode,
    .check = sweep_check,
    .views = views,
    .name = "sweep",
    .usage = "nfsbench sweep [options] TARGET [OP] [COUNT]",
    .summary = "measure an op under a range of loads or sizes",
    .about = "Measures an op under a range of loads or sizes. The table has throughput, latency "
             "and processor time at each point; below it are the maximum throughput, its limit, "
             "and the cost of a byte. COUNT is the number of calls in each trial of a point.\n\nA "
             "LIST is made of values and of ranges FIRST..LAST (doublings), separated by "
             "commas.\n\nWith --sec-ladder, the table has the cost of a call by each security "
             "flavor above AUTH_SYS, the cost of a KiB of READ or WRITE above AUTH_SYS, processor "
             "time per call on both sides, and the rate with 64 calls in flight. The sizes are "
             "4Ki, 64Ki and 1Mi unless --size is given, as far as the server accepts them. A "
             "flavor that is not available is left out, with the reason.",
    .examples = "  nfsbench sweep --depth 1..64 server:/export getattr\n"
                "  nfsbench sweep --clients 1,2,4,8,12 --depth 1,16 server:/export read\n"
                "  nfsbench sweep --size 512..1M server:/export read\n"
                "  nfsbench sweep --find-max 'p99<1ms' server:/export getattr\n"
                "  nfsbench sweep --sec-ladder server:/export\n",
    .status =
        "0 ok, 1 the sweep failed or its verdict is not ok, 2 usage, 3 the server could not be "
        "reached.",
    .run = run_sweep,
};
