/* Where a path leads to that the user wants a file written to, and writing there. Links are
 * followed here, not by the kernel when the file is replaced: a rename would put the file in the
 * link's place. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "output/form/file.h"

enum destination_kind {
    DESTINATION_FILE,   /* a regular file, or nothing yet */
    DESTINATION_DEVICE, /* a device, a pipe: it is opened as it is, and never replaced */
    DESTINATION_STREAM, /* an open file of this process's, such as /dev/stdout: likewise, at the end
                         */
};

struct destination {
    enum destination_kind kind;
    int directory;           /* that NAME is in; -1: closed */
    char name[NAME_MAX + 1]; /* of no symbolic link, but in case of a stream */
    bool exists;
    struct stat status; /* where it exists */
};

/* Find where PATH leads to; nothing is changed, made or opened. 0, or a negative errno:
 * -ENOENT where a directory of the path is missing, -EISDIR for a directory, -EOWNERDEAD for a link
 * or a file that another user put into a directory like /tmp, where it may be a trap (as in Linux's
 * sysctl fs.protected_symlinks and its like). Close it, after an error, too. */
int destination_open(struct destination *destination, const char *path);
void destination_close(struct destination *destination);

/* Is there a regular file at PATH that is not empty? */
bool destination_stands(const char *path);

/* May this process write there? 0, or a negative errno. */
int destination_check(const struct destination *destination);

/* Open what is there, or a new file, to be written as it is. NULL with errno set. */
FILE *destination_write_to(const struct destination *destination);

/* Have WRITER write DATA to FILE, and all of it written out. 0, or a negative errno. */
int destination_print(file_writer writer, const void *data, FILE *file);

/* Have WRITER write DATA there: a regular file appears whole or not at all, as output/form/file.h
 * says. A process that is killed meanwhile may leave a file .NAME.0123456789abcdef beside it. 0, or
 * a negative errno: what stood there stands there still. */
int destination_write(const struct destination *destination, file_writer writer, const void *data);

/* What CODE means, in words: strerror()'s, but for what is said above. */
const char *destination_error(int code);
