/* nfsbench sweep: an op under a range of loads or sizes, and what that teaches. Every point is
 * visited several times, in an order drafted afresh for each pass, so that whatever drifts meets
 * all points alike; a visit is a whole run of its own, and the visits' spread makes the intervals.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/find_max.h"
#include "cli/interrupt.h"
#include "cli/sweep_lessons.h"
#include "cli/sweep_plan.h"
#include "cli/visit.h"
#include "common/random.h"
#include "output/file.h"

enum { TRIES = 3 /* of a visit, where the server can't be reached */ };

struct sweep_run {
    struct sweep_plan plan;
    struct sweep sweep;
    struct random random;
    bool shown; /* progress, on a terminal */
    bool told;  /* the first visit has told what it measured with */
    char client_cpus[128], transport[8];
};

/* Points */

/* The values of DIMENSION, or one that stands for what the measuring run takes by itself. */
static size_t values_of(const struct sweep_plan *plan, enum sweep_dimension dimension)
{
    return plan->ranges[dimension].count ? plan->ranges[dimension].count : 1;
}

static double value_of(const struct sweep_plan *plan, enum sweep_dimension dimension, size_t index)
{
    return plan->ranges[dimension].count ? plan->ranges[dimension].values[index] : 0;
}

/* What the point is in figures: as the settings that are made of it say. */
static int settle_point(const struct sweep_run *run, struct sweep_point *point, struct error *error)
{
    struct settings settings;
    int code = sweep_plan_settings(&run->plan, &point->setting, 1, &settings, error);

    if (code)
        return code;
    point->setting.clients = settings.load.clients;
    point->setting.connections = settings.load.connections;
    point->setting.depth = settings.load.depth;
    point->setting.size = settings.read_size;
    return 0;
}

static int make_points(struct sweep_run *run, struct error *error)
{
    const struct sweep_plan *plan = &run->plan;
    size_t n[SWEEP_DIMENSIONS], count = 1;
    struct sweep *sweep = &run->sweep;
    int code = 0;

    for (unsigned i = 0; i < SWEEP_DIMENSIONS; i++) {
        n[i] = values_of(plan, i);
        count *= n[i];
    }
    sweep->points = count <= SWEEP_POINTS_MAXIMUM ? calloc(count, sizeof *sweep->points) : NULL;
    if (!sweep->points)
        return error_set(error, ERROR_USAGE, -EINVAL, "%zu points are too many; %d at most", count,
                         SWEEP_POINTS_MAXIMUM);
    for (size_t i = 0; i < count && code == 0; i++) {
        struct sweep_point *point = &sweep->points[sweep->point_count++];
        double scale = plan->ranges[SWEEP_RATE].percent ? sweep->full_rate : 1;

        point->setting.rate = scale * value_of(plan, SWEEP_RATE, i % n[SWEEP_RATE]);
        point->setting.depth =
            (unsigned)value_of(plan, SWEEP_DEPTH, i / n[SWEEP_RATE] % n[SWEEP_DEPTH]);
        point->setting.clients = (unsigned)value_of(
            plan, SWEEP_CLIENTS, i / n[SWEEP_RATE] / n[SWEEP_DEPTH] % n[SWEEP_CLIENTS]);
        point->setting.size = (uint32_t)value_of(
            plan, SWEEP_SIZE, i / n[SWEEP_RATE] / n[SWEEP_DEPTH] / n[SWEEP_CLIENTS]);
        code = settle_point(run, point, error);
    }
    return code;
}

/* Visits */

static void show(const struct sweep_run *run, const char *text)
{
    if (run->shown)
        fprintf(stderr, "\r%-79.79s%s", text, *text ? "" : "\r");
}

static void show_visit(const struct sweep_run *run, const struct sweep_point *point,
                       const struct visit *visit)
{
    const struct sweep_setting *setting = &point->setting;
    char text[160];

    snprintf(text, sizeof text,
             "%zu of %zu: %u client%s, depth %u, %u bytes: %.0f calls/s, %.1f us",
             run->sweep.visits_done, run->sweep.visits_planned, setting->clients,
             setting->clients == 1 ? "" : "s", setting->depth, setting->size,
             visit->figures[SWEEP_THROUGHPUT], visit->figures[SWEEP_MEAN] / 1000);
    show(run, text);
}

