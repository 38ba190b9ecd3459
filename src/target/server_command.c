#include "target/server_command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LINE_SIZE = 512,
    LOOK_MS = 100,        /* between checks whether it is ready */
    PROBE_NS = 500000000, /* for one attempt to mount */
    STOP_TIMEOUT_MS = 5000,
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

    while (server->pid > 0 && read(server->output, bytes, sizeof bytes) > 0)
        ;
}

/* Its end */

bool server_command_has_ended(struct server_command *server, char *text, size_t size)
{
    if (!server->ended && server->pid > 0)
        server->ended = waitpid(server->pid, &server->status, WNOHANG) == server->pid;
    if (!server->ended)
        return false;
    if (WIFSIGNALED(server->status))
        snprintf(text, size, "signal %d", WTERMSIG(server->status));
    else
        snprintf(text, size, "exit status %d", WEXITSTATUS(server->status));
    return true;
}

/* Processes that were sent SIGTERM. Each gets it once, because some take a second one as "end at
 * once". */
struct asked {
    pid_t pids[CHILDREN_MAXIMUM];
    size_t count;
};

static void ask_to_end(struct asked *asked, pid_t pid)
{
    for (size_t i = 0; i < asked->count; i++)
        if (asked->pids[i] == pid)
            return;
    if (asked->count < CHILDREN_MAXIMUM)
        asked->pids[asked->count++] = pid;
    kill(pid, SIGTERM);
}

/* List the children of this process. They include processes of the command whose own parent has
 * ended. Returns their number. */
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

/* Is a process of the command left? Those that have ended are reaped. */
static bool is_anyone_there(struct server_command *server)
{
    char unused[40];
    pid_t children[CHILDREN_MAXIMUM];
    size_t count;

    server_command_has_ended(server, unused, sizeof unused);
    count = list_children(children);
    for (size_t i = 0; i < count; i++)
        if (children[i] != server->pid)
            waitpid(children[i], NULL, WNOHANG);
    return list_children(children) > 0 || kill(-server->pid, 0) == 0 || errno == EPERM;
}

static void kill_all(struct server_command *server)
{
    pid_t children[CHILDREN_MAXIMUM];

    kill(-server->pid, SIGKILL);
    for (int i = 0; i < CHILDREN_MAXIMUM && is_anyone_there(server); i++) {
        const struct timespec pause = {.tv_nsec = 1000000};
        size_t count = list_children(children);

        for (size_t j = 0; j < count; j++)
            kill(children[j], SIGKILL);
        nanosleep(&pause, NULL);
    }
}

void server_command_stop(struct server_command *server)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct asked asked = {.count = 0};

    if (server->pid <= 0)
        return;
    kill(-server->pid, SIGTERM);
    for (int i = 0; i < STOP_TIMEOUT_MS && is_anyone_there(server); i++) {
        pid_t children[CHILDREN_MAXIMUM];
        size_t count = list_children(children);

        for (size_t j = 0; j < count; j++)
            if (children[j] != server->pid)
                ask_to_end(&asked, children[j]);
        nanosleep(&pause, NULL);
        server_command_drain(server);
    }
    kill_all(server);
    close(server->output);
    *server = (struct server_command){.pid = 0};
}

/* Its beginning */

static void run_command(const char *command, int output, pid_t parent) __attribute__((noreturn));

static void run_command(const char *command, int output, pid_t parent)
{
    int nothing = open("/dev/null", O_RDONLY);

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    setpgid(0, 0); /* Ctrl-C on the terminal ends the client, which then stops the server */
    signal(SIGPIPE, SIG_DFL);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static int run(struct server_command *server, const char *option, const char *command,
               struct error *error)
{
    int output[2];
    pid_t parent = getpid();

    *server = (struct server_command){.option = option};
    prctl(PR_SET_CHILD_SUBREAPER,
          1); /* so that daemons which the command leaves running are found and ended, too */
    if (pipe2(output, O_CLOEXEC) != 0)
        return error_set(error, ERROR_FAILED, -errno, "making a pipe: %s", strerror(errno));
    server->pid = fork();
    if (server->pid == 0)
        run_command(command, output[1], parent);
    close(output[1]);
    if (server->pid < 0) {
        server->pid = 0;
        close(output[0]);
        return error_set(error, ERROR_FAILED, -errno, "starting the server: %s", strerror(errno));
    }
    setpgid(server->pid, server->pid); /* parent and child both call it: either may run first */
    server->output = output[0];
    fcntl(server->output, F_SETFL, O_NONBLOCK);
    return 0;
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
