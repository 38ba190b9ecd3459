/* The command 'nfsbench outage': how long a server was away, and which data it lost. */
#include <errno.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "common/counted.h"
#include "job/command.h"
#include "job/console.h"
#include "job/job.h"
#include "job/plan.h"
#include "outage/outage_run.h"

/* Print a line with the time of day, for comparison with the server's log. */
static void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void print_line(const char *format, ...)
{
    struct timespec now;
    struct tm broken_down;
    char text[512], at[32];
    va_list arguments;
    size_t used;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &broken_down);
    used = strftime(at, sizeof at, "%H:%M:%S", &broken_down);
    snprintf(at + used, sizeof at - used, ".%03ld  ", now.tv_nsec / 1000000);
    progress_print(at, text);
}

static void show_event(const struct outage *outage, enum gap_event event, const struct gap *gap,
                       const struct gap_row *row, const char *why)
{
    char name[OUTAGE_LINE_SIZE];

    outage_line_name(outage, row->line, name);
    switch (event) {
    case GAP_LINE_BEGAN:
        print_line("%s: no successful reply for %.1f s (%s)", name,
                   (double)(clock_raw_ns() - row->time.began) / 1e9, why);
        break;
    case GAP_LINE_BACK:
        print_line("%s: answered again after %.3f s", name,
                   (double)(row->time.ended - row->time.began) / 1e9);
        break;
    default:
        print_line("the gap ended after %.3f s", (double)(gap->time.ended - gap->time.began) / 1e9);
    }
}

static void show_found(bool is_new, uint64_t lost)
{
    if (is_new)
        print_line("mounted again; the file is gone, with %llu blocks of stable data",
                   (unsigned long long)lost);
    else
        print_line("mounted again; the file exists");
}

/* Show progress, but only on a terminal, so that a log has only events. */
static void show_progress(const struct outage *outage, const char *phase)
{
    uint64_t good = 0;

    if (!isatty(STDERR_FILENO))
        return;
    for (enum outage_procedure p = 0; p < OUTAGE_PROCEDURES; p++)
        good += outage->calls[p].good;
    progress_show("%s: %.0f s, %s answered, %s", phase,
                  (double)(clock_raw_ns() - outage->began_ns) / 1e9, counted(good, "call").text,
                  counted(outage->gaps.count, "gap").text);
}

static const struct outage_observer observer = {
    .goes_on = show_progress, .changed = show_event, .found = show_found};

static struct outage_plan own;

static void set_defaults(struct options *options)
{
    own = (struct outage_plan){.threshold_ns = 500 * 1000 * 1000, .rate = 20, .connections = 1};
    options->plan.maximum_ns = 0;
    options->tcp_timeout_ns = UINT64_C(5000000000);
}

static const struct option_entry own_options[] = {
    {"max-time", 0, OPTION_TIME, SECTION_OWN, OPTION_SHARES(plan.maximum_ns), .value = "TIME",
     .help = "time of the whole command, such as 10min (default: until Ctrl-C)"},
    {"gap", 0, OPTION_TIME, SECTION_OWN, OPTION_SETS(own.threshold_ns), .value = "TIME",
     .help = "shortest time without a successful reply that counts as a gap (default 500ms)"},
    {"rate", 'r', OPTION_RATE, SECTION_OWN, OPTION_SETS(own.rate), .value = "N",
     .help = "calls of each procedure per second, over each connection (default 20)", .minimum = 1,
     .maximum = 1000},
    {"connections", 0, OPTION_NUMBER, SECTION_OWN, OPTION_SETS(own.connections), .value = "N",
     .help = "number of connections (default 1)", .minimum = 1,
     .maximum = PROBE_CONNECTIONS_MAXIMUM},
    {"size", 's', OPTION_SIZE, SECTION_OWN, OPTION_SHARES(plan.read_size), .value = "BYTES",
     .help = "bytes in a READ or WRITE, a multiple of 8 (default 4096)", .minimum = 8,
     .maximum = 1 << 20},
    {"timeout", 't', OPTION_TIME, SECTION_OWN, OPTION_SHARES(plan.timeout_ns), .value = "TIME",
     .help = "time to wait for a reply before a call is sent again, over TCP on a new connection "
             "(default 5s over TCP, 1s over UDP)",
     .maximum = UINT64_C(3600000000000)},
    {NULL},
};

static int make_plan(struct outage_plan *plan, const struct options *options, struct error *error)
{
    static char procedures[] = "write,commit";
    int code;

    *plan = own;
    code = plan_make_set_up(&plan->run, options, procedures, error);

    if (code == 0 && plan->run.read_size % 8 != 0)
        code = error_set(error, ERROR_USAGE, -EINVAL, "--size must be a multiple of 8 bytes");
    if (code)
        return code;
    return forms_check(options, RESULT_OUTAGE, &plan->run, error);
}

struct run {
    struct outage_plan plan;
    struct outage_run run;
    bool opened;
};

static int measure_outage(void *run, struct error *error)
{
    struct run *self = run;
    const struct outage_observer *told = self->plan.run.quiet ? NULL : &observer;
    int code;

    progress_begin(&self->plan.run);
    code = outage_run_open(&self->run, &self->plan, told, error);
    self->opened = code == 0;
    return code ? code : outage_run_probe(&self->run, error);
}

static int take_down(void *run, struct error *error)
{
    return setup_take_down(&((struct run *)run)->run.setup, error);
}

/* Set *RESULT to RUN's outage, even if the probe ended early; to NULL if it did not begin. */
static int result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct run *self = run;

    *result = self->opened ? &self->run.outage : NULL;
    return 0;
}

static int judge_outage(const struct job *job, const struct options *options, void *result)
{
    return outage_was_seen(result);
}

static const struct job job = {.kind = RESULT_OUTAGE,
                               .measure = measure_outage,
                               .take_down = take_down,
                               .result = result,
                               .judge = judge_outage,
                               .endless = true};

static int run_outage(const struct options *options, int *status, struct error *error)
{
    static struct run run = {.run.wake_fd = -1};
    int code = make_plan(&run.plan, options, error);

    if (code)
        return code;
    *status = job_run(&job, &run, options);
    outage_run_close(&run.run);
    return 0;
}

static const struct view *const views[] = {&view_outage, NULL};

const struct command command_outage = {
    .words = WORDS_TARGET,
    .groups = GROUPS_CALLING | GROUP_SCRATCH | GROUP_SECURITY,
    .own = own_options,
    .own_title = "probe",
    .set_defaults = set_defaults,
    .views = views,
    .name = "outage",
    .usage = "nfsbench outage [options] TARGET",
    .summary = "watch a server through restarts and other gaps",
    .about =
        "Calls NULL, GETATTR, READ, WRITE and COMMIT at a low rate and continues through every "
        "failure: it reconnects, sends calls without a reply again with the same xid, mounts again "
        "if handles are stale, and waits if the server asks for it (NFS3ERR_JUKEBOX). Each gap is "
        "printed when it begins and when it ends. The table at the end has the length of each gap "
        "by procedure and connection, the procedure that was answered first, the errors, and the "
        "data that the server acknowledged as stable before the gap and lost in it.\n\nThe command "
        "works in a scratch directory in TARGET, which is removed at the end.",
    .examples = "  nfsbench outage server:/export --max-time 10min\n"
                "  nfsbench outage server:/export --connections 4 --json outage.json\n",
    .status = "0 no gap, 1 a gap, lost data or a failure, 2 usage, 3 the server could not be "
              "reached at the beginning.",
    .run = run_outage,
};
