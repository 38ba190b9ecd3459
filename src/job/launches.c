#include "job/launches.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "common/system_clock.h"
#include "job/console.h"
#include "job/launch_schedule.h"
#include "measure/statistics/precision.h"
#include "measure/time_plan.h"
#include "output/merge/result_merge.h"
#include "output/result/result.h"
#include "run/setup/setup.h"

/* Minimum duration of an added launch, ns. In a shorter launch, other load could leave too few
 * rounds, and the start of the process would take too large a share of the time. */
#define LAUNCH_NS_LEAST 3e8

enum {
    /* maximum shift of the stack, bytes: a page; larger shifts repeat positions within a page */
    ENVIRONMENT_MAXIMUM = 4096,
    /* maximum shift of the heap, bytes; malloc() puts blocks of 128 KiB or more outside the heap */
    HEAP_MAXIMUM = 65536,
    HEAP_STEP = 16,
};

/* Servers that nfsbench starts: the embedded server, or those of --server-start and --versus. */
struct launch_servers {
    struct self_server self; /* not used if each launch starts its own server */
    uint16_t self_port;
    /* servers of --server-start and --versus, one for each side */
    struct server_command commands[2];
};

static void servers_stop(struct launch_servers *servers, const struct deadline *deadline)
{
    self_stop(&servers->self);
    for (size_t i = 0; i < SIDES; i++)
        server_command_stop(&servers->commands[i], deadline);
}

/* Stop the servers of the last launch, and start those of JOB's plans, except an embedded server
 * that each launch starts itself. Returns 0, or a negative errno with ERROR set. */
static int servers_start(struct launch_servers *servers, const struct launches_job *job,
                         struct error *error)
{
    static const char *const names[SIDES] = {"--server-start", "--versus server-start"};
    const struct run_plan *const *plans = job->plans;
    int code = 0;

    servers_stop(servers, &plans[SIDE_FIRST]->deadline);
    if (plans[SIDE_FIRST]->target.self && !job->merge)
        return setup_note_time(plans[SIDE_FIRST],
                               self_start_only(&servers->self, plans[SIDE_FIRST]->server_arguments,
                                               &plans[SIDE_FIRST]->deadline, &servers->self_port,
                                               error),
                               error);
    for (size_t i = 0; i < SIDES && code == 0; i++)
        if (plans[i] && plans[i]->server_start)
            code = setup_start_command(&servers->commands[i], names[i], plans[i], error);
    return code;
}

/* Return the port that SIDE's command reported. Returns 0 if there is no command or no PLAN, or if
 * PLAN has a port. */
static uint16_t servers_port(const struct launch_servers *servers, const struct run_plan *plan,
                             size_t side)
{
    return plan && !plan->target.nfs_port ? servers->commands[side].port : 0;
}

struct launching {
    const struct launches_job *job;
    const struct options *options;
    struct random random;
    struct launch_servers servers; /* servers of the current launch */
    struct launch_report *reports; /* DONE reports; has space for the maximum number of launches */
    size_t total, done, whole;     /* numbers of launches: planned, with a used result, complete */
    time_t started;
    uint64_t began_ns;
    uint64_t first_ns; /* time when the first launch began, on the clock of deadlines */
    /* time when the planned launches must have ended, on the clock of deadlines; 0: no limit */
    uint64_t end_ns;
    struct result_given_up given_up; /* what the first launch left out; all leave it out */
    bool was_narrow; /* at an earlier check, the intervals over the launches were narrow enough */
    struct error error; /* the error that ended the launches; ERROR_NONE: no error */
    bool interrupted;
};

/* Return the time when PLAN's launches must have ended, on the clock of deadlines, so that time is
 * left for the analysis. 0: no limit. */
static uint64_t whole_end_ns(const struct run_plan *plan)
{
    return plan->deadline.at_ns ? plan->deadline.at_ns - plan->maximum_ns / TIME_SHARE_LAST_END : 0;
}

/* Return the time when launches from NUMBER on must have ended, on the clock of deadlines; 0: no
 * limit. With --over, the time is now plus the share of the measuring time that these launches
 * have, but not later than whole_end_ns(). */
static uint64_t launch_end_ns(const struct launching *launching, size_t number)
{
    const struct run_plan *plan = launching->job->plans[SIDE_FIRST];
    const struct deadline whole = {.at_ns = whole_end_ns(plan)};

    if (!plan->over_ns || !whole.at_ns)
        return launching->end_ns;
    return deadline_within(&whole,
                           plan->maximum_ns / launching->total * (launching->total - number))
        .at_ns;
}

