/* nfsbench watch: the server's half of calls that nfsbench explain makes on another machine. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/local_server.h"
#include "cli/options.h"
#include "explain/trace.h"
#include "explain/watch_answer.h"

struct watch_settings {
    struct local_server server;
    uint16_t client_port;
    bool help;
};

struct watch {
    struct trace *trace;
    struct trace_request request;
    struct watch_answer answer;
};

#define MEMBER(member) offsetof(struct watch_settings, member)

static const struct option_entry table[] = {
    LOCAL_SERVER_OPTIONS(MEMBER(server)),
    {"client-port", 0, OPTION_PORT, MEMBER(client_port), "N",
     "the port that the calls come from; needed"},
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {0},
};

static void print_help(void)
{
    printf("usage: nfsbench watch --client-port N [options]\n\n"
           "What the NFS server on this machine does for the calls of one client, by eBPF: a line "
           "of JSON\nwhen it is ready, and on standard input 'begin' and 'end' for stretches of "
           "calls, each answered\nby a line; the latter with the times of each reply. A run on "
           "another machine starts it by itself:\nnfsbench explain --server-cmd 'ssh server' "
           "...\n\noptions\n");
    options_help(table, stdout);
}

static int print_answer(const struct watch_answer *answer)
{
    char *line = watch_answer_to_json(answer);
    bool written = line && puts(line) >= 0 && fflush(stdout) == 0;

    free(line);
    return written ? 0 : -EIO;
}

/* False: what is lacking is in the answer. */
static bool open_trace(struct watch *watch, const struct watch_settings *settings)
{
    struct watch_answer *answer = &watch->answer;
    struct error error;

    watch->request =
        (struct trace_request){.server_process = local_server_process(&settings->server),
                               .client_port = settings->client_port,
                               .server_port = settings->server.port,
                               .is_tcp = !local_server_is_udp(&settings->server)};
    answer->kind = WATCH_LACKING;
    if (watch->request.server_process == 0) {
        snprintf(answer->lacking, sizeof answer->lacking,
                 "no process that can be seen over there listens on port %u",
                 settings->server.port);
        return false;
    }
    if (trace_open(&watch->trace, &watch->request, &error) != 0) {
        snprintf(answer->lacking, sizeof answer->lacking, "on the server's machine: %.370s",
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

/* More halves than there is room for are lost, too. */
static void end(struct watch *watch)
{
    struct watch_answer *answer = &watch->answer;
    struct server_events events = {.server_process = (uint32_t)watch->request.server_process};
    struct trace_events seen;

    trace_enable(watch->trace, false);
    seen = trace_read(watch->trace);
    events.list = seen.list;
    events.count = seen.count;
    answer->kind = WATCH_HALVES;
    answer->count = server_halves_find(&events, answer->halves, HALVES_MAXIMUM);
    answer->events_lost = seen.lost;
    if (answer->count > HALVES_MAXIMUM) {
        answer->events_lost += answer->count - HALVES_MAXIMUM;
        answer->count = HALVES_MAXIMUM;
    }
}

static int serve_lines(struct watch *watch, struct error *error)
{
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "begin\n") == 0)
            begin(watch);
        else if (strcmp(line, "end\n") == 0)
            end(watch);
        else
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "watch takes lines of 'begin' and 'end', not '%.*s'",
                             (int)strcspn(line, "\n"), line);
        if (print_answer(&watch->answer) != 0)
            return error_set(error, ERROR_FAILED, -EIO, "writing the answer: %s", strerror(errno));
    }
    return 0;
}

static int run(const struct watch_settings *settings, struct error *error)
{
    struct watch *watch = calloc(1, sizeof *watch);
    bool opened;
    int code;

    if (!watch)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    opened = open_trace(watch, settings);
    code = print_answer(&watch->answer);
    if (code)
        error_set(error, ERROR_FAILED, code, "writing the answer: %s", strerror(errno));
    else if (opened)
        code = serve_lines(watch, error);
    trace_close(watch->trace);
    free(watch);
    return code;
}

static int check(struct watch_settings *settings, struct error *error)
{
    if (settings->client_port == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "watch needs --client-port, the port that the calls come from");
    return local_server_check(&settings->server, error);
}

int command_watch(int argc, char **argv)
{
    struct watch_settings settings = {0};
    struct error error;
    int code = options_parse_alone(table, "watch", argc, argv, &settings, &error);

    if (code == 0 && settings.help) {
        print_help();
        return 0;
    }
    if (code == 0)
        code = check(&settings, &error);
    if (code == 0)
        code = run(&settings, &error);
    if (code)
        error_print(&error);
    return code ? (int)error.kind : 0;
}
