#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agent.h"
#include "explain/server_watch.h"
#include "explain/trace.h"

struct watch {
    struct trace *trace;
    struct trace_request request;
    struct watch_answer answer;
};

/* If this returns false, the answer says what is missing. */
static bool open_trace(struct watch *watch, const struct agent_server *server)
{
    struct watch_answer *answer = &watch->answer;
    struct error error;

    watch->request = (struct trace_request){.server_process = server->process,
                                            .client_port = server->client_port,
                                            .server_port = server->port,
                                            .is_tcp = !server->is_udp};
    answer->kind = WATCH_MISSING;
    if (watch->request.server_process == 0) {
        snprintf(answer->missing, sizeof answer->missing,
                 "on the server's machine, no visible process listens on port %u", server->port);
        return false;
    }
    if (trace_open(&watch->trace, &watch->request, &error) != 0) {
        snprintf(answer->missing, sizeof answer->missing, "on the server's machine: %.370s",
                 error.text);
        return false;
    }
    answer->kind = WATCH_READY;
    return true;
}

static void begin(struct watch *watch)
{
    watch->answer.kind = WATCH_READY;
    trace_enable(watch->trace, true);
}

/* Residence times that do not fit into the array count as lost, too. */
static void end(struct watch *watch)
{
    struct watch_answer *answer = &watch->answer;
    struct server_events events = {.server_process = (uint32_t)watch->request.server_process};
    struct trace_events seen;

    trace_enable(watch->trace, false);
    seen = trace_read(watch->trace);
    events.list = seen.list;
    events.count = seen.count;
    answer->kind = WATCH_RESIDENCES;
    answer->count = server_residence_find(&events, answer->residences, RESIDENCES_MAXIMUM);
    answer->events_lost = seen.lost;
    if (answer->count > RESIDENCES_MAXIMUM) {
        answer->events_lost += answer->count - RESIDENCES_MAXIMUM;
        answer->count = RESIDENCES_MAXIMUM;
    }
}

static int serve_lines(struct watch *watch, struct error *error)
{
    char line[64];
    int code = 0;

    while (code == 0 && fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "begin\n") == 0)
            begin(watch);
        else if (strcmp(line, "end\n") == 0)
            end(watch);
        else
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "agent --events expects the line 'begin' or 'end', not '%.*s'",
                             (int)strcspn(line, "\n"), line);
        code = agent_print(watch_answer_to_json(&watch->answer), error);
    }
    return code;
}

int agent_answer_events(const struct agent_server *server, struct error *error)
{
    struct watch *watch = calloc(1, sizeof *watch);
    bool opened;
    int code;

    if (!watch)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    opened = open_trace(watch, server);
    code = agent_print(watch_answer_to_json(&watch->answer), error);
    if (code == 0 && opened)
        code = serve_lines(watch, error);
    trace_close(watch->trace);
    free(watch);
    return code;
}
