/* nfsbench agent: the helper that a run on another machine starts on the server's machine by its
 * --server-cmd. It answers each line on standard input with a line of JSON, and exits at end of
 * file. */
#include "cli/agent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/plan.h"
#include "measure/counters.h"
#include "measure/process.h"
#include "output/json.h"
#include "run/remote_command.h"

static int print_counters(pid_t pid, struct error *error)
{
    struct counters counters;

    counters_clear(&counters);
    if (pid)
        counters_read_process(&counters, pid);
    counters_read_machine(&counters);
    return remote_command_answer(counters_to_json(&counters), error);
}

static int answer_counters(const struct agent_server *server, struct error *error)
{
    char line[256];
    int code = 0;

    while (code == 0 && fgets(line, sizeof line, stdin))
        if (strchr(line, '\n'))
            code = print_counters(server->process, error);
    return code;
}

static int run(const struct options *options, int *status, struct error *error)
{
    enum { NFS_PORT = 2049 };
    struct agent_server server = {.port = options->port ? options->port : NFS_PORT,
                                  .is_udp = options->proto == TRANSPORT_UDP,
                                  .client_port = options->agent.client_port};
    int code = command_refuse_words(options, error);

    (void)status;
    if (code == 0)
        code = rules_check(options, error);
    if (code)
        return code;
    server.process = options->agent.pid ? (pid_t)options->agent.pid
                                        : process_of_port(server.port, server.is_udp);
    return options->agent.events ? agent_answer_events(&server, error)
                                 : answer_counters(&server, error);
}

const struct command command_agent = {
    .bit = COMMAND_AGENT,
    .name = "agent",
    .usage = "nfsbench agent --counters|--events [options]",
    .about = "Answers a measuring run on another machine, which starts this command here through "
             "its --server-cmd option: nfsbench --server-cmd 'ssh server' ...",
    .run = run,
};
