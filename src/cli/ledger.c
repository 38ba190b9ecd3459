/* nfsbench ledger: the kernel's counters of this machine on demand, for a run on another. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/local_server.h"
#include "cli/options.h"
#include "measure/counters.h"
#include "output/counters_json.h"

struct ledger_settings {
    struct local_server server;
    bool help;
};

#define MEMBER(member) offsetof(struct ledger_settings, member)

static const struct option_entry table[] = {
    LOCAL_SERVER_OPTIONS(MEMBER(server)),
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {0},
};

static void print_help(void)
{
    printf("usage: nfsbench ledger [options]\n\n"
           "For each line on standard input, one line of JSON with the counters of this machine, "
           "its network\ninterfaces and the NFS server's process as they stand. A run on another "
           "machine starts it by\nitself: nfsbench --server-cmd 'ssh server' ...\n\noptions\n");
    options_help(table, stdout);
}

static int answer(pid_t pid)
{
    struct counters counters;
    char *line;
    bool written;

    counters_clear(&counters);
    if (pid)
        counters_read_process(&counters, pid);
    counters_read_machine(&counters);
    line = counters_to_json(&counters);
    written = line && puts(line) >= 0 && fflush(stdout) == 0;
    free(line);
    return written ? 0 : -EIO;
}

static int serve_lines(const struct ledger_settings *settings)
{
    pid_t pid = local_server_process(&settings->server);
    char line[256];
    int code = 0;

    while (code == 0 && fgets(line, sizeof line, stdin))
        if (strchr(line, '\n'))
            code = answer(pid);
    return code;
}

int command_ledger(int argc, char **argv)
{
    struct ledger_settings settings = {0};
    struct error error;
    int code = options_parse_alone(table, "ledger", argc, argv, &settings, &error);

    if (code == 0 && settings.help) {
        print_help();
        return 0;
    }
    if (code == 0)
        code = local_server_check(&settings.server, &error);
    if (code == 0 && serve_lines(&settings) != 0)
        code = error_set(&error, ERROR_FAILED, -EIO, "writing the counters: %s", strerror(errno));
    if (code)
        error_print(&error);
    return code ? (int)error.kind : 0;
}
