/* nfsbench agent: the helper that a run on another machine starts on the server's machine by its
 * --server-cmd. It answers each line on standard input with a line of JSON, and exits at end of
 * file. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "common/error.h"
#include "explain/kernel/server_watch.h"
#include "explain/kernel/trace.h"
#include "explain/phases/load_log.h"
#include "job/command.h"
#include "job/option_values.h"
#include "job/plan.h"
#include "measure/counters.h"
#include "measure/process.h"
#include "output/result/json.h"
#include "run/setup/remote_command.h"

/* A server on this machine, and the client whose calls are observed. */
struct agent_server {
    pid_t process; /* 0: no visible process listens on the port */
    uint16_t port;
    bool is_udp;
    uint16_t client_port; /* source port of the calls */
};

/* The numbers of a question, and the longest line that asks it. */
enum {
    NUMBERS_OF_CALL = 4, /* struct watch_call */
    NUMBERS_MAXIMUM = NUMBERS_OF_CALL * RESIDENCES_MAXIMUM,
    DIGITS_MAXIMUM = 10,
    LINE_SIZE = NUMBERS_MAXIMUM * (DIGITS_MAXIMUM + sizeof ", ") + 4096,
};

/* Is LINE, which fgets() has read, a whole one? */
static int check_line(const char *line, struct error *error)
{
    if (strchr(line, '\n') || feof(stdin))
        return 0;
    return error_set(error, ERROR_USAGE, -EMSGSIZE,
                     "agent: a line on standard input is longer than any question (%d bytes), or "
                     "contains zero bytes",
                     (int)LINE_SIZE - 1);
}

/* Have ANSWER answer each line on standard input. 0, or a negative errno with ERROR set. */
static int answer_lines(int (*answer)(void *context, const char *line, struct error *error),
                        void *context, struct error *error)
{
    char *line = malloc(LINE_SIZE);
    int code = line ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    while (code == 0 && fgets(line, LINE_SIZE, stdin)) {
        code = check_line(line, error);
        if (code == 0)
            code = answer(context, line, error);
    }
    free(line);
    return code;
}

/* --events */

struct watch {
    struct trace *trace;
    struct trace_request request;
    struct watch_answer answer;
    uint32_t numbers[NUMBERS_MAXIMUM]; /* of the question */
};

/* The answer says what is missing, if that is so; there is no trace then. */
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

static json_t *begin(struct watch *watch, const json_t *ports)
{
    long count = watch_numbers(ports, watch->numbers, NUMBERS_MAXIMUM);

    for (long i = 0; i < count; i++)
        trace_watch_port(watch->trace, (uint16_t)watch->numbers[i]);
    trace_enable(watch->trace, true);
    return count < 0 ? NULL : json_pack("{s:b}", "ready", true);
}

/* Residence times that do not fit into the array count as lost, too. */
static void end(struct watch *watch, const struct server_events *events)
{
    struct watch_answer *answer = &watch->answer;

    answer->count = server_residence_find(events, answer->residences, RESIDENCES_MAXIMUM);
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

/* The residence times of the COUNT calls that were asked for. */
static int end_load(struct watch *watch, const struct server_events *events, size_t count)
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
        answer_calls(watch, &log);
    free(log.calls);
    free(log.connections);
    return found < 0 ? (int)found : 0;
}

static json_t *end_block(struct watch *watch, const json_t *calls)
{
    long count = watch_numbers(calls, watch->numbers, NUMBERS_MAXIMUM);
    struct server_events events;

    if (count < 0 || count % NUMBERS_OF_CALL != 0)
        return NULL;
    events = server_events_take(watch->trace, &watch->request, &watch->answer.events_lost);
    if (!watch->request.load)
        end(watch, &events);
    else if (end_load(watch, &events, (size_t)count / NUMBERS_OF_CALL) != 0)
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
        answer = begin(watch, ports);
    else if (calls)
        answer = end_block(watch, calls);
    json_decref(question);
    if (!answer)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "agent --events expects a line such as '{\"begin\": []}' or "
                         "'{\"end\": []}', not '%.*s'",
                         (int)(strcspn(line, "\n") < 60 ? strcspn(line, "\n") : 60), line);
    return remote_command_answer(answer, error);
}

