#include "picture/panel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/child.h"

enum { TIMEOUT_S = 30, PICTURE_MAXIMUM = 256 << 20, LINE_SIZE = 1024 };

/* Option -d makes gnuplot ignore the user's settings, which could change the picture. */
static const char *const command[] = {"gnuplot", "-d", NULL};

/* gnuplot's input, picture and messages are files, so that gnuplot never waits for this process. */
enum { SCRIPT, PICTURE, COMPLAINTS, STREAMS };

/* Set ERROR: if CODE is -ETIMEDOUT, gnuplot did not finish; else it failed with the last message in
 * COMPLAINTS. Returns a negative errno. */
static int describe_failure(FILE *complaints, int code, struct error *error)
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
        return error_set(error, ERROR_FAILED, -ENOMEM,
                         "reading a picture of %ld bytes: out of memory", length);
    picture->length = fread(picture->data, 1, (size_t)length, file);
    picture->data[picture->length] = '\0';
    return 0;
}

static int run_gnuplot(FILE *const streams[STREAMS], const struct bytes *script,
                       struct bytes *picture, struct error *error)
{
    const int descriptors[STREAMS] = {fileno(streams[SCRIPT]), fileno(streams[PICTURE]),
                                      fileno(streams[COMPLAINTS])};
    int status, code;
    pid_t pid;

    if (fwrite(script->data, 1, script->length, streams[SCRIPT]) != script->length ||
        fflush(streams[SCRIPT]) != 0 || lseek(fileno(streams[SCRIPT]), 0, SEEK_SET) != 0)
        return error_set(error, ERROR_FAILED, -errno, "writing gnuplot's input: %s",
                         error_of_write(-errno));
    code = child_start(&pid, command, descriptors);
    if (code == -ENOENT)
        return error_set(error, ERROR_FAILED, code,
                         "pictures are drawn by gnuplot, which is not in the PATH; install it "
                         "(Debian: apt-get install gnuplot-nox)");
    if (code)
        return error_set(error, ERROR_FAILED, code, "starting gnuplot: %s", strerror(-code));
    if (!child_await(pid, TIMEOUT_S * UINT64_C(1000000000), &status))
        code = -ETIMEDOUT;
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        code = -ECHILD;
    return code ? describe_failure(streams[COMPLAINTS], code, error)
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
            code = error_set(error, ERROR_FAILED, -errno, "making a temporary file for gnuplot: %s",
                             strerror(errno));
    }
    if (code == 0)
        code = run_gnuplot(streams, script, picture, error);
    for (int i = 0; i < STREAMS && streams[i]; i++)
        fclose(streams[i]);
    return code;
}
