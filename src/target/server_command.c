#include "target/server_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/child.h"
#include "common/deadline.h"
#include "common/descriptors.h"
#include "common/signals.h"

enum {
    LINE_SIZE = 512,
    OUTPUT_SIZE = 65536, /* most bytes read at once: the size of a pipe */
    END_SIZE = 40,
    LOOK_MS = 100,        /* interval of checks whether the server is ready */
    PROBE_NS = 500000000, /* time limit of one attempt to mount, ns */
    /* time from SIGTERM to SIGKILL: 1/STOP_SHARE of the time left, STOP_LEAST_NS to STOP_MOST_NS */
    STOP_SHARE = 10,
    CHILDREN_MAXIMUM = 256,
};

#define READY_TIMEOUT_NS UINT64_C(30000000000)
#define STOP_LEAST_NS    UINT64_C(1000000000)
#define STOP_MOST_NS     UINT64_C(5000000000)
#define KILL_TIMEOUT_NS  UINT64_C(250000000)

static bool is_mountable(const struct target *target, const struct mount_options *options,
                         struct error *error)
{
    struct mount_options hasty = *options;
    struct mount *mount = &(struct mount){.mount_ns = 0};
    struct error ignored;

    hasty.channel.timeout_ns = PROBE_NS;
    hasty.channel.deadline = deadline_within(&options->channel.deadline, PROBE_NS);
    hasty.channel.retransmissions = 1;
    if (mount_export(mount, target, &hasty, error) != 0)
        return false;
    mount->options.channel.deadline = deadline_within(&options->channel.deadline, PROBE_NS);
    mount_unmount(mount, &ignored);
    return true;
}

/* The guard: a process that is the parent of the command and becomes the parent of the command's
 * orphaned descendants, so that it finds a daemon that the command leaves running. The guard reads
 * the output of all these processes, so that they never block. */

struct guard {
    pid_t command;        /* process id and process group of the command */
    int output;           /* pipe with the standard output of all processes; negative: closed */
    int reports;          /* pipe for reports */
    char line[LINE_SIZE]; /* beginning of the current line of the output */
    size_t length;
    bool ready; /* true: the guard has reported that the server is ready */
};

struct report {
    bool ready;    /* true: the server is ready; false: the command has ended */
    uint16_t port; /* port in the ready line; 0: none */
    int status;    /* status of the command, from waitpid() */
};

/* Write SIZE bytes of DATA to PIPE. Errors are ignored, because the other end may be closed. */
static void write_pipe(int pipe, const void *data, size_t size)
{
    if (write(pipe, data, size) < 0)
        return;
}

static void send_report(const struct guard *guard, const struct report *what)
{
    write_pipe(guard->reports, what, sizeof *what);
}

/* If GUARD's line contains "ready", report that the server is ready, and the line's port. */
static void take_line(struct guard *guard)
{
    const char *ready, *port;
    unsigned number = 0;

    guard->line[guard->length] = '\0';
    guard->length = 0;
    ready = strstr(guard->line, "ready");
    port = ready ? strstr(ready, "port=") : NULL;
    if (port && (sscanf(port, "port=%5u", &number) != 1 || number > UINT16_MAX))
        number = 0;
    if (ready)
        send_report(guard, &(struct report){.ready = true, .port = (uint16_t)number});
    guard->ready = ready;
}

static void read_output(struct guard *guard)
{
    char bytes[OUTPUT_SIZE];
    const ssize_t count = guard->output >= 0 ? read(guard->output, bytes, sizeof bytes) : -1;

    for (ssize_t i = 0; i < count && !guard->ready; i++)
        if (bytes[i] == '\n')
            take_line(guard);
        else if (guard->length < sizeof guard->line - 1)
            guard->line[guard->length++] = bytes[i];
    if (count == 0) {
        close(guard->output);
        guard->output = -1;
    }
}

/* Processes that got a signal. Each gets it only once, because a second signal ends some servers
 * before they clean up. */
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

static void read_and_reap(struct guard *guard)
{
    int status;
    pid_t pid;

    read_output(guard);
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == guard->command)
            send_report(guard, &(struct report){.status = status});
}

