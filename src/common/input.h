/* Reading text from outside: files that the user named, and lines from another process. */
#pragma once

#include <stddef.h>

#include "common/deadline.h"
#include "common/error.h"

/* Maximum size of files that people write, bytes. */
#define INPUT_LINES_MAXIMUM ((size_t)1 << 20)

struct input {
    char *text; /* null-terminated, without other zero bytes */
    size_t length;
};

/* Read the file PATH, a regular file or a pipe of at most MAXIMUM bytes. NAME is its name in
 * messages ("--predict times.txt"). A pipe is read until its writers close it. Returns 0, or a
 * negative errno with ERROR set (ERROR_USAGE): of a system call; -ENOMEM; -EISDIR; -ENODEV for a
 * device, which is not opened; -EFBIG beyond MAXIMUM; -EILSEQ for zero bytes. The caller frees
 * INPUT's text, which is NULL on error. */
int input_read(struct input *input, const char *path, const char *name, size_t maximum,
               struct error *error);

/* Read from FD into LINE (SIZE bytes, null-terminated) until the bytes end in a newline, which is
 * kept. The other end must send only one line at a time. Returns 0; -ETIME at DEADLINE, or -EINTR
 * after a signal; -EPIPE if the other end was closed or read() fails; -EMSGSIZE if LINE is full. */
int input_read_line(int fd, char *line, size_t size, const struct deadline *deadline);