static void draw_order(struct launching *launching, size_t number, struct launch_order *order)
{
    const struct run_plan *const *plans = launching->job->plans;
    const struct launches_shape *shape = &launching->job->shape;
    const struct launch_servers *servers = &launching->servers;

    *order = (struct launch_order){
        .launch = {.number = (unsigned)number,
                   .of = (unsigned)launching->total,
                   .server = shape->restarts ? (unsigned)(number / shape->clients) : 0,
                   .environment = random_below(&launching->random, ENVIRONMENT_MAXIMUM),
                   .heap = HEAP_STEP * random_below(&launching->random, HEAP_MAXIMUM / HEAP_STEP)},
        .seed = random_next(&launching->random) >>
                11, /* 53 bits, which a JSON reader's double can store */
        .end_ns = launch_end_ns(launching, number),
        .share = {.launches = (unsigned)(launching->total - number),
                  .fixed = number > 0 || launching->options->launches.servers > 0 ||
                           plans[SIDE_FIRST]->over_ns > 0},
        .no_model = launching->given_up.model,
        .no_control = launching->given_up.control,
        .no_ledger = launching->given_up.ledger,
        .server = {.port = servers->self_port,
                   .pid = servers->self.pid,
                   .cpu = servers->self.pinned_cpu},
        .one_processor = plans[SIDE_FIRST]->one_processor,
        .port = servers_port(servers, plans[SIDE_FIRST], SIDE_FIRST),
        .second_port = servers_port(servers, plans[SIDE_SECOND], SIDE_SECOND),
    };
}

/* Set LAUNCHING's error to ERROR of launch NUMBER (from 0), and add how any servers ended. */
static void note_launch_end(struct launching *launching, size_t number, const struct error *error)
{
    error_set(&launching->error, error->kind, 0, "launch %zu of %zu: %.300s", number + 1,
              launching->total, error->text);
    for (size_t i = 0; i < SIDES; i++)
        server_command_note_end(&launching->servers.commands[i], &launching->error);
}

/* Return whether REPORT's result is used. The result of an incomplete launch is used if it has
 * enough rounds or no earlier launch has a result. */
static bool is_launch_used(const struct launching *launching, const struct launch_report *report)
{
    return report->error.kind == ERROR_NONE || launching->done == 0 ||
           report->file.result.rounds.done >= VALIDITY_ROUNDS_SUSPECT;
}

/* Add to RESULT's launches the times that only the parent process knows. */
static void note_times(struct result *result, uint64_t server_start_ns, uint64_t process_ns)
{
    for (size_t i = 0; i < result->launch_count; i++) {
        result->launches[i].server_start_ns = server_start_ns;
        result->launches[i].process_ns = process_ns;
    }
}

/* Replace the servers by new ones unless launch NUMBER uses those of the last launch. *TOOK_NS
 * becomes the duration, ns; 0 if the last launch's servers are used or nfsbench starts none. */
static int prepare_servers(struct launching *launching, size_t number, uint64_t *took_ns,
                           struct error *error)
{
    const struct launches_job *job = launching->job;
    uint64_t began_ns = monotonic_ns();
    int code;

    *took_ns = 0;
    if (number % job->shape.clients != 0)
        return 0;
    code = servers_start(&launching->servers, job, error);
    if (job->shape.restarts)
        *took_ns = monotonic_ns() - began_ns;
    return code;
}

static int make_launch(struct launching *launching, size_t number, struct error *error)
{
    struct launch_report *report = &launching->reports[launching->done];
    struct launch_order order;
    uint64_t server_ns, began_ns;
    int code = prepare_servers(launching, number, &server_ns, error);

    if (code)
        return code;
    draw_order(launching, number, &order);
    began_ns = monotonic_ns();
    code = launch_process_run(report, launching->options, &order, error);
    if (code)
        return code;
    note_times(&report->file.result, server_ns, monotonic_ns() - began_ns);
    note_times(&report->file.second, server_ns, monotonic_ns() - began_ns);
    if (report->error.kind != ERROR_NONE)
        *error = report->error;
    code = report->error.kind == ERROR_NONE ? 0 : interrupt_flag ? -EINTR : -ECHILD;
    launching->whole += code == 0;
    if (report->has_result && is_launch_used(launching, report))
        launching->done++;
    else
        result_file_free(&report->file);
    return code;
}

struct merged_side {
    struct result *launches, whole;
};

/* Merge SIDE's results of the launches so far; PLANNED is the planned number of launches. Returns
 * 0, or a negative errno with ERROR set; call release_side() in either case. */
static int merge_side(const struct launching *launching, size_t side, size_t planned,
                      struct merged_side *merged, struct error *error)
{
    merged->launches = calloc(launching->done, sizeof *merged->launches);
    if (!merged->launches)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < launching->done; i++) {
        const struct result_file *file = &launching->reports[i].file;

        merged->launches[i] = side == SIDE_FIRST ? file->result : file->second;
        /* The merge needs the precision, which a launch with COUNT does not have in its result. */
        merged->launches[i].config.precision = launching->job->plans[SIDE_FIRST]->precision;
    }
    return result_merge(&merged->whole, merged->launches, launching->done, planned, error);
}

