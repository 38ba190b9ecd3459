/* A measurement that consists of several launches. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/launch_process.h"
#include "cli/measure.h"
#include "common/random.h"
#include "common/system_clock.h"
#include "measure/precision.h"
#include "output/result_merge.h"
#include "target/self.h"

enum {
    ENVIRONMENT_MAXIMUM =
        4096, /* bytes, a page: larger shifts change addresses on the stack no further */
    HEAP_MAXIMUM = 65536, /* bytes: malloc() takes larger blocks from elsewhere */
    HEAP_STEP = 16,
};

struct launching {
    const struct run_plan *plan;
    const struct options *options;
    struct launches_shape shape;
    struct random random;
    /* The current server, if nfsbench starts it. */
    struct self_server self;
    uint16_t self_port;
    struct server_command command;
    /* The results so far, which point into the reports. */
    struct launch_report *reports;
    struct result *results;
    size_t total, done, whole; /* launches: planned; with a result; completed */
    uint64_t began_ns;
    bool was_narrow;    /* the intervals over the launches, at an earlier look */
    struct error error; /* that ended them; ERROR_NONE: all were completed */
    bool interrupted;
};

/* The server */

static void stop_server(struct launching *launching)
{
    self_stop(&launching->self);
    server_command_stop(&launching->command);
}

static int start_command(struct launching *launching, struct error *error)
{
    const struct run_plan *plan = launching->plan;
    struct mount_options options = {
        .identity = plan->identity,
        .channel = {.reply_maximum = RPC_REPLY_USUAL, .stop = plan->stop},
        .reserved_port = !plan->no_reserved_port};

    return server_command_start(&launching->command, launching->options->server_start,
                                &plan->target, &options, error);
}

/* Start a new server process, if nfsbench starts the server. */
static int start_server(struct launching *launching, struct error *error)
{
    stop_server(launching);
    if (launching->plan->target.self)
        return self_start_only(&launching->self, launching->plan->server_arguments,
                               &launching->self_port, error);
    return launching->options->server_start ? start_command(launching, error) : 0;
}

/* A launch */

static void draw_order(struct launching *launching, size_t number, struct launch_order *order)
{
    *order = (struct launch_order){
        .launch = {.number = (unsigned)number,
                   .of = (unsigned)launching->total,
                   .server = (unsigned)(number / launching->shape.clients),
                   .environment = random_below(&launching->random, ENVIRONMENT_MAXIMUM),
                   .heap = HEAP_STEP * random_below(&launching->random, HEAP_MAXIMUM / HEAP_STEP)},
        .seed = random_next(&launching->random) >> 11, /* JSON's readers may have doubles */
        .server = {.port = launching->self_port,
                   .pid = launching->self.pid,
                   .cpu = launching->self.pinned_cpu},
    };
    if (launching->command.port && !launching->plan->target.nfs_port)
        order->port = launching->command.port;
    if (!launching->shape.restarts)
        order->launch.server = 0;
}

/* Record why a launch ended: its own error, and whether its server has ended, too. */
static void note_end(struct launching *launching, size_t number, const struct error *error)
{
    char how[40], server[100] = "";

    if (launching->options->server_start &&
        server_command_has_ended(&launching->command, how, sizeof how))
        snprintf(server, sizeof server, "; the command of --server-start ended, %s", how);
    error_set(&launching->error, error->kind, 0, "launch %zu of %zu: %.300s%s", number + 1,
              launching->total, error->text, server);
}

/* Does a launch count? One that was cut short counts if it has enough rounds, or is the only one.
 */
static bool counts(const struct launching *launching, const struct launch_report *report)
{
    return report->error.kind == ERROR_NONE || launching->done == 0 ||
           report->result.rounds.done >= VALIDITY_ROUNDS_SUSPECT;
}

static int make_launch(struct launching *launching, size_t number, struct error *error)
{
    struct launch_report *report = &launching->reports[number];
    struct launch_order order;
    int code = number % launching->shape.clients == 0 ? start_server(launching, error) : 0;

    if (code)
        return code;
    draw_order(launching, number, &order);
    code = launch_process_run(report, launching->options, &order, &launching->command, error);
    if (code)
        return code;
    if (report->has_result && counts(launching, report))
        launching->results[launching->done++] = report->result;
    if (report->error.kind != ERROR_NONE) {
        *error = report->error;
        return interrupt_flag ? -EINTR : -ECHILD;
    }
    launching->whole++;
    return 0;
}

/* How many */

