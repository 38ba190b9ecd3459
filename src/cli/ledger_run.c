#include "cli/ledger_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/session.h"
#include "measure/process.h"

enum {
    STRETCH_CALLS_MINIMUM = 10,
    STRETCH_NS = 20 * 1000 * 1000, /* on a slow server, about this long */
    IDLE_NS = 10 * 1000 * 1000,
};

void ledger_run_find_server(const struct session *session, struct server_counters *server)
{
    const struct settings *settings = session->settings;
    struct server_counters_request request = {
        .endpoint = &session->mount.nfs,
        .command = settings->server_command,
        .pid = settings->server_pid ? (pid_t)settings->server_pid : session->self.pid};

    server_counters_open(server, &request);
}

void ledger_run_open(struct session *session)
{
    struct ledger_run *ledger = &session->ledger;

    ledger_run_find_server(session, &ledger->counters);
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

/* Stretches */

/* Both sides' stretches of all passes: of one op, or idle. */
struct passes {
    struct ledger_stretch client[LEDGER_PASSES], server[LEDGER_PASSES];
};

/* The own process is read nearest to the calls, so that reading the rest is not in its account. */
static void read_before(struct session *session, struct passes *passes, size_t pass)
{
    struct counters *client = &passes->client[pass].before;

    server_counters_read(&session->ledger.counters, &passes->server[pass].before);
    counters_clear(client);
    counters_read_machine(client);
    counters_read_process(client, 0);
}

static void read_after(struct session *session, struct passes *passes, size_t pass, uint64_t calls)
{
    struct counters *client = &passes->client[pass].after;

    counters_clear(client);
    counters_read_process(client, 0);
    counters_read_machine(client);
    server_counters_read(&session->ledger.counters, &passes->server[pass].after);
    passes->client[pass].calls = passes->server[pass].calls = calls;
}

static void idle_stretch(struct session *session, struct passes *passes, size_t pass)
{
    struct timespec pause = {.tv_nsec = IDLE_NS};

    read_before(session, passes, pass);
    nanosleep(&pause, NULL);
    read_after(session, passes, pass, 0);
}

static int busy_stretch(struct session *session, size_t series, struct passes *passes, size_t pass,
                        struct error *error)
{
    uint64_t ticks[LEDGER_RUN_CALLS_MAXIMUM];
    struct engine_tally unused = {.failed = 0};
    size_t recorded, calls = session->ledger.calls;
    const struct nfs_call *call = &session->series[series].call;
    int code = nfs_call_prepare(call, calls, session->clients[SERVICE_NFS], error);

    if (code)
        return code;
    read_before(session, passes, pass);
    code = engine_run(session->engines[session->series[series].service], &call->engine, calls,
                      ticks, &recorded, &unused, error);
    read_after(session, passes, pass, calls);
    return code ? code : nfs_call_clear(call, calls, session->clients[SERVICE_NFS], error);
}

/* Control and model series are calls like others. */
static bool is_counted(const struct session_series *series)
{
    return series->role == SERIES_NULL || series->role == SERIES_OP;
}

/* As many calls in a stretch as all series stand, going by the slowest. */
static uint64_t calls_in_stretch(const struct session *session)
{
    uint64_t calls = LEDGER_RUN_CALLS_MAXIMUM;

    for (size_t i = 0; i < session->series_count; i++) {
        double mean = session->rounds.series[i].histogram.mean;

        if (is_counted(&session->series[i]) && mean * (double)calls > STRETCH_NS)
            calls = (uint64_t)(STRETCH_NS / mean);
    }
    if (calls < STRETCH_CALLS_MINIMUM)
        calls = STRETCH_CALLS_MINIMUM;
    if (session->settings->calls && calls > session->settings->calls)
        calls = session->settings->calls;
    return calls;
}

static int run_passes(struct session *session, struct passes *idle, struct passes *busy,
                      struct error *error)
{
    int code = 0;

    for (size_t pass = 0; pass < LEDGER_PASSES && code == 0; pass++) {
        idle_stretch(session, idle, pass);
        for (size_t i = 0; i < session->series_count && code == 0; i++)
            if (is_counted(&session->series[i]))
                code = busy_stretch(session, i, &busy[i], pass, error);
    }
    return code;
}

static void reduce(struct session *session, const struct passes *idle, const struct passes *busy)
{
    struct ledger_run *ledger = &session->ledger;

    ledger_background(&ledger->client_idle, idle->client, LEDGER_PASSES);
    /* What the idle client uses is what sleeping and reading takes it, once a stretch, however
     * long. */
    for (size_t i = COUNTERS_FIRST_OF_PROCESS; i < COUNTERS; i++)
        ledger->client_idle.values[i] = NAN;
    ledger_background(&ledger->server_idle, idle->server, LEDGER_PASSES);
    for (size_t i = 0; i < session->series_count; i++) {
        if (!is_counted(&session->series[i]))
            continue;
        ledger_per_call(&ledger->client[i], busy[i].client, LEDGER_PASSES, &ledger->client_idle);
        ledger_per_call(&ledger->server[i], busy[i].server, LEDGER_PASSES, &ledger->server_idle);
    }
    ledger->done = true;
}

void ledger_run_count(struct session *session)
{
    struct ledger_run *ledger = &session->ledger;
    size_t n = session->series_count;
    struct passes *idle = calloc(1, sizeof *idle), *busy = calloc(n, sizeof *busy);
    struct error error = {.text = "out of memory"};
    int code = -ENOMEM;

    ledger->client = calloc(n, sizeof *ledger->client);
    ledger->server = calloc(n, sizeof *ledger->server);
    ledger->calls = calls_in_stretch(session);
    if (idle && busy && ledger->client && ledger->server)
        code = run_passes(session, idle, busy, &error);
    if (code == 0)
        reduce(session, idle, busy);
    else
        snprintf(ledger->cut_short, sizeof ledger->cut_short, "%s", error.text);
    session->healthy = session->healthy && (code == 0 || code == -EINTR || code == -ENOMEM);
    free(idle);
    free(busy);
}