static void release_side(struct merged_side *merged)
{
    result_free(&merged->whole);
    free(merged->launches);
}

/* Whether more launches are needed, and how many, according to the launches so far. */
struct launch_look {
    /* all intervals over the launches are narrow enough, on the sides that were looked at */
    bool precise;
    bool has_plan;
    struct result_plan plan; /* plan of the op that needs the most time */
};

static void look_at_side(struct launch_look *look, const struct launching *launching, size_t side)
{
    struct merged_side merged = {.launches = NULL};
    const struct result_plan *plan = NULL;
    struct error ignored; /* the report will show the error */

    if (merge_side(launching, side, launching->done, &merged, &ignored) == 0) {
        look->precise = look->precise && merged.whole.config.precision_reached;
        plan = result_longest_plan(&merged.whole);
    }
    if (plan && (!look->has_plan || plan->launches.seconds > look->plan.launches.seconds)) {
        look->has_plan = true;
        look->plan = *plan;
    }
    release_side(&merged);
}

/* Return the number of launches to add to TOTAL before the next check, so that they end within
 * LEFT_NS. *EACH_NS is the mean duration of a launch so far. If LOOK has a plan, *EACH_NS is set to
 * the duration that the plan expects of an added launch. */
static size_t look_further(const struct launch_look *look, size_t total, uint64_t left_ns,
                           double *each_ns)
{
    const struct launches_plan *plan = look->has_plan ? &look->plan.launches : NULL;

    if (plan)
        *each_ns =
            fmax(1e9 * plan->seconds / (double)(plan->servers * plan->clients), LAUNCH_NS_LEAST);
    return (size_t)fmin((double)launches_further(total, plan), (double)left_ns / *each_ns);
}

/* Return the number of launches to add, and set LAUNCHING's `end_ns` to the time when they must
 * have ended. The number is 0 with COUNT, --launches or --over, with a single launch, if the
 * intervals were narrow enough at an earlier check, if the time is over, and at the maximum. */
static size_t further_launches(struct launching *launching)
{
    const struct run_plan *plan = launching->job->plans[SIDE_FIRST];
    const struct deadline whole = {.at_ns = whole_end_ns(plan)};
    const uint64_t left = deadline_left_ns(&whole);
    double each_ns = (double)(monotonic_ns() - launching->began_ns) / (double)launching->total;
    struct launch_look look = {.precise = true};
    size_t most = launches_most(launching->job->merge) - launching->total, further;

    if (plan->calls || plan->over_ns || launching->options->launches.servers ||
        launching->total < 2 || left == 0)
        return 0;
    look_at_side(&look, launching, SIDE_FIRST);
    if (launching->job->plans[SIDE_SECOND])
        look_at_side(&look, launching, SIDE_SECOND);
    if (precision_ends(&launching->was_narrow, look.precise))
        return 0;
    further = look_further(&look, launching->total, left, &each_ns);
    further = further < most ? further : most;
    launching->end_ns = deadline_within(&whole, (uint64_t)(each_ns * (double)further)).at_ns;
    return further;
}

/* Adopt what the first launch decided after it had measured how much fits into the time: which
 * parts all launches leave out, and a smaller number of launches. */
static void adopt_first_plan(struct launching *launching)
{
    const struct result_given_up *gave = &launching->reports[0].file.result.config.given_up;

    if (launching->done == 0 || !(gave->usual_seconds > 0))
        return;
    launching->given_up = *gave;
    if (gave->launches < launching->total)
        launching->total = gave->launches;
}

static int make_next_launch(struct launching *launching, size_t number, struct error *error)
{
    const struct run_plan *plan = launching->job->plans[SIDE_FIRST];
    int code = 0;

    if (interrupt_flag)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    if (plan->over_ns)
        code = launch_schedule_await(
            launching->first_ns + launch_schedule_begin_ns(plan->over_ns, number, launching->total,
                                                           &launching->random),
            number, launching->total, plan, error);
    return code ? code : make_launch(launching, number, error);
}

/* Did the last launch fail for lack of time, so that the earlier launches' results are used? */
static bool has_no_time(const struct launching *launching, int code, const struct error *error)
{
    return code && launching->done > 0 && launching->end_ns && error->kind == ERROR_USAGE &&
           !launching->job->plans[SIDE_FIRST]->over_ns;
}

