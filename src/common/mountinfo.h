/* What the kernel says of a mount in /proc/self/mountinfo (proc(5)). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MOUNTINFO_PATH_SIZE = 4096,
    MOUNTINFO_TYPE_SIZE = 64,
    MOUNTINFO_OPTIONS_SIZE = 1024,
    MOUNTINFO_VALUE_SIZE = 256,
};

struct mountinfo {
    char point[MOUNTINFO_PATH_SIZE];      /* where it is mounted */
    char type[MOUNTINFO_TYPE_SIZE];       /* of the file system: "nfs", "nfs4", "ext4" */
    char source[MOUNTINFO_PATH_SIZE];     /* what is mounted: "server:/export" */
    char options[MOUNTINFO_OPTIONS_SIZE]; /* the file system's: "rw,vers=3,..." */
};

/* Find the mount with number ID (statx(2): stx_mnt_id) in TEXT, the contents of the file, and fill
 * in INFO, with the kernel's escapes (\040 for a space) undone. Returns 0; -ENOENT if it is not
 * there; -EBADMSG if its line is not as documented, or too long for the members above. */
int mountinfo_find(const char *text, uint64_t id, struct mountinfo *info);

/* The same of this process' own file. Returns -ENOENT, too, if it can't be read. */
int mountinfo_read(uint64_t id, struct mountinfo *info);

/* The value of option NAME ("vers") in INFO, copied to VALUE; an empty text for one without a value
 * ("noac"). Returns false if it is not there, or too long. */
bool mountinfo_option(const struct mountinfo *info, const char *name,
                      char value[MOUNTINFO_VALUE_SIZE]);

/* For these files, whose lines have no fixed length. Read all of the file at PATH into TEXT, for
 * the caller to free. Returns 0, -ENOENT if it is empty, or another negative errno. */
int mountinfo_read_file(const char *path, char **text);

/* The beginning of the line after LINE; the text's end after the last. */
const char *mountinfo_next_line(const char *line);
