#include "run/ledger_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/address.h"
#include "measure/clock.h"
#include "measure/process.h"
#include "output/result/json.h"
#include "run/mount_calls.h"
#include "run/series/series.h"

enum { ANSWER_SECONDS = 1 };

static void ask_counters(struct server_counters *server, struct counters *counters,
                         unsigned seconds)
{
    struct error error;

    if (remote_command_ask(&server->command, json_object(), seconds, counters_from_json, counters,
                           &error) == 0)
        return;
    remote_command_end(&server->command);
    counters_clear(counters);
    snprintf(server->missing, sizeof server->missing, "%s", error.text);
}

static void begin_asking(struct server_counters *server, const struct endpoint *endpoint)
{
    struct counters first;

    ask_counters(server, &first, REMOTE_COMMAND_FIRST_SECONDS);
    if (server->command.pid && isnan(first.values[COUNTER_VOLUNTARY]))
        snprintf(server->missing, sizeof server->missing,
                 "on the server's machine, no visible process listens on port %u",
                 address_port(&endpoint->address));
}

static void find_process(struct server_counters *server, const struct endpoint *endpoint)
{
    uint16_t port = address_port(&endpoint->address);

    if (!address_is_local(&endpoint->address)) {
        snprintf(server->missing, sizeof server->missing,
                 "the server is on another machine; see --server-cmd");
        return;
    }
    server->pid = process_of_port(port, endpoint->transport == TRANSPORT_UDP);
    if (server->pid == 0)
        snprintf(server->missing, sizeof server->missing,
                 "no visible process on this machine listens on port %u; see --server-pid", port);
}

void server_counters_open(struct server_counters *server,
                          const struct server_counters_request *request)
{
    *server = (struct server_counters){.pid = request->command ? 0 : request->pid,
                                       .command.deadline = request->deadline};
    if (request->command) {
        if (remote_command_start(&server->command, request->command, "agent --counters",
                                 request->endpoint, 0) != 0)
            snprintf(server->missing, sizeof server->missing, "--server-cmd could not be started");
        else
            begin_asking(server, request->endpoint);
    } else if (server->pid == 0) {
        find_process(server, request->endpoint);
    }
}

void server_counters_read(struct server_counters *server, struct counters *counters)
{
    counters_clear(counters);
    if (server->command.pid) {
        ask_counters(server, counters, ANSWER_SECONDS);
    } else if (server->pid) {
        counters->at_ns = clock_raw_ns();
        counters_read_process(counters, server->pid);
        if (!process_exists(server->pid)) {
            snprintf(server->missing, sizeof server->missing, "process %d ended", (int)server->pid);
            server->pid = 0;
        }
    }
}

void server_counters_close(struct server_counters *server)
{
    remote_command_end(&server->command);
}

enum {
    STRETCH_CALLS_MINIMUM = 10,
    STRETCH_NS = 20 * 1000 * 1000, /* approximate duration of a stretch if calls are slow, ns */
    IDLE_NS = 10 * 1000 * 1000,
    /* A run of fewer calls per op has fewer and shorter stretches, to shorten the ledger. */
    SHORT_RUN_CALLS = 10 * LEDGER_RUN_CALLS_MAXIMUM,
    SHORT_RUN_PASSES = 5,
    SHORT_RUN_IDLE_NS = 2 * 1000 * 1000,
};

void ledger_run_find_server(const struct setup *setup, struct server_counters *server)
{
    struct server_counters_request request = {.endpoint = &setup->mount.nfs,
                                              .command = setup->plan->server_command,
                                              .pid = setup_server_pid(setup),
                                              .deadline = deadline_half(&setup->plan->deadline)};

    server_counters_open(server, &request);
}

void ledger_run_open(struct ledger_run *ledger, const struct setup *setup)
{
    ledger_run_find_server(setup, &ledger->counters);
    ledger->setup = setup;
    ledger->server_pid = ledger->counters.pid;
    if (ledger->counters.pid)
        process_allowed_cpus(ledger->counters.pid, ledger->server_cpus, sizeof ledger->server_cpus);
    ledger->opened = true;
}

