#include "explain/kernel/server_side.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/address.h"
#include "run/ledger_run.h"

static void lose_server_side(struct server_side *server, const char *why)
{
    server_side_close(server);
    server->view = server->request.load ? &phase_view_load_client : &phase_view_client;
    snprintf(server->missing, sizeof server->missing, "%s", why);
}

/* Server on this machine */

static void open_trace(struct server_side *server)
{
    struct error error;

    server->view = server->request.load ? &phase_view_load_both : &phase_view_both;
    if (trace_open(&server->trace, &server->request, &error) != 0)
        lose_server_side(server, error.text);
}

static void find_process(struct server_side *server, const struct setup *setup)
{
    struct server_counters counters;

    ledger_run_find_server(setup, &counters);
    server->request.server_process = counters.pid;
    if (counters.pid == 0)
        lose_server_side(server, counters.missing);
    server_counters_close(&counters);
}

/* Give the trace up because no call has the server's timestamps: the wrong process was watched, or
 * its calls can't be traced. */
static void lose_trace(struct server_side *server)
{
    uint32_t process = (uint32_t)server->request.server_process;
    uint32_t reader = server_timestamps_reader(&server->events);
    char missing[160], why[400], advice[80] = "";

    server_timestamps_missing(&server->events, missing, sizeof missing);
    if (reader && reader != process)
        snprintf(advice, sizeof advice, "; process %u reads the requests: use --server-pid %u",
                 reader, reader);
    snprintf(why, sizeof why,
             "the events of process %u match no call; missing events of the server: %s%s", process,
             missing[0] ? missing : "reply entered with the xid of a call", advice);
    lose_server_side(server, why);
}

/* Set the server's timestamps of LOG's calls. Returns the number of calls whose way through the
 * server is known, or -ENOMEM. */
static long fill_in_server_timestamps(const struct server_side *server, const struct load_log *log)
{
    long joined = 0;

    if (server->request.load)
        return load_server_timestamps(log, &server->events);
    for (size_t i = 0; i < log->count; i++)
        if (log->calls[i].answered)
            joined += server_timestamps(&server->events, &log->calls[i].times);
    return joined;
}

static int end_trace(struct server_side *server, const struct load_log *log, struct error *error)
{
    uint64_t lost;
    long joined;

    server->events = server_events_take(server->trace, &server->request, &lost);
    server->events_lost += lost;
    if (lost) /* without the lost events, timestamps may be wrong */
        return 0;
    joined = fill_in_server_timestamps(server, log);
    if (joined < 0)
        return error_set(error, ERROR_FAILED, (int)joined, "out of memory for the server's events");
    server->joined += (size_t)joined;
    if (server->joined == 0 && log->count > 0)
        lose_trace(server);
    return 0;
}

/* Server on another machine */

/* Start a watch. PORT is the client's port if calls are made one at a time. Under load PORT is 0,
 * and server_side_begin() passes the ports later. */
static void open_watch(struct server_side *server, const struct explain_plan *plan,
                       const struct endpoint *endpoint, uint16_t port)
{
    const struct server_watch_request request = {.prefix = plan->server_command,
                                                 .endpoint = endpoint,
                                                 .client_port = port,
                                                 .deadline = deadline_half(&plan->run.deadline)};
    struct error error;

    server->view = server->request.load ? &phase_view_load_joined : &phase_view_joined;
    if (server_watch_open(&server->watch, &request, &error) != 0)
        lose_server_side(server, error.text);
}

/* Count the fitting calls. Give the watch up if calls could be joined but none has fitted so far,
 * because the agent then observes the calls of another client or server. */
static void check_joined(struct server_side *server, const struct residences_joined *joined)
{
    server->joined += joined->fitting;
    if (server->joined == 0 && joined->calls > 0)
        lose_server_side(
            server,
            "the events that 'nfsbench agent --events' recorded match no call: is the server "
            "another process or machine, or does a translator change ports on the way?");
}

/* Set ASKED to the calls that the agent is asked about, with their positions, because under load
 * the agent can't identify calls by xids. The agent answers with indexes in ASKED, so a call's
 * xid in LOG becomes its index, or RESIDENCES_MAXIMUM if the agent is not asked about the call.
 * Returns the number of calls in ASKED. */
