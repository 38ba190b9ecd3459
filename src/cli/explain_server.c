#include "cli/explain_server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/calls.h"
#include "cli/ledger_run.h"
#include "common/address.h"
#include "explain/slow.h"

static void lose(struct explain_server *server, const char *why)
{
    trace_close(server->trace);
    server_watch_close(server->watch);
    server->trace = NULL;
    server->watch = NULL;
    server->view = &phase_view_client;
    snprintf(server->lacking, sizeof server->lacking, "%s", why);
}

/* On this machine */

/* Watch the server's process and the calls that come from PORT. */
static void open_trace(struct explain_server *server, uint16_t port)
{
    struct error error;

    server->request.client_port = port;
    server->view = &phase_view_both;
    if (trace_open(&server->trace, &server->request, &error) != 0)
        lose(server, error.text);
}

static void find_process(struct explain_server *server, const struct session *session)
{
    struct server_counters counters;

    ledger_run_find_server(session, &counters);
    server->request.server_process = counters.pid;
    if (counters.pid == 0)
        lose(server, counters.lacking);
    server_counters_close(&counters);
}

static void end_trace(struct explain_server *server, struct call_times *calls, size_t count)
{
    struct trace_events seen;

    trace_enable(server->trace, false);
    seen = trace_read(server->trace);
    server->events_lost += seen.lost;
    server->events =
        (struct server_events){.list = seen.list,
                               .count = seen.count,
                               .client_thread = (uint32_t)server->request.client_thread,
                               .server_process = (uint32_t)server->request.server_process};
    if (seen.lost == 0) /* else what is there may be the half of something */
        server_moments(&server->events, calls, count);
}

/* On another machine */

static void open_watch(struct explain_server *server, uint16_t port)
{
    struct server_watch_request request = {
        .prefix = server->command, .endpoint = &server->endpoint, .client_port = port};
    struct error error;

    server->request.client_port = port;
    server->view = &phase_view_joined;
    if (server_watch_open(&server->watch, &request, &error) != 0)
        lose(server, error.text);
}

static void begin_watch(struct explain_server *server)
{
    struct error error;
    int code = server_watch_begin(server->watch, &error);

    if (code && code != -EINTR)
        lose(server, error.text);
}

/* A watch whose halves fit no call at all looks at other calls. */
static void join(struct explain_server *server, struct watch_answer *answer,
                 struct call_times *calls, size_t count)
{
    struct halves_joined joined;

    server->events_lost += answer->events_lost;
    if (answer->events_lost > 0) /* as in end_trace() */
        return;
    joined = server_halves_join(answer->halves, answer->count, calls, count);
    server->joined += joined.fitting;
    if (server->joined == 0 && joined.calls > 0)
        lose(server, "what 'nfsbench watch' saw over there fits none of the calls: is the server "
                     "another process or machine, or are ports translated on the way?");
}

static int end_watch(struct explain_server *server, struct call_times *calls, size_t count,
                     struct error *error)
{
    struct watch_answer *answer;
    int code = server_watch_end(server->watch, &answer, error);

    if (code == 0)
        join(server, answer, calls, count);
    else if (code != -EINTR)
        lose(server, error->text);
    return code == -EINTR ? code : 0;
}

/* Either */

void explain_server_open(struct explain_server *server, const struct explain_plan *plan,
                         const struct session *session, uint16_t port)
{
    memset(server, 0, sizeof *server);
    server->view = &phase_view_client;
    server->command = plan->server_command;
    server->endpoint = calls_endpoint(session, session->series[0].service);
    server->request = (struct trace_request){.client_thread = gettid(),
                                             .server_port = address_port(&server->endpoint.address),
                                             .is_tcp = session->target.transport == TRANSPORT_TCP};
    if (plan->no_server) {
        lose(server, "not asked for (--no-server)");
    } else if (server->command) {
        open_watch(server, port);
    } else {
        find_process(server, session);
        if (server->request.server_process)
            open_trace(server, port);
    }
}

/* Another port: it connected again. */
void explain_server_begin(struct explain_server *server, uint16_t port)
{
    bool moved = port != server->request.client_port;

    if (server->trace && moved) {
        trace_close(server->trace);
        open_trace(server, port);
    }
    if (server->watch && moved) {
        server_watch_close(server->watch);
        open_watch(server, port);
    }
    if (server->trace)
        trace_enable(server->trace, true);
    if (server->watch)
        begin_watch(server);
}

int explain_server_end(struct explain_server *server, struct call_times *calls, size_t count,
                       struct error *error)
{
    if (server->trace)
        end_trace(server, calls, count);
    return server->watch ? end_watch(server, calls, count, error) : 0;
}

void explain_server_note(const struct explain_server *server, struct explain_slow_call *call)
{
    if (server->trace)
        call->note_count = slow_describe(&server->events, &call->times, call->notes);
}

void explain_server_close(struct explain_server *server)
{
    trace_close(server->trace);
    server_watch_close(server->watch);
    server->trace = NULL;
    server->watch = NULL;
}