static void make_launches(struct launching *launching)
{
    struct error error;
    int code = 0;

    for (size_t i = 0; i < launching->total && code == 0; i++) {
        code = make_next_launch(launching, i, &error);
        if (has_no_time(launching, code, &error)) {
            launching->total = launching->done;
            code = 0;
        }
        if (code)
            note_launch_end(launching, i, &error);
        else if (i == 0)
            adopt_first_plan(launching);
        if (code == 0 && i + 1 == launching->total)
            launching->total += further_launches(launching);
        if (code == 0 && !launching->options->plan.quiet)
            progress_show("%zu of %zu launches", i + 1, launching->total);
    }
    progress_end();
    launching->interrupted = interrupt_ended(code);
    if (launching->interrupted)
        error_set(&launching->error, ERROR_FAILED, code, "interrupted");
    servers_stop(&launching->servers, &launching->job->plans[SIDE_FIRST]->deadline);
}

/* MERGED has the command line, seed, COUNT and time of one launch. Replace them by those of PLAN,
 * the plan of all launches. */
static void restore_plan(struct result *merged, const struct run_plan *plan)
{
    merged->command = (const char *const *)plan->command;
    merged->command_count = plan->command_count;
    merged->seed = plan->seed;
    merged->config.calls = plan->calls;
    merged->config.maximum_ns = plan->maximum_ns;
}

static int merge_whole_side(const struct launching *launching, size_t side,
                            struct merged_side *merged, struct error *error)
{
    struct result *whole = &merged->whole;
    int code = merge_side(launching, side, launching->total, merged, error);

    if (code)
        return code;
    restore_plan(whole, launching->job->plans[side]);
    whole->cut_short = launching->whole < launching->total;
    whole->cut_short_by = whole->cut_short ? launching->error.text : NULL;
    if (whole->cut_short && !interrupt_flag)
        validity_doubt_end(&whole->validity, whole->cut_short_by);
    return 0;
}

/* Set *RESULT to the result of all launches. Each of SIDES becomes the merged result of a side;
 * with merge(), only if there are two sides. */
static int merge_all(const struct launching *launching, struct merged_side sides[SIDES],
                     void **result, struct error *error)
{
    const struct launches_job *job = launching->job;
    struct launches_made made = {.reports = launching->reports,
                                 .done = launching->done,
                                 .planned = launching->total,
                                 .started = launching->started,
                                 .interrupted = interrupt_flag};
    int code = 0;

    if (launching->whole < launching->total)
        made.cut_short_by = launching->error.text;
    for (size_t i = 0; i < SIDES && code == 0; i++)
        if (job->plans[i] && (!job->merge || job->plans[SIDE_SECOND])) {
            code = merge_whole_side(launching, i, &sides[i], error);
            made.sides[i] = &sides[i].whole;
        }
    *result = &sides[SIDE_FIRST].whole;
    return code || !job->merge ? code : job->merge(job->context, &made, result, error);
}

static int report_merged(struct launching *launching)
{
    static struct merged_side sides[SIDES];
    struct error error;
    void *result;
    int code = merge_all(launching, sides, &result, &error), status;

    if (code) {
        status = (int)error.kind;
        error_print(&error);
    } else {
        status = job_report(launching->job->job, launching->options, result);
    }
    for (size_t i = 0; i < SIDES; i++)
        release_side(&sides[i]);
    return status;
}

/* Report the results, if any, and the error, if any. Returns the exit status. */
static int finish_launches(struct launching *launching)
{
    int status = launching->done > 0 ? report_merged(launching) : 0;

    if (launching->error.kind == ERROR_NONE)
        return status;
    error_print(&launching->error);
    return launching->interrupted && launching->done > 0 ? status : (int)launching->error.kind;
}

static void release_launches(struct launching *launching)
{
    for (size_t i = 0; i < launching->done; i++)
        result_file_free(&launching->reports[i].file);
    free(launching->reports);
}

int measure_launches(const struct launches_job *job, const struct options *options, int *status,
                     struct error *error)
{
    struct launching launching = {
        .job = job,
        .options = options,
        .servers.self.pinned_cpu = -1,
        .error = {.kind = ERROR_NONE},
        .started = time(NULL),
        .began_ns = monotonic_ns(),
        .first_ns = deadline_now_ns(),
        .end_ns = whole_end_ns(job->plans[SIDE_FIRST]),
        .total = (size_t)job->shape.servers * job->shape.clients,
        .reports = calloc(launches_most(job->merge), sizeof *launching.reports),
    };
    int code = launching.reports ? 0 : -ENOMEM;

    if (code == 0) {
        random_seed(&launching.random, job->plans[SIDE_FIRST]->seed);
        interrupt_catch();
        make_launches(&launching);
        *status = finish_launches(&launching);
    } else {
        error_set(error, ERROR_FAILED, code, "out of memory");
    }
    release_launches(&launching);
    return code;
}