void ledger_run_close(struct ledger_run *ledger)
{
    if (ledger->opened)
        server_counters_close(&ledger->counters);
    ledger->opened = false;
}

void ledger_run_free(struct ledger_run *ledger)
{
    ledger_run_close(ledger);
    free(ledger->client);
    free(ledger->server);
    ledger->client = ledger->server = NULL;
}

/* The counters before and after each stretch of one op, or before and after each idle stretch. */
struct passes {
    struct ledger_stretch client[LEDGER_PASSES], server[LEDGER_PASSES];
};

static void read_client(const struct ledger_run *ledger, struct counters *counters)
{
    const struct setup *setup = ledger->setup;

    counters_read_process(counters, setup_client_pid(setup));
    if (setup->on_mount)
        setup->plan->engine->mount->times(setup, &counters->values[COUNTER_USER_NS],
                                          &counters->values[COUNTER_SYSTEM_NS]);
}

/* Read the client's counters last, so that they don't count the reading of the other counters. */
static void read_before(struct ledger_run *ledger, struct passes *passes, size_t pass)
{
    struct counters *client = &passes->client[pass].before;

    server_counters_read(&ledger->counters, &passes->server[pass].before);
    counters_clear(client);
    counters_read_machine(client);
    read_client(ledger, client);
}

static void read_after(struct ledger_run *ledger, struct passes *passes, size_t pass,
                       uint64_t calls)
{
    struct counters *client = &passes->client[pass].after;

    counters_clear(client);
    read_client(ledger, client);
    counters_read_machine(client);
    server_counters_read(&ledger->counters, &passes->server[pass].after);
    passes->client[pass].calls = passes->server[pass].calls = calls;
}

static void idle_stretch(struct ledger_run *ledger, struct passes *passes, size_t pass)
{
    bool is_short = ledger->passes == SHORT_RUN_PASSES;

    read_before(ledger, passes, pass);
    deadline_pause(is_short ? SHORT_RUN_IDLE_NS : IDLE_NS);
    read_after(ledger, passes, pass, 0);
}

struct counting {
    struct ledger_run *ledger;
    struct series_set *set;
    struct passes *idle, *busy; /* IDLE: a single element; BUSY: one for each series */
    bool failed[SERIES_MAXIMUM];
};

static int busy_stretch(struct counting *counting, struct run_series *series, size_t pass,
                        struct error *error)
{
    struct passes *passes = &counting->busy[series->index];
    uint64_t ticks[LEDGER_RUN_CALLS_MAXIMUM];
    struct engine_tally unused = {.failed = 0};
    struct block block = {.count = counting->ledger->calls, .ticks = ticks};
    int code = series_set_prepare(counting->set, series, block.count, error);

    if (code)
        return code;
    read_before(counting->ledger, passes, pass);
    code = series_set_run(counting->set, series, &block, &unused, error);
    read_after(counting->ledger, passes, pass, block.count);
    return code ? code : series_set_clear(counting->set, series, block.count, error);
}

/* Make and count a stretch of SERIES. If an earlier stretch of SERIES failed, only return 0. If the
 * stretch fails for a reason that concerns only its op, store the reason in CUT_SHORT and return 0,
 * so that the other ops are counted. If the plan is STRICT, return any error of the stretch. */
static int count_series(struct counting *counting, struct run_series *series, size_t pass,
                        struct error *error)
{
    struct ledger_run *ledger = counting->ledger;
    int code = counting->failed[series->index] ? 0 : busy_stretch(counting, series, pass, error);

    if (code == 0 || counting->set->plan->strict || !series_failure_is_own(code, error))
        return code;
    counting->failed[series->index] = true;
    snprintf(ledger->cut_short, sizeof ledger->cut_short, "%.60s: %.440s", series->name,
             error->text);
    return 0;
}

