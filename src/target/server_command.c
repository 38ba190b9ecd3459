#include "target/server_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/child.h"
#include "common/descriptors.h"

enum {
    LINE_SIZE = 512,
    LOOK_MS = 100,        /* between checks whether it is ready */
    PROBE_NS = 500000000, /* for one attempt to mount */
    STOP_TIMEOUT_MS = 5000,
    KILL_TIMEOUT_MS = 256,
    CHILDREN_MAXIMUM = 256,
};

#define READY_TIMEOUT_NS UINT64_C(30000000000)

/* Does it answer? */

static bool is_mountable(const struct target *target, const struct mount_options *options,
                         struct error *error)
{
    struct mount_options hasty = *options;
    struct mount *mount = &(struct mount){.mount_ns = 0};
    struct error ignored;

    hasty.channel.timeout_ns = PROBE_NS;
    hasty.channel.deadline_ns = clock_raw_ns() + PROBE_NS;
    hasty.channel.retransmissions = 1;
    if (mount_export(mount, target, &hasty, error) != 0)
        return false;
    mount->options.channel.deadline_ns = clock_raw_ns() + PROBE_NS;
    mount_unmount(mount, &ignored);
    return true;
}

/* Its output */

/* Does LINE say that it is ready, and on which port? */
static bool is_ready_line(struct server_command *server, const char *line)
{
    const char *ready = strstr(line, "ready"), *port = ready ? strstr(ready, "port=") : NULL;
    unsigned number;

    if (port && sscanf(port, "port=%5u", &number) == 1 && number > 0 && number <= UINT16_MAX)
        server->port = (uint16_t)number;
    return ready != NULL;
}

/* A line that is not complete yet. */
struct lines {
    char text[LINE_SIZE];
    size_t length;
};

/* Read what is available; true after a line that says that the server is ready. */
static bool read_lines(struct server_command *server, struct lines *lines)
{
    char byte;

    while (read(server->output, &byte, 1) == 1) {
        if (byte != '\n') {
            if (lines->length < sizeof lines->text - 1)
                lines->text[lines->length++] = byte;
            continue;
        }
        lines->text[lines->length] = '\0';
        lines->length = 0;
        if (is_ready_line(server, lines->text))
            return true;
    }
    return false;
}

void server_command_drain(struct server_command *server)
{
    char bytes[4096];

    while (server->guard > 0 && read(server->output, bytes, sizeof bytes) > 0)
        ;
}

/* The guard: a process of its own, which is the command's parent and that of all processes which
 * lose theirs, and so finds a daemon that the command leaves running. */

struct guard {
    pid_t command; /* and its process group */
    int end;       /* where the command's end is reported */
};

/* Processes that were sent a signal. Each gets it once, because some take a second SIGTERM as "end
 * at once". */
struct asked {
    pid_t pids[CHILDREN_MAXIMUM];
    size_t count;
};

static void ask_to_end(struct asked *asked, pid_t pid, int sign)
{
    for (size_t i = 0; i < asked->count; i++)
        if (asked->pids[i] == pid)
            return;
    if (asked->count < CHILDREN_MAXIMUM)
        asked->pids[asked->count++] = pid;
    kill(pid, sign);
}

/* Returns their number. */
static size_t list_children(pid_t children[CHILDREN_MAXIMUM])
{
    size_t count = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "re");
    while (file && count < CHILDREN_MAXIMUM && fscanf(file, "%d", &children[count]) == 1)
        count++;
    if (file)
        fclose(file);
    return count;
}

/* Reap what has ended; the other end of the pipe may have gone. */
static void reap(const struct guard *guard)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == guard->command && write(guard->end, &status, sizeof status) < 0)
            return;
}

/* Is a process of the command left? */
static bool is_anyone_there(const struct guard *guard)
{
    pid_t children[CHILDREN_MAXIMUM];

    reap(guard);
    return list_children(children) > 0 || kill(-guard->command, 0) == 0 || errno == EPERM;
}

/* Send SIGN to the process group, and to whatever else the command has left, for so long. */
static void end_by(const struct guard *guard, int sign, int milliseconds)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct asked asked = {.count = 0};
    pid_t children[CHILDREN_MAXIMUM];

    kill(-guard->command, sign);
    for (int i = 0; i < milliseconds && is_anyone_there(guard); i++) {
        size_t count = list_children(children);

        for (size_t j = 0; j < count; j++)
            if (children[j] != guard->command)
                ask_to_end(&asked, children[j], sign);
        nanosleep(&pause, NULL);
    }
}

static void set_signals(void (*handler)(int))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], handler);
}

static _Noreturn void run_command(const char *command, int output)
{
    int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0); /* Ctrl-C on the terminal ends the client, which then stops the server */
    set_signals(SIG_DFL);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

enum { GUARD_ALIVE, GUARD_END, GUARD_OUTPUT, GUARD_DESCRIPTORS };

/* Close all descriptors but these: another server's guard waits for the end of what this process
 * has inherited. They are 3 and the next ones then. */
static void keep_only(int kept[GUARD_DESCRIPTORS])
{
    enum { BEYOND = 64 };

    for (int i = 0; i < GUARD_DESCRIPTORS; i++)
        kept[i] = fcntl(kept[i], F_DUPFD_CLOEXEC, BEYOND);
    for (int i = 0; i < GUARD_DESCRIPTORS; i++)
        kept[i] = dup2(kept[i], STDERR_FILENO + 1 + i);
    close_range(STDERR_FILENO + 1 + GUARD_DESCRIPTORS, ~0U, 0);
}

