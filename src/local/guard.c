#include "local/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/signals.h"

/* Wait until the parent closes the pipe, then clean up if armed. The parent handles Ctrl-C. */
static _Noreturn void watch_parent(int ends, void (*clean_up)(void *context, uint64_t what),
                                   void *context)
{
    bool armed = false;
    ssize_t length;
    uint64_t what;

    signals_handle_ending(SIG_IGN);
    while ((length = read(ends, &what, sizeof what)) > 0 || (length < 0 && errno == EINTR))
        armed = armed || length > 0;
    if (armed)
        clean_up(context, what);
    _exit(0);
}

int local_guard_start(struct local_guard *guard, void (*clean_up)(void *context, uint64_t what),
                      void *context)
{
    int ends[2];

    *guard = (struct local_guard){.pid = 0};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    guard->pid = fork();
    if (guard->pid == 0) {
        close(ends[1]);
        watch_parent(ends[0], clean_up, context);
    }
    close(ends[0]);
    guard->alive = ends[1];
    if (guard->pid > 0)
        return 0;
    close(ends[1]);
    guard->pid = 0;
    return -EAGAIN;
}

int local_guard_arm(const struct local_guard *guard, uint64_t what)
{
    return write(guard->alive, &what, sizeof what) == (ssize_t)sizeof what ? 0 : -errno;
}

void local_guard_end(struct local_guard *guard)
{
    if (guard->pid == 0)
        return;
    close(guard->alive);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    guard->pid = 0;
}