static bool is_short_run(const struct run_plan *plan)
{
    return plan->calls && plan->calls < SHORT_RUN_CALLS;
}

/* Calls in a stretch, and stretches of each series (PASSES): the same numbers for all series. */
struct stretches {
    uint64_t calls;
    size_t passes;
    double time_ns; /* duration of all stretches of all series and of the idle stretches, ns */
};

static double stretches_time(const struct stretches *stretches, double one_of_each_ns)
{
    const double idle_ns = stretches->passes == SHORT_RUN_PASSES ? SHORT_RUN_IDLE_NS : IDLE_NS;

    return (double)stretches->passes * (idle_ns + (double)stretches->calls * one_of_each_ns);
}

/* Return the usual stretches. A stretch has as many calls as take STRETCH_NS in the slowest series,
 * or fewer: at most the launch's share of LEDGER_RUN_CALLS_MAXIMUM, and in a short run a tenth of
 * the run's calls. It has at least STRETCH_CALLS_MINIMUM calls, unless the run has fewer. CALL_NS
 * has the duration of a call of each series; ONE_OF_EACH_NS is the sum of these durations. */
static struct stretches usual_stretches(const struct series_set *set, const double *call_ns,
                                        double one_of_each_ns)
{
    unsigned launches = set->plan->launch.of ? set->plan->launch.of : 1;
    /* each launch of a measurement makes only its share of the calls */
    uint64_t calls = LEDGER_RUN_CALLS_MAXIMUM / launches;
    struct stretches usual = {.passes = is_short_run(set->plan) ? SHORT_RUN_PASSES : LEDGER_PASSES};

    for (size_t i = 0; i < set->count; i++)
        if (call_ns[i] * (double)calls > STRETCH_NS)
            calls = (uint64_t)(STRETCH_NS / call_ns[i]);
    if (is_short_run(set->plan) && calls > set->plan->calls / 10)
        calls = set->plan->calls / 10;
    if (calls < STRETCH_CALLS_MINIMUM)
        calls = STRETCH_CALLS_MINIMUM;
    if (set->plan->calls && calls > set->plan->calls)
        calls = set->plan->calls;
    usual.calls = calls;
    usual.time_ns = stretches_time(&usual, one_of_each_ns);
    return usual;
}

static struct stretches least_stretches(double one_of_each_ns)
{
    struct stretches least = {.calls = STRETCH_CALLS_MINIMUM, .passes = SHORT_RUN_PASSES};

    least.time_ns = stretches_time(&least, one_of_each_ns);
    return least;
}

/* Return usual_stretches() or, if they take longer than LIMIT_NS (0: no limit), the least ones. */
static struct stretches stretches_within(const struct series_set *set, const double *call_ns,
                                         double limit_ns)
{
    double one_of_each_ns = 0;
    struct stretches chosen;

    for (size_t i = 0; i < set->count; i++)
        one_of_each_ns += call_ns[i];
    chosen = usual_stretches(set, call_ns, one_of_each_ns);
    return limit_ns > 0 && chosen.time_ns > limit_ns ? least_stretches(one_of_each_ns) : chosen;
}

struct ledger_time ledger_run_time_of(const struct series_set *set)
{
    double call_ns[SERIES_MAXIMUM] = {0};

    for (size_t i = 0; i < set->count; i++)
        if (series_role(set->series[i])->counted)
            call_ns[i] = set->series[i]->call_ns;
    return (struct ledger_time){.usual_ns = stretches_within(set, call_ns, 0).time_ns,
                                .least_ns = stretches_within(set, call_ns, 1).time_ns};
}

/* Choose the usual stretches or, if they take longer than TIME_NS (0: no limit), the least ones.
 * Their time follows from the durations of calls in ROUNDS or, under load, in trials. Returns 0, or
 * -ETIME with ERROR set if the chosen stretches take over twice TIME_NS. */