static void take_environment(struct sweep_run *run, const struct visit *visit)
{
    if (run->told)
        return;
    run->told = true;
    snprintf(run->client_cpus, sizeof run->client_cpus, "%s", visit->client_cpus);
    snprintf(run->transport, sizeof run->transport, "%s", visit->transport);
    snprintf(run->sweep.kernel, sizeof run->sweep.kernel, "%s", visit->kernel);
    snprintf(run->sweep.cpu, sizeof run->sweep.cpu, "%s", visit->cpu);
}

/* A server that is restarted in the middle is given some time to come back. */
static int visit_patiently(struct sweep_run *run, const struct sweep_setting *setting,
                           struct visit *visit, struct error *error)
{
    const struct timespec pause = {.tv_sec = 1};
    struct settings settings;
    int code = -ECONNREFUSED;

    for (int i = 0; i < TRIES && code; i++) {
        if (i > 0)
            nanosleep(&pause, NULL);
        code = sweep_plan_settings(&run->plan, setting, random_next(&run->random) | 1, &settings,
                                   error);
        if (code == 0)
            code = visit_make(&settings, NULL, visit, error);
        if (code && (interrupt_flag || error->kind != ERROR_UNREACHABLE))
            break;
    }
    return code;
}

static int visit_point(struct sweep_run *run, struct sweep_point *point, struct error *error)
{
    struct visit visit;
    int code = visit_patiently(run, &point->setting, &visit, error);

    if (code)
        return code;
    take_environment(run, &visit);
    for (int i = 0; i < SWEEP_FIGURES; i++)
        point->figures[i][point->repeats] = visit.figures[i];
    point->repeats++;
    point->invalid += visit.invalid;
    run->sweep.visits_done++;
    show_visit(run, point, &visit);
    return 0;
}

/* A rate that can't be reached is a finding about its point: the point is visited no more. */
static int visit_all(struct sweep_run *run, struct error *error)
{
    struct sweep *sweep = &run->sweep;
    size_t *order = calloc(sweep->point_count, sizeof *order);
    int code = 0;

    if (!order)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < sweep->point_count; i++)
        order[i] = i;
    sweep->visits_planned = sweep->point_count * run->plan.repeats;
    for (unsigned pass = 0; pass < run->plan.repeats && code == 0; pass++) {
        random_shuffle(&run->random, order, sweep->point_count);
        for (size_t i = 0; i < sweep->point_count && code == 0; i++) {
            struct sweep_point *point = &sweep->points[order[i]];

            if (point->out_of_reach)
                continue;
            code = visit_point(run, point, error);
            if (code == -ETIME)
                point->out_of_reach = true;
            code = code == -ETIME ? 0 : code;
        }
    }
    free(order);
    return code;
}

/* What 100 % of a rate are: the most of three short closed loops with enough calls in flight. */
static int find_full_rate(struct sweep_run *run, struct error *error)
{
    enum { VISITS = 3, DEPTH = 64 };
    struct sweep_setting setting = {.depth = run->plan.ranges[SWEEP_DEPTH].count ? 0 : DEPTH};
    int code = 0;

    if (!run->plan.ranges[SWEEP_RATE].percent && !run->plan.objective_text)
        return 0;
    show(run, "how many calls a second does a closed loop make?");
    for (int i = 0; i < VISITS && code == 0; i++) {
        struct visit visit;

        code = visit_patiently(run, &setting, &visit, error);
        if (code)
            break;
        take_environment(run, &visit);
        run->sweep.full_rate = fmax(run->sweep.full_rate, visit.figures[SWEEP_THROUGHPUT]);
    }
    return code;
}

/* The command */

