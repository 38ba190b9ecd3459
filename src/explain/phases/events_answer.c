#include "explain/phases/events_answer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explain/kernel/server_watch.h"
#include "explain/phases/load_log.h"

/* A question to the agent is one line. It has at most NUMBERS_MAXIMUM numbers, each of at most
 * DIGITS_MAXIMUM digits, and fits into LINE_SIZE bytes. */
enum {
    NUMBERS_OF_CALL = 4, /* members of struct watch_call */
    NUMBERS_MAXIMUM = NUMBERS_OF_CALL * RESIDENCES_MAXIMUM,
    DIGITS_MAXIMUM = 10,
    LINE_SIZE = NUMBERS_MAXIMUM * (DIGITS_MAXIMUM + sizeof ", ") + 4096,
};

struct watch {
    struct trace *trace;
    struct trace_request request;
    struct watch_answer answer;
    uint32_t numbers[NUMBERS_MAXIMUM]; /* numbers in the question */
};

/* Open the trace of SERVER. Returns the answer to send: "ready", or what is missing. */
static json_t *open_trace(struct watch *watch, const struct agent_server *server)
{
    struct error error;

    watch->request = (struct trace_request){.server_process = server->process,
                                            .server_port = server->port,
                                            .is_tcp = !server->is_udp,
                                            .load = server->client_port == 0};
    if (watch->request.server_process == 0)
        return json_pack("{s:o}", "missing",
                         json_sprintf("on the server's machine, no visible process listens on "
                                      "port %u",
                                      server->port));
    if (trace_open(&watch->trace, &watch->request, &error) != 0)
        return json_pack("{s:o}", "missing",
                         json_sprintf("on the server's machine: %.370s", error.text));
    if (server->client_port)
        trace_watch_port(watch->trace, server->client_port);
    return json_pack("{s:b}", "ready", true);
}

static json_t *answer_begin(struct watch *watch, const json_t *ports)
{
    long count = watch_numbers(ports, watch->numbers, NUMBERS_MAXIMUM);

    for (long i = 0; i < count; i++)
        trace_watch_port(watch->trace, (uint16_t)watch->numbers[i]);
    trace_enable(watch->trace, true);
    return count < 0 ? NULL : json_pack("{s:b}", "ready", true);
}

/* Find the residence times in EVENTS. Residence times that do not fit into the answer count as lost
 * events. */
static void find_residences(struct watch *watch, const struct server_events *events)
{
    struct watch_answer *answer = &watch->answer;

    answer->count = server_residence_find(events, answer->residences, RESIDENCES_MAXIMUM);
    if (answer->count > RESIDENCES_MAXIMUM) {
        answer->events_lost += answer->count - RESIDENCES_MAXIMUM;
        answer->count = RESIDENCES_MAXIMUM;
    }
}

/* Under load */

/* Return the index of the connection from PORT. Adds it if it is new. */
static unsigned find_connection(struct load_log *log, uint32_t port)
{
    size_t i = 0;

    while (i < log->connection_count && log->connections[i].port != port)
        i++;
    if (i == log->connection_count)
        log->connections[log->connection_count++].port = (uint16_t)port;
    return (unsigned)i;
}

static void collect_residences(struct watch *watch, const struct load_log *log)
{
    struct watch_answer *answer = &watch->answer;

    answer->count = 0;
    for (size_t i = 0; i < log->count; i++)
        answer->count +=
            server_residence_of(&log->calls[i].times, &answer->residences[answer->count]);
}

/* Find the residence times of the COUNT calls in the question. Returns 0 or -ENOMEM. */
static int find_load_residences(struct watch *watch, const struct server_events *events,
                                size_t count)
{
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
        found = load_server_timestamps(&log, events);
    if (found >= 0)
        collect_residences(watch, &log);
    free(log.calls);
    free(log.connections);
    return found < 0 ? (int)found : 0;
}

static json_t *answer_end(struct watch *watch, const json_t *calls)
{
    long count = watch_numbers(calls, watch->numbers, NUMBERS_MAXIMUM);
    struct server_events events;

    if (count < 0 || count % NUMBERS_OF_CALL != 0)
        return NULL;
    events = server_events_take(watch->trace, &watch->request, &watch->answer.events_lost);
    if (!watch->request.load)
        find_residences(watch, &events);
    else if (find_load_residences(watch, &events, (size_t)count / NUMBERS_OF_CALL) != 0)
        return NULL;
    return watch_answer_to_json(&watch->answer);
}

static int answer_line(void *context, const char *line, struct error *error)
{
    struct watch *watch = context;
    json_t *question = json_loads(line, 0, NULL), *answer = NULL;
    const json_t *ports = json_object_get(question, "begin"), *calls;

    calls = json_object_get(question, "end");
    if (ports)
        answer = answer_begin(watch, ports);
    else if (calls)
        answer = answer_end(watch, calls);
    json_decref(question);
    if (!answer)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "agent --events expects a line such as '{\"begin\": []}' or '{\"end\": "
                         "[]}', not '%.*s'",
                         (int)(strcspn(line, "\n") < 60 ? strcspn(line, "\n") : 60), line);
    return remote_command_answer(answer, error);
}

int events_answer(const struct agent_server *server, struct error *error)
{
    struct watch *watch = calloc(1, sizeof *watch);
    int code;

    if (!watch)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    code = remote_command_answer(open_trace(watch, server), error);
    if (code == 0 && watch->trace)
        code = remote_command_serve(LINE_SIZE, answer_line, watch, error);
    trace_close(watch->trace);
    free(watch);
    return code;
}