static int choose_stretches(const struct counting *counting, const struct rounds *rounds,
                            double time_ns, struct error *error)
{
    const struct series_set *set = counting->set;
    const char *sequence = run_plan_sequence(set->plan);
    double call_ns[SERIES_MAXIMUM] = {0};
    struct stretches chosen;

    for (size_t i = 0; i < set->count; i++)
        if (series_role(set->series[i])->counted)
            call_ns[i] =
                run_plan_makes_load(set->plan)
                    ? set->series[i]->call_ns
                    : rounds->series[i].histogram.mean + series_preparation_ns(set->series[i], 1);
    chosen = stretches_within(set, call_ns, time_ns);
    counting->ledger->passes = chosen.passes;
    counting->ledger->calls = chosen.calls;
    if (time_ns <= 0 || chosen.time_ns <= 2 * time_ns)
        return 0;
    return error_set(
        error, ERROR_FAILED, -ETIME,
        "%s takes too long to be counted within --max-time; give COUNT, or raise --max-time",
        sequence ? sequence : "a call");
}

static int run_passes(struct counting *counting, struct error *error)
{
    struct series_set *set = counting->set;
    const struct deadline *deadline = &set->plan->deadline;
    int code = 0;

    for (size_t pass = 0; pass < counting->ledger->passes && code == 0; pass++) {
        idle_stretch(counting->ledger, counting->idle, pass);
        for (size_t i = 0; i < set->count && code == 0; i++)
            if (series_role(set->series[i])->counted)
                code = deadline_is_over(deadline)
                           ? error_set(error, ERROR_FAILED, -ETIME, "--max-time was over")
                           : count_series(counting, set->series[i], pass, error);
    }
    return code;
}

static void set_unknown(struct ledger_entry *entry)
{
    for (size_t i = 0; i < COUNTERS; i++)
        entry->values[i] = NAN;
}

static void reduce_passes(const struct counting *counting)
{
    const struct passes *idle = counting->idle, *busy = counting->busy;
    struct ledger_run *ledger = counting->ledger;

    ledger_background(&ledger->client_idle, idle->client, ledger->passes);
    /* The idle client's processor time is spent on sleeping and reading counters. It does not grow
     * with a stretch's duration, so it must not be subtracted as background. */
    for (size_t i = COUNTERS_FIRST_OF_PROCESS; i < COUNTERS; i++)
        ledger->client_idle.values[i] = NAN;
    ledger_background(&ledger->server_idle, idle->server, ledger->passes);
    for (size_t i = 0; i < counting->set->count; i++) {
        if (!series_role(counting->set->series[i])->counted)
            continue;
        if (counting->failed[i]) {
            set_unknown(&ledger->client[i]);
            set_unknown(&ledger->server[i]);
            continue;
        }
        ledger_per_call(&ledger->client[i], busy[i].client, ledger->passes, &ledger->client_idle);
        ledger_per_call(&ledger->server[i], busy[i].server, ledger->passes, &ledger->server_idle);
    }
    ledger->done = true;
}

void ledger_run_count(struct ledger_run *ledger, struct series_set *set,
                      const struct rounds *rounds, double time_ns)
{
    struct counting counting = {.ledger = ledger,
                                .set = set,
                                .idle = calloc(1, sizeof *counting.idle),
                                .busy = calloc(set->count, sizeof *counting.busy)};
    struct error error = {.text = "out of memory"};
    int code = -ENOMEM;

    ledger->client = calloc(set->count, sizeof *ledger->client);
    ledger->server = calloc(set->count, sizeof *ledger->server);
    if (counting.idle && counting.busy && ledger->client && ledger->server)
        code = choose_stretches(&counting, rounds, time_ns, &error);
    if (code == 0)
        code = run_passes(&counting, &error);
    if (code == 0)
        reduce_passes(&counting);
    else
        snprintf(ledger->cut_short, sizeof ledger->cut_short, "%s", error.text);
    set->setup->healthy =
        set->setup->healthy && (code == 0 || code == -EINTR || code == -ENOMEM || code == -ETIME);
    free(counting.idle);
    free(counting.busy);
}
