#include "common/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/deadline.h"
#include "common/signals.h"
#include "common/system_clock.h"

enum { LOOK_NS = 1000000 };

int child_start(pid_t *pid, const char *const *arguments, const int streams[3])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int code;

    sigemptyset(&signals);
    signals_add_writes(&signals); /* main() ignores SIGPIPE and SIGXFSZ; the program must not */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        if (streams[i] >= 0)
            posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    code =
        posix_spawnp(pid, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -code;
}

pid_t child_fork(int sign)
{
    const pid_t parent = getpid(), pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, sign);
        if (getppid() != parent) /* the parent ended before prctl(), so no signal would come */
            _exit(1);
    }
    return pid;
}

bool child_await(pid_t pid, uint64_t limit_ns, int *status)
{
    const uint64_t began_ns = monotonic_ns();
    pid_t ended;

    while ((ended = waitpid(pid, status, WNOHANG)) == 0 && monotonic_ns() - began_ns < limit_ns)
        deadline_pause(LOOK_NS);
    if (ended)
        return true;
    kill(pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return false;
}