static size_t number_calls(const struct load_log *log, struct watch_call asked[RESIDENCES_MAXIMUM])
{
    size_t count = 0;

    for (size_t i = 0; i < log->count; i++) {
        struct load_call *call = &log->calls[i];

        call->times.xid = RESIDENCES_MAXIMUM;
        if (!call->answered || call->times.retransmitted || count == RESIDENCES_MAXIMUM)
            continue;
        call->times.xid = (uint32_t)count;
        asked[count++] = (struct watch_call){log->connections[call->connection].port,
                                             call->request_end, call->reply_begin, call->reply_end};
    }
    return count;
}

static void join_residences(struct server_side *server, struct watch_answer *answer,
                            const struct load_log *log)
{
    struct residences_joined joined = {0};

    server_residence_sort(answer->residences, answer->count);
    for (size_t i = 0; i < log->count; i++)
        if (log->calls[i].answered)
            server_residence_join(answer->residences, answer->count, &log->calls[i].times, &joined);
    check_joined(server, &joined);
}

/* End the watch's block. If the agent lost events, the agent's answer is ignored. If the watch
 * fails, it is given up and 0 is returned. Returns -EINTR or -ENOMEM with ERROR set. */
static int end_watch(struct server_side *server, const struct load_log *log, struct error *error)
{
    struct watch_call *asked = calloc(RESIDENCES_MAXIMUM, sizeof *asked);
    struct watch_answer *answer;
    int code;

    if (!asked)
        return error_set(error, ERROR_FAILED, -ENOMEM,
                         "out of memory for the server's residence times");
    code = server_watch_end(server->watch, asked,
                            server->request.load ? number_calls(log, asked) : 0, &answer, error);
    free(asked);
    if (code && code != -EINTR)
        lose_server_side(server, error->text);
    if (code)
        return code == -EINTR ? code : 0;
    server->events_lost += answer->events_lost;
    if (answer->events_lost == 0)
        join_residences(server, answer, log);
    return 0;
}

void server_side_open(struct server_side *server, const struct explain_plan *plan,
                      const struct setup *setup, const struct load_log *log)
{
    const struct endpoint endpoint = setup_endpoint(setup, setup->plan->ops[0]->service);

    memset(server, 0, sizeof *server);
    server->request = (struct trace_request){.client_thread = gettid(),
                                             .server_port = address_port(&endpoint.address),
                                             .is_tcp = setup->target.transport == TRANSPORT_TCP,
                                             .load = !log->single};
    if (server->request.load && !server->request.is_tcp) {
        lose_server_side(server,
                         "over UDP, the server's phases are known of one call at a time only");
    } else if (plan->no_server) {
        lose_server_side(server, "disabled by --no-server");
    } else if (plan->server_command && setup->tls && !server->request.load) {
        lose_server_side(server, "over TLS, xids are encrypted, so one call at a time can't be "
                                 "recognised on another machine; give --depth");
    } else if (plan->server_command) {
        open_watch(server, plan, &endpoint, log->single ? log->connections[0].port : 0);
    } else {
        find_process(server, setup);
        if (server->request.server_process)
            open_trace(server);
    }
}

void server_side_begin(struct server_side *server, const struct load_log *log)
{
    uint16_t *ports = calloc(log->connection_count + 1, sizeof *ports);
    struct error error;
    size_t count = 0;
    int code = 0;

    for (size_t i = 0; ports && i < log->connection_count; i++) {
        uint16_t port = log->connections[i].port;

        if (port && server->trace)
            trace_watch_port(server->trace, port);
        if (port)
            ports[count++] = port;
    }
    if (server->watch)
        code = server_watch_begin(server->watch, ports, count, &error);
    if (code && code != -EINTR)
        lose_server_side(server, error.text);
    free(ports);
}

int server_side_end(struct server_side *server, const struct load_log *log, struct error *error)
{
    if (server->watch)
        return end_watch(server, log, error);
    return server->trace ? end_trace(server, log, error) : 0;
}

void server_side_sample(void *context, bool on)
{
    const struct server_side *server = context;

    if (server->trace)
        trace_enable(server->trace, on);
}

void server_side_note(const struct server_side *server, struct explain_single_call *call)
{
    if (server->trace && !server->request.load)
        call->note_count = slow_describe(&server->events, &call->times, call->notes);
}

void server_side_close(struct server_side *server)
{
    trace_close(server->trace);
    server_watch_close(server->watch);
    server->trace = NULL;
    server->watch = NULL;
}
