/* nfsbench: prepares the process, and starts the command. */
#include <signal.h>

#include "cli/command.h"
#include "common/descriptors.h"
#include "run/scratch.h"

int main(int argc, char **argv)
{
    int status;

    /* A broken connection must be an error, and not end the program. */
    signal(SIGPIPE, SIG_IGN);
    descriptors_open_standard();
    descriptors_raise_limit(); /* each connection takes a descriptor */
    status = command_main(argc, argv);
    return status == 0 && scratch_removal_failed() ? ERROR_FAILED : status;
}
