#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agent.h"
#include "explain/load_log.h"
#include "explain/server_watch.h"
#include "explain/trace.h"

enum {
    NUMBERS_OF_CALL = 4, /* struct watch_call */
    NUMBERS_MAXIMUM = NUMBERS_OF_CALL * RESIDENCES_MAXIMUM,
};

struct watch {
    struct trace *trace;
    struct trace_request request;
    struct watch_answer answer;
    uint32_t numbers[NUMBERS_MAXIMUM]; /* of the question */
};

/* If this returns false, the answer says what is missing. */
static bool open_trace(struct watch *watch, const struct agent_server *server)
{
    struct watch_answer *answer = &watch->answer;
    struct error error;

    watch->request = (struct trace_request){.server_process = server->process,
                                            .client_port = server->client_port,
                                            .server_port = server->port,
                                            .is_tcp = !server->is_udp,
                                            .load = server->client_port == 0};
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

static int begin(struct watch *watch, const char *ports)
{
    long count = watch_numbers(ports, watch->numbers, NUMBERS_MAXIMUM);

    for (long i = 0; i < count; i++)
        trace_watch_port(watch->trace, (uint16_t)watch->numbers[i]);
    watch->answer.kind = WATCH_READY;
    trace_enable(watch->trace, true);
    return count < 0 ? (int)count : 0;
}

/* Take the events of the block. */
static struct server_events take_events(struct watch *watch)
{
    struct trace_events seen;

    trace_enable(watch->trace, false);
    seen = trace_read(watch->trace);
    watch->answer.kind = WATCH_RESIDENCES;
    watch->answer.events_lost = seen.lost;
    return (struct server_events){.list = seen.list,
                                  .count = seen.count,
                                  .server_process = (uint32_t)watch->request.server_process};
}

/* Residence times that do not fit into the array count as lost, too. */
static void end(struct watch *watch)
{
    struct watch_answer *answer = &watch->answer;
    struct server_events events = take_events(watch);

    answer->count = server_residence_find(&events, answer->residences, RESIDENCES_MAXIMUM);
    if (answer->count > RESIDENCES_MAXIMUM) {
        answer->events_lost += answer->count - RESIDENCES_MAXIMUM;
        answer->count = RESIDENCES_MAXIMUM;
    }
}

/* Under load */

/* The index of the connection from PORT, which is added if it is new. */
static unsigned find_connection(struct load_log *log, uint32_t port)
{
    size_t i = 0;

    while (i < log->connection_count && log->connections[i].port != port)
        i++;
    if (i == log->connection_count)
        log->connections[log->connection_count++].port = (uint16_t)port;
    return (unsigned)i;
}

static void answer_calls(struct watch *watch, const struct load_log *log)
{
    struct watch_answer *answer = &watch->answer;

    answer->count = 0;
    for (size_t i = 0; i < log->count; i++)
        answer->count +=
            server_residence_of(&log->calls[i].times, &answer->residences[answer->count]);
}

/* The residence times of the COUNT calls that NUMBERS says. */
static int end_load(struct watch *watch, size_t count)
{
    const struct server_events events = take_events(watch);
    struct load_log log = {.calls = calloc(count + 1, sizeof *log.calls),
                           .connections = calloc(count + 1, sizeof *log.connections),
                           .count = count};
    long found = log.calls && log.connections ? 0 : -ENOMEM;

    for (size_t i = 0; i < count && found == 0; i++) {
        const uint32_t *call = &watch->numbers[NUMBERS_OF_CALL * i];

        log.calls[i] = (struct load_call){.times.xid = (uint32_t)i,
                                          .connection = find_connection(&log, call[0]),
                                          .request_end = call[1],
                                          .reply_begin = call[2],
                                          .reply_end = call[3],
                                          .answered = true};
    }
    if (found == 0)
        found = load_server_timestamps(&log, &events);
    if (found >= 0)
        answer_calls(watch, &log);
    free(log.calls);
    free(log.connections);
    return found < 0 ? (int)found : 0;
}

static int end_block(struct watch *watch, const char *calls)
{
    long count = watch_numbers(calls, watch->numbers, NUMBERS_MAXIMUM);

    if (count < 0 || count % NUMBERS_OF_CALL != 0)
        return -EBADMSG;
    if (watch->request.load)
        return end_load(watch, (size_t)count / NUMBERS_OF_CALL);
    end(watch);
    return 0;
}

static int answer_line(struct watch *watch, const char *line, struct error *error)
{
    int code = -EBADMSG;

    if (strncmp(line, "begin", 5) == 0)
        code = begin(watch, line + 5);
    else if (strncmp(line, "end", 3) == 0)
        code = end_block(watch, line + 3);
    if (code)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "agent --events expects the line 'begin' or 'end', not '%.*s'",
                         (int)(strcspn(line, "\n") < 60 ? strcspn(line, "\n") : 60), line);
    return agent_print(watch_answer_to_json(&watch->answer), error);
}

static int serve_lines(struct watch *watch, struct error *error)
{
    char *line = NULL;
    size_t size = 0;
    int code = 0;

    while (code == 0 && getline(&line, &size, stdin) > 0)
        code = answer_line(watch, line, error);
    free(line);
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
