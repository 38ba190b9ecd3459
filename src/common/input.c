#include "common/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNK = 65536,
    POLL_MS = 100, /* interval of checks of the clock and the stop flag */
};

/* Check a file's STATUS. Returns 0; -EISDIR; -ENODEV for a device; or -EFBIG for a regular file of
 * more than MAXIMUM bytes. */
static int check_kind(const struct stat *status, size_t maximum)
{
    if (S_ISDIR(status->st_mode))
        return -EISDIR;
    if (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode))
        return -ENODEV;
    return S_ISREG(status->st_mode) && (uintmax_t)status->st_size > maximum ? -EFBIG : 0;
}

/* Make FD blocking. If FD is a pipe, wait until a writer has sent bytes or has closed the pipe:
 * without a writer, read() would report the end of the file. open() did not wait, because of
 * O_NONBLOCK, which is needed until the file's type is known. Returns 0 or -errno. */
static int await_writer(int fd)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};

    if (fcntl(fd, F_SETFL, 0) != 0 || poll(&polled, 1, -1) < 0)
        return -errno;
    return 0;
}

/* Open the file at PATH; wait for a pipe's writer. check_kind() is called before opening, because
 * opening a device may have side effects, and again afterwards. Returns a descriptor or a negative
 * errno. */
static int open_input(const char *path, size_t maximum)
{
    struct stat status;
    int fd, code;

    if (stat(path, &status) != 0)
        return -errno;
    code = check_kind(&status, maximum);
    if (code)
        return code;
    fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    code = fstat(fd, &status) == 0 ? check_kind(&status, maximum) : -errno;
    if (code == 0)
        code = await_writer(fd);
    if (code == 0)
        return fd;
    close(fd);
    return code;
}

/* Append the bytes of one read() of FD to INPUT's text. Its memory, *SIZE bytes, grows if needed
 * and has a byte for the terminator. Sets *DONE to whether the input ended. Returns 0, -EFBIG
 * beyond MAXIMUM, -ENOMEM, or an error of read(). */
static int read_more(struct input *input, int fd, size_t *size, size_t maximum, bool *done)
{
    ssize_t got;

    if (*size - input->length < CHUNK / 2) {
        size_t larger = *size + *size / 2 + CHUNK;
        char *text = realloc(input->text, larger);

        if (!text)
            return -ENOMEM;
        input->text = text;
        *size = larger;
    }
    got = read(fd, input->text + input->length, *size - input->length - 1);
    if (got < 0)
        return -errno;
    input->length += (size_t)got;
    *done = got == 0;
    return input->length > maximum ? -EFBIG : 0;
}

static int read_input(struct input *input, const char *path, size_t maximum)
{
    int fd = open_input(path, maximum), code = fd < 0 ? fd : 0;
    bool done = false;
    size_t size = 0;

    while (code == 0 && !done)
        code = read_more(input, fd, &size, maximum, &done);
    if (fd >= 0)
        close(fd);
    if (code == 0 && memchr(input->text, 0, input->length))
        code = -EILSEQ;
    if (code == 0)
        input->text[input->length] = '\0';
    return code;
}

int input_read(struct input *input, const char *path, const char *name, size_t maximum,
               struct error *error)
{
    int code;

    *input = (struct input){.text = NULL};
    code = read_input(input, path, maximum);
    if (code == 0)
        return 0;
    free(input->text);
    *input = (struct input){.text = NULL};
    if (code == -EISDIR)
        return error_set(error, ERROR_USAGE, code, "%.300s is a directory; expected a file", name);
    if (code == -ENODEV)
        return error_set(error, ERROR_USAGE, code, "%.300s is a device; expected a file", name);
    if (code == -EFBIG)
        return error_set(error, ERROR_USAGE, code,
                         "%.300s is longer than %zu MiB, the limit for such a file", name,
                         maximum >> 20);
    if (code == -EILSEQ)
        return error_set(error, ERROR_USAGE, code, "%.300s is not text: it contains zero bytes",
                         name);
    return error_set(error, ERROR_USAGE, code, "%.300s: %s", name, strerror(-code));
}

int input_read_line(int fd, char *line, size_t size, const struct deadline *deadline)
{
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    size_t length = 0;

    line[0] = '\0';
    while (length < size - 1) {
        ssize_t got;

        if (deadline_is_over(deadline))
            return deadline_is_stopped(deadline) ? -EINTR : -ETIME;
        if (poll(&poller, 1, POLL_MS) <= 0)
            continue;
        got = read(fd, line + length, size - 1 - length);
        if (got <= 0)
            return -EPIPE;
        length += (size_t)got;
        line[length] = '\0';
        if (line[length - 1] == '\n')
            return 0;
    }
    return -EMSGSIZE;
}
