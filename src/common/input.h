/* Reading text that others have written: whole files that the user named, and single lines of
 * another process. All have a limit. */
#pragma once

#include <stddef.h>

#include "common/deadline.h"
#include "common/error.h"

/* The limit for files that people write. */
#define INPUT_LINES_MAXIMUM ((size_t)1 << 20)

struct input {
    char *text; /* null-terminated, without other zero bytes */
    size_t length;
};

/* Read the file PATH, which messages call NAME ("--predict times.txt"): a regular file or a pipe of
 * at most MAXIMUM bytes. A pipe is read until its writers have closed it, or it is too long. 0, or
 * a negative errno with ERROR set (ERROR_USAGE): those of open() and read(); -EISDIR; -ENODEV for a
 * device, which is not opened; -EFBIG; -EILSEQ if it contains zero bytes. The caller frees TEXT,
 * which is NULL after an error. */
int input_read(struct input *input, const char *path, const char *name, size_t maximum,
               struct error *error);

/* Read from FD until a newline, which is kept; LINE holds SIZE bytes and is terminated. 0; -ETIME
 * at the DEADLINE, or -EINTR after a signal; -EPIPE when the other end was closed before; -EMSGSIZE
 * when the line does not fit. LINE then has what was read so far. */
int input_read_line(int fd, char *line, size_t size, const struct deadline *deadline);
