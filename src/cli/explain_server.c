#include "cli/explain_server.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/calls.h"
#include "cli/ledger_run.h"
#include "common/address.h"
#include "explain/server_moments.h"

/* Watch the server's process and the calls that come from PORT. */
static void open_trace(struct explain_server *server, uint16_t port)
{
    struct error error;

    server->request.client_port = port;
    if (trace_open(&server->trace, &server->request, &error) != 0) {
        server->trace = NULL;
        snprintf(server->lacking, sizeof server->lacking, "%s", error.text);
    }
}

static void find_process(struct explain_server *server, const struct session *session)
{
    struct server_counters counters;

    ledger_run_find_server(session, &counters);
    server->request.server_process = counters.pid;
    if (counters.pid == 0)
        snprintf(server->lacking, sizeof server->lacking, "%s", counters.lacking);
    server_counters_close(&counters);
}

void explain_server_open(struct explain_server *server, const struct explain_plan *plan,
                         const struct session *session, uint16_t port)
{
    struct endpoint endpoint = calls_endpoint(session, session->series[0].service);

    memset(server, 0, sizeof *server);
    server->view = &phase_view_client;
    server->request = (struct trace_request){.client_thread = gettid(),
                                             .server_port = address_port(&endpoint.address),
                                             .is_tcp = session->target.transport == TRANSPORT_TCP};
    if (plan->no_server)
        snprintf(server->lacking, sizeof server->lacking, "not asked for (--no-server)");
    else
        find_process(server, session);
    if (server->lacking[0])
        return;
    open_trace(server, port);
    if (server->trace)
        server->view = &phase_view_both;
}

void explain_server_begin(struct explain_server *server, uint16_t port)
{
    if (server->trace && port != server->request.client_port) { /* connected again */
        trace_close(server->trace);
        open_trace(server, port);
    }
    if (server->trace)
        trace_enable(server->trace, true);
}

int explain_server_end(struct explain_server *server, struct call_times *calls, size_t count,
                       struct error *error)
{
    struct server_events events = {.client_thread = (uint32_t)server->request.client_thread,
                                   .server_process = (uint32_t)server->request.server_process};

    if (!server->trace)
        return 0;
    trace_enable(server->trace, false);
    server->events = trace_read(server->trace);
    server->events_lost += server->events.lost;
    events.list = server->events.list;
    events.count = server->events.count;
    server_moments(&events, calls, count);
    return 0;
}

void explain_server_note(const struct explain_server *server, struct explain_slow_call *call)
{
}

void explain_server_close(struct explain_server *server)
{
    trace_close(server->trace);
    server->trace = NULL;
}
