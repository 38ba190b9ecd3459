/* Finds the place that an output file's path leads to, and writes there. Symbolic links are
 * followed here, because the kernel's rename would replace the link itself. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "output/form/file.h"

enum destination_kind {
    DESTINATION_FILE,   /* a regular file, or a name that does not exist yet */
    DESTINATION_DEVICE, /* a device or a pipe, which is written to in place */
    DESTINATION_STREAM, /* an open file, such as /dev/stdout, which is appended to */
};

struct destination {
    enum destination_kind kind;
    int directory; /* descriptor of the directory that contains NAME; -1 if closed */
    /* name of the file after following links; for a stream, the name of the last link */
    char name[NAME_MAX + 1];
    bool exists;
    struct stat status; /* status of the file; set only if EXISTS */
};

/* Find the place that PATH leads to, without opening or changing it. Returns 0 or a negative errno,
 * for example -ENOENT if a directory of the path is missing, -EISDIR if PATH is a directory, -ENXIO
 * if PATH is a socket, or -EOWNERDEAD. -EOWNERDEAD: the file or a link on the way to it is in a
 * sticky directory that others may write to, such as /tmp, and belongs neither to this user nor to
 * the directory's owner (compare sysctl fs.protected_symlinks).
 * Close DESTINATION with destination_close(), even after an error. */
int destination_open(struct destination *destination, const char *path);
void destination_close(struct destination *destination);

/* Return whether PATH leads to a DESTINATION_FILE that exists and is not empty. */
bool destination_has_data(const char *path);

/* Return 0 if DESTINATION (and, for a file, its directory) is writable, or a negative errno. */
int destination_check(const struct destination *destination);

/* Open or create DESTINATION's file, to write to it in place. A DESTINATION_FILE is emptied; a
 * stream is appended to. Returns NULL with errno set after an error. */
FILE *destination_write_to(const struct destination *destination);

/* Call WRITER to write DATA to FILE, and flush FILE. Returns 0 or a negative errno. */
int destination_print(file_writer writer, const void *data, FILE *file);

/* Call WRITER to write DATA to DESTINATION. A regular file appears complete or not at all, unless
 * the kernel refuses the rename (output/form/file.h). If the process is killed, a file
 * .NAME.0123456789abcdef may remain. Returns 0 or a negative errno. */
int destination_write(const struct destination *destination, file_writer writer, const void *data);

/* Return a message for CODE, a negative errno of one of these functions. */
const char *destination_error(int code);
