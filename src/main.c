/* nfsbench: prepares the process, and starts the command. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.h"
#include "run/scratch.h"

/* Make sure that the first three descriptors are open, so that no file or socket opened later is
 * mistaken for standard output. One that the caller has closed becomes /dev/null, opened in the
 * wrong direction so that using it still fails. */
static void open_standard_descriptors(void)
{
    /* open() returns the lowest free descriptor. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return;
}

/* Raise the soft limit on open files to the hard limit: each connection takes a descriptor. */
static void raise_limit_of_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv)
{
    int status;

    /* A broken connection must be an error, and not end the program. */
    signal(SIGPIPE, SIG_IGN);
    open_standard_descriptors();
    raise_limit_of_descriptors();
    status = command_main(argc, argv);
    return status == 0 && scratch_removal_failed() ? ERROR_FAILED : status;
}
