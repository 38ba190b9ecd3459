/* nfsbench: picks the command. */
#include <signal.h>
#include <string.h>

#include "cli/commands.h"
#include "common/descriptors.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"sweep", command_sweep},     {"serve", command_serve},   {"compare", command_compare},
    {"clean", command_clean},     {"ledger", command_ledger}, {"doctor", command_doctor},
    {"watch", command_watch},     {"plot", command_plot},     {"report", command_report},
    {"explain", command_explain},
};

int main(int argc, char **argv)
{
    /* A connection that breaks is an error to report, not a death. */
    signal(SIGPIPE, SIG_IGN);
    descriptors_open_standard();
    descriptors_raise_limit(); /* a connection takes one */
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return command_measure(argc, argv);
}