static int allocate(struct launching *launching, size_t total)
{
    struct launch_report *reports = realloc(launching->reports, total * sizeof *reports);
    struct result *results = realloc(launching->results, total * sizeof *results);

    launching->reports = reports ? reports : launching->reports;
    launching->results = results ? results : launching->results;
    if (!reports || !results)
        return -ENOMEM;
    memset(&reports[launching->total], 0, (total - launching->total) * sizeof *reports);
    launching->total = total;
    return 0;
}

/* Are the intervals over the launches so far narrow enough? */
static bool is_precise(const struct launching *launching)
{
    struct result merged;
    struct error ignored;
    bool precise;

    if (result_merge(&merged, launching->results, launching->done, launching->total, &ignored) != 0)
        return true; /* the report says why */
    precise = merged.config.precision_reached;
    result_free(&merged);
    return precise;
}

/* Without COUNT and --launches: half as many launches again, until their intervals are narrow (see
 * measure/precision.h) or the time for so many is not left. */
static size_t further_launches(struct launching *launching)
{
    uint64_t limit = launching->plan->maximum_ns, spent = monotonic_ns() - launching->began_ns;
    size_t total = launching->total, further = total / 2;

    if (launching->plan->calls || launching->options->launches.servers || total < 2 ||
        spent >= limit || precision_ends(&launching->was_narrow, is_precise(launching)))
        return 0;
    if (further > (limit - spent) / (spent / total + 1))
        further = (size_t)((limit - spent) / (spent / total + 1));
    return total + further <= RESULT_LAUNCHES_MAXIMUM ? further : 0;
}

static int make_next_launch(struct launching *launching, size_t number, struct error *error)
{
    if (interrupt_flag)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return make_launch(launching, number, error);
}

static void make_launches(struct launching *launching)
{
    struct error error;
    int code = 0;

    for (size_t i = 0; i < launching->total && code == 0; i++) {
        code = make_next_launch(launching, i, &error);
        if (code)
            note_end(launching, i, &error);
        else if (i + 1 == launching->total &&
                 allocate(launching, i + 1 + further_launches(launching)))
            break; /* what there is has been measured */
        else if (!launching->options->quiet)
            progress_show("%zu of %zu launches", i + 1, launching->total);
    }
    progress_end();
    launching->interrupted = interrupt_ended(code);
    if (launching->interrupted)
        error_set(&launching->error, ERROR_FAILED, code, "interrupted");
    stop_server(launching);
}

/* The result */

/* Replace what belongs to the launches by what the plan of the whole measurement says. */
static void restore_plan(struct result *merged, const struct run_plan *plan)
{
    merged->command = (const char *const *)plan->command;
    merged->command_count = plan->command_count;
    merged->seed = plan->seed;
    merged->config.calls = plan->calls;
    merged->config.maximum_ns = plan->maximum_ns;
}

static int report_all(struct launching *launching,
                      int (*report)(const struct result *result, const struct options *options))
{
    struct result merged;
    struct error error;
    char why[sizeof error.text + 80];
    int status;

    if (result_merge(&merged, launching->results, launching->done, launching->total, &error) != 0) {
        error_print(&error);
        return (int)error.kind;
    }
    restore_plan(&merged, launching->plan);
    merged.cut_short = launching->whole < launching->total;
    merged.cut_short_by = NULL;
    if (merged.cut_short) {
        snprintf(why, sizeof why, "%s", launching->error.text);
        merged.cut_short_by = why;
    }
    status = report(&merged, launching->options);
    result_free(&merged);
    return status;
}

/* As with a run of one process, what was measured is reported whatever ended it. */
static int finish(struct launching *launching,
                  int (*report)(const struct result *result, const struct options *options))
{
    int status = launching->done > 0 ? report_all(launching, report) : 0;

    if (launching->error.kind == ERROR_NONE)
        return status;
    error_print(&launching->error);
    return launching->interrupted && launching->done > 0 ? status : (int)launching->error.kind;
}

int measure_launches(const struct run_plan *plan, const struct options *options,
                     const struct launches_shape *shape,
                     int (*report)(const struct result *result, const struct options *options),
                     int *status, struct error *error)
{
    struct launching launching = {
        .plan = plan,
        .options = options,
        .shape = *shape,
        .self.pinned_cpu = -1,
        .error = {.kind = ERROR_NONE},
        .began_ns = monotonic_ns(),
    };
    int code = allocate(&launching, (size_t)shape->servers * shape->clients);

    if (code == 0) {
        random_seed(&launching.random, plan->seed);
        interrupt_catch();
        make_launches(&launching);
        *status = finish(&launching, report);
    } else {
        error_set(error, ERROR_FAILED, code, "out of memory");
    }
    for (size_t i = 0; i < launching.total; i++)
        launch_report_free(&launching.reports[i]);
    free(launching.reports);
    free(launching.results);
    return code;
}