static void begin(struct sweep_run *run)
{
    const struct settings *settings = &run->plan.settings;
    struct sweep *sweep = &run->sweep;
    time_t now = time(NULL);
    struct tm broken_down;

    gmtime_r(&now, &broken_down);
    strftime(sweep->start, sizeof sweep->start, "%Y-%m-%dT%H:%M:%SZ", &broken_down);
    sweep->target = settings->target_text;
    sweep->op = settings->ops[0]->op;
    sweep->engine = settings->engine->name;
    sweep->transport = run->transport;
    sweep->client_cpus = run->client_cpus;
    sweep->seed = settings->seed;
    sweep->visit_calls = settings->calls;
    sweep->visit_seconds = settings->calls ? 0 : (double)run->plan.duration_ns / 1e9;
    sweep->swept_clients = sweep_plan_sweeps(&run->plan, SWEEP_CLIENTS);
    sweep->swept_depth = sweep_plan_sweeps(&run->plan, SWEEP_DEPTH);
    sweep->swept_size = sweep_plan_sweeps(&run->plan, SWEEP_SIZE);
    sweep->swept_rate = sweep_plan_sweeps(&run->plan, SWEEP_RATE);
    sweep->verbose = settings->verbose;
    sweep->objective_text = run->plan.objective_text;
    random_seed(&run->random, sweep->seed);
    if (settings_need_scratch(settings) && !run->plan.quiet)
        fprintf(stderr,
                "nfsbench: each visit works in a directory of its own in %s, and removes it\n",
                sweep->target);
    run->shown = isatty(STDERR_FILENO) && !run->plan.quiet;
}

static int measure(struct sweep_run *run, struct error *error)
{
    int code = find_full_rate(run, error);

    if (code == 0 && run->plan.objective_text)
        code = find_max(&run->plan, &run->sweep, &run->random, run->shown, error);
    else if (code == 0) {
        code = make_points(run, error);
        if (code == 0)
            code = visit_all(run, error);
    }
    show(run, "");
    return code;
}

enum { FORMS = 2 };

static void wanted_forms(const struct sweep_plan *plan, struct file_form forms[FORMS])
{
    forms[0] = (struct file_form){"--json", plan->json, sweep_write_json};
    forms[1] = (struct file_form){"--csv", plan->csv, sweep_write_csv};
}

static int check_forms(const struct sweep_plan *plan, struct error *error)
{
    struct file_form forms[FORMS];

    wanted_forms(plan, forms);
    return file_forms_check(forms, FORMS, error);
}

static int tell(const struct sweep_run *run, struct error *error)
{
    struct file_form forms[FORMS];

    wanted_forms(&run->plan, forms);
    if (!run->plan.quiet && !file_forms_on_stdout(forms, FORMS))
        sweep_print(&run->sweep, stdout);
    if (fflush(stdout) != 0)
        return error_set(error, ERROR_FAILED, -errno, "writing the table: %s", strerror(errno));
    return file_forms_write(forms, FORMS, &run->sweep, error);
}

/* What was measured is told whatever ended the sweep. Returns an exit status. */
static int run_sweep(struct sweep_run *run)
{
    struct error error, told;
    int code, status = 0;

    begin(run);
    code = measure(run, &error);
    if (code && interrupt_flag)
        error_set(&error, ERROR_FAILED, -EINTR, "interrupted");
    if (code) {
        status = (int)error.kind;
        run->sweep.cut_short_by = error.text;
    }
    if (run->sweep.visits_done > 0) {
        sweep_learn(&run->sweep);
        if (tell(run, &told) != 0) {
            error_print(&told);
            status = status ? status : (int)told.kind;
        }
    }
    if (code)
        error_print(&error);
    free(run->sweep.points);
    return status;
}

static void print_help(void)
{
    printf("usage: nfsbench sweep [options] TARGET OP [COUNT]\n\n"
           "An op under a range of loads or sizes: throughput, latency and processor time at each "
           "point,\nand what they teach: where throughput ends, what ends it, what a byte costs. "
           "COUNT is that of\na visit of a point.\n\noptions\n");
    sweep_plan_help(stdout);
    printf("  and those of the measuring run: see 'nfsbench --help'\n\n"
           "examples\n"
           "  nfsbench sweep --depth 1..64 server:/export getattr\n"
           "  nfsbench sweep --clients 1,2,4,8,12 --depth 1,16 server:/export read\n"
           "  nfsbench sweep --size 512..1M server:/export read\n"
           "  nfsbench sweep --find-max 'p99<1ms' server:/export getattr\n");
}

int command_sweep(int argc, char **argv)
{
    static struct sweep_run run;
    struct error error;
    int status;

    if (sweep_plan_parse(&run.plan, argc, argv, &error) != 0 ||
        (!run.plan.words.help && check_forms(&run.plan, &error) != 0)) {
        error_print(&error);
        status = (int)error.kind;
    } else if (run.plan.words.help) {
        print_help();
        status = 0;
    } else {
        interrupt_catch();
        status = run_sweep(&run);
    }
    sweep_plan_free(&run.plan);
    return status;
}