/* Answer each pair of objects with 'begin' and 'end' with what the server did between them, until
 * standard input ends. 0, or a negative errno with ERROR set. */
static int answer_events(const struct agent_server *server, struct error *error)
{
    struct watch *watch = calloc(1, sizeof *watch);
    int code;

    if (!watch)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    code = remote_command_answer(open_trace(watch, server), error);
    if (code == 0 && watch->trace)
        code = answer_lines(answer_line, watch, error);
    trace_close(watch->trace);
    free(watch);
    return code;
}

/* --counters */

/* Any line asks for them. */
static int answer_counters(void *context, const char *line, struct error *error)
{
    const struct agent_server *server = context;
    struct counters counters;

    counters_clear(&counters);
    if (server->process)
        counters_read_process(&counters, server->process);
    counters_read_machine(&counters);
    return remote_command_answer(counters_to_json(&counters), error);
}

/* Its options */

static struct {
    bool counters, events;
    uint32_t pid; /* of the server; 0: find it by its port */
    uint16_t client_port;
} own;

static void set_defaults(struct options *options)
{
    memset(&own, 0, sizeof own);
}

static const struct option_entry own_options[] = {
    {"counters", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(own.counters),
     .help = "for each line on standard input, print one line of JSON with the counters of this "
             "machine, "
             "its network interfaces and the server's process"},
    {"events", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(own.events),
     .help =
         "record by eBPF what the server does for one client's calls between a line of JSON with "
         "'begin' and one with 'end' on standard input; each is answered by one line of JSON"},
    {"client-port", 0, OPTION_PORT, SECTION_OWN, OPTION_SETS(own.client_port), .value = "N",
     .help = "with --events, the port that the calls come from", .needs = {"events"}},
    {"port", 0, OPTION_PORT, SECTION_OWN, OPTION_SHARES(port), .value = "N",
     .help = "the port that the server listens on (default 2049)"},
    {"proto", 'p', OPTION_CHOICE, SECTION_OWN, OPTION_SHARES(proto), .value = "NAME",
     .help = "tcp (default) or udp", .choices = option_protocols},
    {"pid", 0, OPTION_NUMBER, SECTION_OWN, OPTION_SETS(own.pid), .value = "N",
     .help = "the server's process (default: found by its port)"},
    {NULL},
};

static int check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    const struct rule rules[] = {
        {GROUP_ALL, own.counters == own.events, "agent needs either --counters or --events"},
        {GROUP_ALL, own.pid && !process_exists((pid_t)own.pid), "--pid: there is no such process"},
    };

    return rules_apply(rules, sizeof rules / sizeof rules[0], options, error);
}

static int run(const struct options *options, int *status, struct error *error)
{
    enum { NFS_PORT = 2049 };
    struct agent_server server = {.port = options->port ? options->port : NFS_PORT,
                                  .is_udp = options->proto == TRANSPORT_UDP,
                                  .client_port = own.client_port};
    int code = options_refuse_words(options, error);

    if (code == 0)
        code = rules_check(options, error);
    if (code)
        return code;
    server.process = own.pid ? (pid_t)own.pid : process_of_port(server.port, server.is_udp);
    return own.events ? answer_events(&server, error)
                      : answer_lines(answer_counters, &server, error);
}

const struct command command_agent = {
    .purpose = PURPOSE_SUPPORT,
    .own = own_options,
    .own_title = "what to report",
    .set_defaults = set_defaults,
    .check = check,
    .name = "agent",
    .usage = "nfsbench agent --counters|--events [options]",
    .about = "Answers a measuring run on another machine, which starts this command here through "
             "its --server-cmd option: nfsbench --server-cmd 'ssh server' ...",
    .run = run,
};
