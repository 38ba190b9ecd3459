/* nfsbench agent: a helper on the server's machine. A run of nfsbench on another machine starts it
 * by --server-cmd. It answers each line on standard input with a line of JSON, and exits at end of
 * file. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "job/command.h"
#include "job/plan.h"
#include "measure/counters.h"
#include "measure/process.h"
#include "output/result/json.h"
#include "run/setup/remote_command.h"

/* --counters */

enum { LINE_SIZE = 4096 };

/* Answer a line with the counters of the machine and, if it is known, of the server's process.
 * CONTEXT is a struct agent_server. */
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

static struct {
    bool counters, events;
    uint32_t pid; /* id of the server's process; 0: find it by the server's port */
    uint16_t client_port;
} own;

static const struct option_entry own_options[] = {
    {"counters", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(own.counters),
     .help = "print the counters of this machine, its network interfaces and the server's process "
             "as a line of JSON for each line on standard input"},
    {"events", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(own.events),
     .help = "record by eBPF how the server handles one client's calls, from a line of JSON with "
             "'begin' to a line with 'end' on standard input; answer each with a line of JSON"},
    {"client-port", 0, OPTION_PORT, SECTION_OWN, OPTION_SETS(own.client_port), .value = "N",
     .help = "with --events, source port of the calls", .needs = {"events"}},
    {"port", 0, OPTION_PORT, SECTION_OWN, OPTION_SHARES(port), .value = "N",
     .help = "port that the server listens on (default 2049)"},
    {"proto", 'p', OPTION_CHOICE, SECTION_OWN, OPTION_SHARES(proto), .value = "NAME",
     .help = "transport protocol: tcp (default) or udp", .choices = option_protocols},
    {"pid", 0, OPTION_NUMBER, SECTION_OWN, OPTION_SETS(own.pid), .value = "N",
     .help = "process ID of the server (default: found by its port)"},
    {NULL},
};

static int check_agent_options(const struct options *options, const struct run_plan *plan,
                               struct error *error)
{
    const struct rule rules[] = {
        {GROUP_ALL, own.counters == own.events, "agent needs either --counters or --events"},
        {GROUP_ALL, own.pid && !process_exists((pid_t)own.pid), "--pid: no process has this ID"},
    };

    return rules_apply(rules, sizeof rules / sizeof rules[0], options, error);
}

/* --events */

/* Let the command that traces servers answer the questions about events. Fails if this nfsbench was
 * built without such a command. */
static int answer_events(const struct agent_server *server, struct error *error)
{
    const struct command *command;

    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->answer)
            return command->answer(server, error);
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "--events: this nfsbench was built without the part that records events; "
                     "build it again with all parts");
}

static int run_agent(const struct options *options, int *status, struct error *error)
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
                      : remote_command_serve(LINE_SIZE, answer_counters, &server, error);
}

const struct command command_agent = {
    .purpose = PURPOSE_SUPPORT,
    .own = own_options,
    .own_title = "what to report",
    .check = check_agent_options,
    .name = "agent",
    .usage = "nfsbench agent --counters|--events [options]",
    .about =
        "Answers a run of nfsbench on another machine. That run starts this command on the "
        "server's machine through its option --server-cmd: nfsbench --server-cmd 'ssh server' ...",
    .run = run_agent,
};
