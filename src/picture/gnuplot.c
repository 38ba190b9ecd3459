#include "picture/panel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/descriptors.h"
#include "common/system_clock.h"

enum { PATIENCE_MS = 30000, CHUNK = 65536, PICTURE_MAXIMUM = 256 << 20, COMPLAINT_SIZE = 4096 };
enum { NS_PER_MS = 1000000 };

struct child {
    pid_t pid;
    int to, from, complaints; /* its standard input, output and error; -1: closed */
    const struct bytes *script;
    size_t sent;
    struct bytes *picture;
    char complaint[COMPLAINT_SIZE]; /* the end of its standard error */
    size_t complaint_length;
};

/* Starting and ending */

/* -d: without the user's settings, which could change the picture. */
static int spawn(pid_t *pid, int input, int output, int complaints)
{
    char name[] = "gnuplot", defaults[] = "-d";
    char *const arguments[] = {name, defaults, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int code;

    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE); /* main() ignores it */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
    code = posix_spawnp(pid, name, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -code;
}

static int start(struct child *child)
{
    int pipes[3][2], code = descriptors_pipes(pipes, 3);

    if (code)
        return code;
    code = spawn(&child->pid, pipes[0][0], pipes[1][1], pipes[2][1]);
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    child->to = pipes[0][1];
    child->from = pipes[1][0];
    child->complaints = pipes[2][0];
    fcntl(child->to, F_SETFL, O_NONBLOCK);
    return code;
}

static void close_once(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Sending and receiving */

static void send_script(struct child *child)
{
    ssize_t sent =
        write(child->to, child->script->data + child->sent, child->script->length - child->sent);

    if (sent > 0)
        child->sent += (size_t)sent;
    if ((sent < 0 && errno != EAGAIN && errno != EINTR) || child->sent == child->script->length)
        close_once(&child->to);
}

static int receive_picture(struct child *child)
{
    struct bytes *picture = child->picture;
    char *larger = realloc(picture->data, picture->length + CHUNK + 1);
    ssize_t received;

    if (!larger || picture->length > PICTURE_MAXIMUM)
        return -ENOMEM;
    picture->data = larger;
    received = read(child->from, picture->data + picture->length, CHUNK);
    if (received > 0)
        picture->length += (size_t)received;
    else if (received == 0 || errno != EINTR)
        close_once(&child->from);
    picture->data[picture->length] = '\0';
    return 0;
}

/* Keep only the end, because gnuplot's last words say why it failed. */
static void receive_complaint(struct child *child)
{
    char chunk[COMPLAINT_SIZE / 2];
    ssize_t received = read(child->complaints, chunk, sizeof chunk);
    size_t length = received > 0 ? (size_t)received : 0, kept = child->complaint_length;

    if (received == 0 || (received < 0 && errno != EINTR))
        close_once(&child->complaints);
    if (kept + length >= COMPLAINT_SIZE) {
        size_t left_out = kept + length - COMPLAINT_SIZE + 1;

        memmove(child->complaint, child->complaint + left_out, kept - left_out);
        kept -= left_out;
    }
    memcpy(child->complaint + kept, chunk, length);
    child->complaint_length = kept + length;
    child->complaint[child->complaint_length] = '\0';
}

static int milliseconds_until(uint64_t end_ns)
{
    uint64_t now = monotonic_ns();

    return now < end_ns ? (int)((end_ns - now) / NS_PER_MS) : 0;
}

/* Exchange data until gnuplot has closed its standard output and error. */
static int converse(struct child *child, uint64_t end_ns)
{
    int code = 0;

    while (code == 0 && (child->from >= 0 || child->complaints >= 0)) {
        struct pollfd polled[] = {{.fd = child->to, .events = POLLOUT},
                                  {.fd = child->from, .events = POLLIN},
                                  {.fd = child->complaints, .events = POLLIN}};
        int ready = poll(polled, 3, milliseconds_until(end_ns));

        if (ready == 0)
            return -ETIMEDOUT;
        if (ready < 0 && errno != EINTR)
            return -errno;
        if (ready > 0 && polled[0].revents)
            send_script(child);
        if (ready > 0 && polled[1].revents)
            code = receive_picture(child);
        if (ready > 0 && polled[2].revents)
            receive_complaint(child);
    }
    return code;
}

/* Its exit status, or a negative errno. */
static int await_end(pid_t pid, uint64_t end_ns)
{
    struct timespec pause = {.tv_nsec = NS_PER_MS};
    int status = 0;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (milliseconds_until(end_ns) == 0)
            return -ETIMEDOUT;
        nanosleep(&pause, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

/* The last line of gnuplot's standard error that is not blank. */
static const char *last_line(char *text)
{
    const char *found = "";
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (line[strspn(line, " \t\r^")])
            found = line + strspn(line, " \t");
    return found;
}

static int explain(struct child *child, int code, struct error *error)
{
    const char *said;

    if (code == -ETIMEDOUT)
        return error_set(error, ERROR_FAILED, code, "gnuplot did not finish within %d s",
                         PATIENCE_MS / 1000);
    if (code < 0 && code != -ECHILD)
        return error_set(error, ERROR_FAILED, code, "exchanging data with gnuplot: %s",
                         strerror(-code));
    said = last_line(child->complaint);
    return error_set(error, ERROR_FAILED, -EIO, "gnuplot failed: %.300s",
                     said[0] ? said : "it printed no error");
}

int gnuplot_run(const struct bytes *script, struct bytes *picture, struct error *error)
{
    struct child child = {.script = script, .picture = picture};
    uint64_t end_ns = monotonic_ns() + (uint64_t)PATIENCE_MS * NS_PER_MS;
    int code;

    *picture = (struct bytes){0};
    code = start(&child);
    if (code == -ENOENT)
        error_set(error, ERROR_FAILED, code,
                  "pictures are drawn by gnuplot, which is not in the PATH; install it "
                  "(Debian: apt-get install gnuplot-nox)");
    else if (code)
        error_set(error, ERROR_FAILED, code, "starting gnuplot: %s", strerror(-code));
    if (code == 0) {
        code = converse(&child, end_ns);
        if (code == 0)
            code = await_end(child.pid, end_ns);
        if (code == -ETIMEDOUT || (code < 0 && code != -ECHILD)) {
            kill(child.pid, SIGKILL);
            waitpid(child.pid, NULL, 0);
        }
        if (code)
            code = explain(&child, code, error);
        else if (picture->length == 0)
            code = error_set(error, ERROR_FAILED, -EIO, "gnuplot drew nothing");
    }
    close_once(&child.to);
    close_once(&child.from);
    close_once(&child.complaints);
    if (code) {
        free(picture->data);
        *picture = (struct bytes){0};
    }
    return code;
}
