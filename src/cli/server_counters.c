#include "cli/server_counters.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/address.h"
#include "measure/clock.h"
#include "measure/process.h"
#include "output/counters_json.h"

enum { LINE_SIZE = 16384, ANSWER_SECONDS = 1 };

/* A command on the server's machine */

static int start_command(struct server_counters *server, const char *prefix,
                         const struct endpoint *endpoint)
{
    char arguments[64];

    snprintf(arguments, sizeof arguments, "--port %u --proto %s", address_port(&endpoint->address),
             endpoint->transport == TRANSPORT_UDP ? "udp" : "tcp");
    return remote_command_start(&server->command, prefix, "ledger", arguments);
}

static void ask(struct server_counters *server, struct counters *counters, unsigned seconds)
{
    char line[LINE_SIZE];
    struct error error;

    remote_command_ask(&server->command, "\n", line, sizeof line, seconds);
    if (counters_from_json(counters, line) == 0)
        return;
    remote_command_give_up(&server->command, line, -EBADMSG, &error);
    snprintf(server->lacking, sizeof server->lacking, "%s", error.text);
}

static void begin_asking(struct server_counters *server, const struct endpoint *endpoint)
{
    struct counters first;

    ask(server, &first, REMOTE_COMMAND_FIRST_SECONDS);
    if (server->command.pid && isnan(first.values[COUNTER_VOLUNTARY]))
        snprintf(server->lacking, sizeof server->lacking,
                 "no process that can be seen over there listens on port %u",
                 address_port(&endpoint->address));
}

/* A process on this machine */

static void find_process(struct server_counters *server, const struct endpoint *endpoint)
{
    uint16_t port = address_port(&endpoint->address);

    if (!address_is_local(&endpoint->address)) {
        snprintf(server->lacking, sizeof server->lacking,
                 "the server is on another machine; see --server-cmd");
        return;
    }
    server->pid = process_of_port(port, endpoint->transport == TRANSPORT_UDP);
    if (server->pid == 0)
        snprintf(server->lacking, sizeof server->lacking,
                 "no process that can be seen here listens on port %u; see --server-pid", port);
}

void server_counters_open(struct server_counters *server,
                          const struct server_counters_request *request)
{
    *server = (struct server_counters){.pid = request->command ? 0 : request->pid};
    if (request->command) {
        if (start_command(server, request->command, request->endpoint) != 0)
            snprintf(server->lacking, sizeof server->lacking, "--server-cmd could not be started");
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
        ask(server, counters, ANSWER_SECONDS);
    } else if (server->pid) {
        counters->at_ns = clock_raw_ns();
        counters_read_process(counters, server->pid);
        if (!process_exists(server->pid)) {
            snprintf(server->lacking, sizeof server->lacking, "process %d ended", (int)server->pid);
            server->pid = 0;
        }
    }
}

void server_counters_close(struct server_counters *server)
{
    remote_command_end(&server->command);
}