/* Read output and reap processes. Returns whether any of the command's processes is left. */
static bool is_any_process_left(struct guard *guard)
{
    pid_t children[CHILDREN_MAXIMUM];

    read_and_reap(guard);
    return list_children(children) > 0 || kill(-guard->command, 0) == 0 || errno == EPERM;
}

/* Send SIGN to all processes of the command. Wait up to LIMIT_NS until they have ended. */
static void end_by(struct guard *guard, int sign, uint64_t limit_ns)
{
    const struct deadline limit = deadline_within(NULL, limit_ns);
    struct asked asked = {.count = 0};
    pid_t children[CHILDREN_MAXIMUM];

    kill(-guard->command, sign);
    while (is_any_process_left(guard) && !deadline_is_over(&limit)) {
        size_t count = list_children(children);

        for (size_t j = 0; j < count; j++)
            if (getpgid(children[j]) != guard->command)
                ask_to_end(&asked, children[j], sign);
        deadline_pause(1000000);
    }
}

static _Noreturn void run_command(const char *command, int output)
{
    int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0); /* Ctrl-C on the terminal ends only the client, which then stops the server */
    signals_handle_ending(SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

enum { GUARD_ALIVE, GUARD_REPORTS, GUARD_DESCRIPTORS };

/* Close all descriptors above 2 except KEPT, which become 3 and following. One of the closed ones
 * may be a copy of another guard's pipe ALIVE: that guard waits until all copies are closed. */
static void keep_only(int kept[GUARD_DESCRIPTORS])
{
    enum { BEYOND = 64 };

    for (int i = 0; i < GUARD_DESCRIPTORS; i++)
        kept[i] = fcntl(kept[i], F_DUPFD_CLOEXEC, BEYOND);
    for (int i = 0; i < GUARD_DESCRIPTORS; i++)
        kept[i] = dup2(kept[i], STDERR_FILENO + 1 + i);
    close_range(STDERR_FILENO + 1 + GUARD_DESCRIPTORS, ~0U, 0);
}

/* Start COMMAND, whose output GUARD reads. */
static void begin_command(struct guard *guard, const char *command)
{
    int output[2];

    if (descriptors_pipes(&output, 1) != 0)
        _exit(1);
    guard->output = output[0];
    fcntl(guard->output, F_SETFL, O_NONBLOCK);
    guard->command = child_fork(SIGTERM);
    if (guard->command == 0)
        run_command(command, output[1]);
    if (guard->command < 0)
        _exit(1);
    /* Set the process group in the parent and in the child, because either may run first. */
    setpgid(guard->command, guard->command);
    close(output[1]);
}

/* Return how long to wait after SIGTERM, in ns. server_command_stop() writes this time to the pipe
 * ALIVE. If the process that started the guard ended without this call, return STOP_MOST_NS. */
static uint64_t time_to_stop(int alive)
{
    uint64_t ns;

    return read(alive, &ns, sizeof ns) == (ssize_t)sizeof ns ? ns : STOP_MOST_NS;
}

/* Run the guard. It ignores signals such as Ctrl-C, which the process that forked it handles. */
static _Noreturn void run_guard(const char *command, int kept[GUARD_DESCRIPTORS])
{
    struct guard guard = {.length = 0};
    struct pollfd watched[2] = {{.events = POLLIN},
                                {.events = POLLIN}}; /* pipes: ALIVE, and the command's output */

    keep_only(kept);
    watched[0].fd = kept[GUARD_ALIVE];
    guard.reports = kept[GUARD_REPORTS];
    signals_handle_ending(SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    begin_command(&guard, command);
    while (watched[0].revents == 0) {
        watched[1].fd = guard.output;
        poll(watched, 2, LOOK_MS);
        read_and_reap(&guard);
    }
    end_by(&guard, SIGTERM, time_to_stop(kept[GUARD_ALIVE]));
    end_by(&guard, SIGKILL, KILL_TIMEOUT_NS);
    _exit(0);
}

static void take_reports(struct server_command *server)
{
    struct report report;
    ssize_t count = -1;

    while (server->guard > 0 && (count = read(server->reports, &report, sizeof report)) > 0) {
        if (report.ready) {
            server->ready = true;
            server->port = report.port;
        } else {
            server->ended = true;
            server->status = report.status;
        }
    }
    if (count == 0 && !server->ended) { /* the guard ended, so it failed */
        server->ended = true;
        server->status = W_EXITCODE(1, 0);
    }
}

static const char *describe_end(const struct server_command *server, char text[END_SIZE])
{
    const int status = server->status;

    if (WIFSIGNALED(status))
        snprintf(text, END_SIZE, "signal %d", WTERMSIG(status));
    else
        snprintf(text, END_SIZE, "exit status %d", WEXITSTATUS(status));
    return text;
}

void server_command_note_end(struct server_command *server, struct error *error)
{
    const size_t used = strlen(error->text);
    char how[END_SIZE];

    take_reports(server);
    if (server->ended)
        snprintf(error->text + used, sizeof error->text - used, "; the command of %s ended, %s",
                 server->option, describe_end(server, how));
}

uint64_t server_command_stop_ns(const struct deadline *deadline)
{
    const uint64_t share_ns = deadline_left_ns(deadline) / STOP_SHARE;

    return share_ns < STOP_LEAST_NS  ? STOP_LEAST_NS
           : share_ns < STOP_MOST_NS ? share_ns
                                     : STOP_MOST_NS;
}

void server_command_stop(struct server_command *server, const struct deadline *deadline)
{
    const uint64_t ns = server_command_stop_ns(deadline);

    if (server->guard <= 0)
        return;
    write_pipe(server->alive, &ns, sizeof ns);
    close(server->alive);
    while (waitpid(server->guard, NULL, 0) < 0 && errno == EINTR)
        ;
    close(server->reports);
    *server = (struct server_command){.guard = 0};
}

static int start_guard(struct server_command *server, const char *option, const char *command,
                       struct error *error)
{
    static const int ours[GUARD_DESCRIPTORS] = {1, 0}; /* this process's ends of the pipes */
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
    server->reports = pipes[GUARD_REPORTS][0];
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

/* Check that the command has not failed. Exit status 0 is no failure: a server may still run. */
static int check_alive(struct server_command *server, struct error *error)
{
    char how[END_SIZE];

    if (!server->ended || server->status == 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ECHILD,
                     "%s: the command ended before the server was ready, %s", server->option,
                     describe_end(server, how));
}

static int wait_until_ready(struct server_command *server, const struct target *target,
                            const struct mount_options *options, struct error *error)
{
    const struct deadline until = deadline_within(&options->channel.deadline, READY_TIMEOUT_NS);
    const uint64_t began_ns = deadline_now_ns();
    struct pollfd poller = {.fd = server->reports, .events = POLLIN};
    struct error last = {.text = "the server was not tried"};
    int code;

    while (!deadline_is_over(&until)) {
        take_reports(server);
        if (server->ready)
            return 0;
        code = check_alive(server, error);
        if (code)
            return code;
        if (is_mountable(target, options, &last))
            return 0;
        poll(&poller, 1, LOOK_MS);
    }
    if (deadline_is_stopped(&until))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return error_set(
        error, ERROR_UNREACHABLE, -ETIMEDOUT,
        "%s: the server was not ready after %.3g s: it printed no line with 'ready', and "
        "mounting the target failed: %.250s",
        server->option, (double)(deadline_now_ns() - began_ns) / 1e9, last.text);
}

int server_command_start(struct server_command *server, const char *option, const char *command,
                         const struct target *target, const struct mount_options *options,
                         struct error *error)
{
    struct error ignored;
    int code;

    if (is_mountable(target, options, &ignored))
        return error_set(error, ERROR_FAILED, -EADDRINUSE,
                         "%s: another server already answers at the target; stop the other server, "
                         "or leave out %s",
                         option, option);
    code = start_guard(server, option, command, error);
    if (code == 0)
        code = wait_until_ready(server, target, options, error);
    if (code)
        server_command_stop(server, &options->channel.deadline);
    return code;
}