/* Signals to the whole group, such as Ctrl-C, are for the other process. */
static _Noreturn void run_guard(const char *command, int kept[GUARD_DESCRIPTORS])
{
    struct pollfd alive = {.events = POLLIN};
    struct guard guard;

    keep_only(kept);
    alive.fd = kept[GUARD_ALIVE];
    set_signals(SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    guard.end = kept[GUARD_END];
    guard.command = child_fork(SIGTERM);
    if (guard.command == 0)
        run_command(command, kept[GUARD_OUTPUT]);
    if (guard.command < 0)
        _exit(1);
    setpgid(guard.command, guard.command); /* parent and child call it: either may run first */
    close(kept[GUARD_OUTPUT]);
    while (poll(&alive, 1, LOOK_MS) == 0)
        reap(&guard);
    end_by(&guard, SIGTERM, STOP_TIMEOUT_MS);
    end_by(&guard, SIGKILL, KILL_TIMEOUT_MS);
    _exit(0);
}

/* Its end */

bool server_command_has_ended(struct server_command *server, char *text, size_t size)
{
    if (!server->ended && server->guard > 0)
        server->ended = read(server->end, &server->status, sizeof server->status) ==
                        (ssize_t)sizeof server->status;
    if (!server->ended)
        return false;
    if (WIFSIGNALED(server->status))
        snprintf(text, size, "signal %d", WTERMSIG(server->status));
    else
        snprintf(text, size, "exit status %d", WEXITSTATUS(server->status));
    return true;
}

void server_command_stop(struct server_command *server)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    if (server->guard <= 0)
        return;
    close(server->alive);
    while (waitpid(server->guard, NULL, WNOHANG) == 0) {
        server_command_drain(server);
        nanosleep(&pause, NULL);
    }
    close(server->end);
    close(server->output);
    *server = (struct server_command){.guard = 0};
}

/* Its beginning */

static int run(struct server_command *server, const char *option, const char *command,
               struct error *error)
{
    static const int ours[GUARD_DESCRIPTORS] = {1, 0, 0}; /* our ends of the pipes */
    int pipes[GUARD_DESCRIPTORS][2], code = descriptors_pipes(pipes, GUARD_DESCRIPTORS);
    int theirs[GUARD_DESCRIPTORS];

    *server = (struct server_command){.option = option};
    if (code)
        return error_set(error, ERROR_FAILED, code, "making a pipe: %s", strerror(-code));
    for (int i = 0; i < GUARD_DESCRIPTORS; i++)
        theirs[i] = pipes[i][!ours[i]];
    server->guard = fork();
    if (server->guard == 0)
        run_guard(command, theirs);
    code = server->guard < 0 ? -errno : 0;
    server->alive = pipes[GUARD_ALIVE][1];
    server->end = pipes[GUARD_END][0];
    server->output = pipes[GUARD_OUTPUT][0];
    for (int i = 0; i < GUARD_DESCRIPTORS; i++) {
        close(theirs[i]);
        fcntl(pipes[i][ours[i]], F_SETFL, O_NONBLOCK);
        if (code)
            close(pipes[i][ours[i]]);
    }
    if (code)
        server->guard = 0;
    return code ? error_set(error, ERROR_FAILED, code, "starting the server: %s", strerror(-code))
                : 0;
}

/* The command may end with status 0 and leave a server running; any other end is an error. */
static int check_alive(struct server_command *server, struct error *error)
{
    char how[40];

    if (!server_command_has_ended(server, how, sizeof how) || server->status == 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ECHILD,
                     "%s: the command ended before the server was ready, %s", server->option, how);
}

static int wait_until_ready(struct server_command *server, const struct target *target,
                            const struct mount_options *options, struct error *error)
{
    uint64_t deadline = clock_raw_ns() + READY_TIMEOUT_NS;
    struct lines lines = {.length = 0};
    struct error last = {.text = "nothing was tried"};
    int code;

    while (clock_raw_ns() < deadline) {
        const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};

        if (channel_is_stopped(&options->channel))
            return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
        if (read_lines(server, &lines))
            return 0;
        code = check_alive(server, error);
        if (code)
            return code;
        if (is_mountable(target, options, &last))
            return 0;
        nanosleep(&pause, NULL);
    }
    return error_set(
        error, ERROR_UNREACHABLE, -ETIMEDOUT,
        "%s: the server was not ready after 30 s: it printed no line with 'ready', and "
        "mounting the target failed: %.250s",
        server->option, last.text);
}

int server_command_start(struct server_command *server, const char *option, const char *command,
                         const struct target *target, const struct mount_options *options,
                         struct error *error)
{
    struct error ignored;
    int code;

    if (is_mountable(target, options, &ignored))
        return error_set(error, ERROR_FAILED, -EADDRINUSE,
                         "%s: another server already answers at the target, and would be measured "
                         "instead; stop it, or leave %s out",
                         option, option);
    code = run(server, option, command, error);
    if (code == 0)
        code = wait_until_ready(server, target, options, error);
    if (code)
        server_command_stop(server);
    return code;
}
