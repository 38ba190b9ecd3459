#include "picture/panel.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/system_clock.h"

enum { TIMEOUT_S = 30, NS_PER_MS = 1000000, PICTURE_MAXIMUM = 256 << 20, LINE_SIZE = 1024 };

/* What it reads, what it draws, and what it complains of: files, so that it never waits for us. */
enum { SCRIPT, PICTURE, COMPLAINTS, STREAMS };

/* -d: without the user's settings, which could change the picture. */
static int spawn(pid_t *pid, FILE *const streams[STREAMS])
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
    for (int i = 0; i < STREAMS; i++)
        posix_spawn_file_actions_adddup2(&actions, fileno(streams[i]), i);
    code = posix_spawnp(pid, name, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -code;
}

/* Its exit status, or a negative errno; it has ended then. */
static int await_end(pid_t pid)
{
    const uint64_t end_ns = monotonic_ns() + (uint64_t)TIMEOUT_S * 1000 * NS_PER_MS;
    const struct timespec pause = {.tv_nsec = NS_PER_MS};
    int status = 0;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (monotonic_ns() > end_ns) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            return -ETIMEDOUT;
        }
        nanosleep(&pause, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

/* Say why it failed: what it said last does. */
static int explain(FILE *complaints, int code, struct error *error)
{
    char line[LINE_SIZE], said[LINE_SIZE] = "it printed no error";

    if (code == -ETIMEDOUT)
        return error_set(error, ERROR_FAILED, code, "gnuplot did not finish within %d s",
                         TIMEOUT_S);
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " \t\r^")])
            snprintf(said, sizeof said, "%s", line + strspn(line, " \t"));
    }
    return error_set(error, ERROR_FAILED, -EIO, "gnuplot failed: %.300s", said);
}

static int read_picture(FILE *file, struct bytes *picture, struct error *error)
{
    const long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;

    if (length == 0)
        return error_set(error, ERROR_FAILED, -EIO, "gnuplot drew nothing");
    rewind(file);
    picture->data = length > 0 && length <= PICTURE_MAXIMUM ? malloc((size_t)length + 1) : NULL;
    if (!picture->data)
        return error_set(error, ERROR_FAILED, -ENOMEM, "a picture of %ld bytes: out of memory",
                         length);
    picture->length = fread(picture->data, 1, (size_t)length, file);
    picture->data[picture->length] = '\0';
    return 0;
}

static int run(FILE *const streams[STREAMS], const struct bytes *script, struct bytes *picture,
               struct error *error)
{
    pid_t pid;
    int code;

    if (fwrite(script->data, 1, script->length, streams[SCRIPT]) != script->length ||
        fflush(streams[SCRIPT]) != 0 || lseek(fileno(streams[SCRIPT]), 0, SEEK_SET) != 0)
        return error_set(error, ERROR_FAILED, -errno, "writing what gnuplot is to draw: %s",
                         strerror(errno));
    code = spawn(&pid, streams);
    if (code == -ENOENT)
        return error_set(error, ERROR_FAILED, code,
                         "pictures are drawn by gnuplot, which is not in the PATH; install it "
                         "(Debian: apt-get install gnuplot-nox)");
    if (code)
        return error_set(error, ERROR_FAILED, code, "starting gnuplot: %s", strerror(-code));
    code = await_end(pid);
    return code ? explain(streams[COMPLAINTS], code, error)
                : read_picture(streams[PICTURE], picture, error);
}

int gnuplot_run(const struct bytes *script, struct bytes *picture, struct error *error)
{
    FILE *streams[STREAMS] = {NULL};
    int code = 0;

    *picture = (struct bytes){0};
    for (int i = 0; i < STREAMS && code == 0; i++) {
        streams[i] = tmpfile();
        if (!streams[i])
            code = error_set(error, ERROR_FAILED, -errno, "a temporary file for gnuplot: %s",
                             strerror(errno));
    }
    if (code == 0)
        code = run(streams, script, picture, error);
    for (int i = 0; i < STREAMS && streams[i]; i++)
        fclose(streams[i]);
    return code;
}
