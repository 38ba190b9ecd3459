/* nfsbench: prepares the process, and starts the command. */
#include <signal.h>

#include "cli/command.h"
#include "common/descriptors.h"
#include "run/scratch.h"

int main(int argc, char **argv)
{
    int status;

    /* A connection that breaks is an error to report, not a death. */
    signal(SIGPIPE, SIG_IGN);
    descriptors_open_standard();
    descriptors_raise_limit(); /* a connection takes one */
    status = command_main(argc, argv);
    return status == 0 && scratch_any_stayed() ? ERROR_FAILED : status;
}
