/* Files that the user named, read whole and within bounds. */
#ifndef NFSBENCH_COMMON_INPUT_H
#define NFSBENCH_COMMON_INPUT_H

#include <stddef.h>

#include "common/error.h"

/* For files that people write, a line for each thing. */
#define INPUT_LINES_MAXIMUM ((size_t)1 << 20)

struct input {
    char *text; /* without a 0 in it, and with one at the end */
    size_t length;
};

/* Read the file PATH, which messages call NAME ("--predict times.txt"): a regular file or a pipe,
 * of MAXIMUM bytes at most; a pipe is read until its writers have closed it, or it is too long. 0,
 * or a negative errno with ERROR set (ERROR_USAGE): open()'s and read()'s; -EISDIR; -ENODEV for a
 * device, which is not opened; -EFBIG; -EILSEQ where there is a 0 among its bytes. TEXT is to be
 * freed by the caller; it is NULL after an error. */
int input_read(struct input *input, const char *path, const char *name, size_t maximum,
               struct error *error);

#endif
