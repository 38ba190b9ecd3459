/* nfsbench: prepares the process and starts the command. */
#include <fcntl.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "commands.h"
#include "common/descriptors.h"
#include "common/signals.h"
#include "common/stack.h"
#include "run/setup/scratch.h"

/* Open the first three descriptors if they are closed, so that no file or socket opened later is
 * mistaken for standard output. They become /dev/null, open only in the wrong direction (standard
 * input for writing), so that using them still fails. */
static void open_standard_descriptors(void)
{
    /* open() returns the lowest free descriptor. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return;
}

int main(int argc, char **argv)
{
    int status;

    if (stack_check("nfsbench") != 0)
        return ERROR_FAILED;
    signals_ignore_writes();
    open_standard_descriptors();
    descriptors_raise_limit(); /* each connection needs one */
    status = command_main(&commands_of_nfsbench, argc, argv);
    return status == 0 && scratch_removal_failed() ? ERROR_FAILED : status;
}
