/* Mounts as the kernel lists them in /proc/self/mountinfo (proc(5)). */
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
    char point[MOUNTINFO_PATH_SIZE];      /* mount point */
    char type[MOUNTINFO_TYPE_SIZE];       /* type of the file system: "nfs", "nfs4", "ext4" */
    char source[MOUNTINFO_PATH_SIZE];     /* source: "server:/export" */
    char options[MOUNTINFO_OPTIONS_SIZE]; /* options of the file system: "rw,vers=3,..." */
};

/* Find the mount with number ID (statx(2): stx_mnt_id) in TEXT, the contents of
 * /proc/self/mountinfo, and set INFO. The kernel's escapes (\040 for a space) are decoded. Returns
 * 0; -ENOENT if there is no such mount; -EBADMSG if its line is malformed, or too long for INFO. */
int mountinfo_find(const char *text, uint64_t id, struct mountinfo *info);

/* Find the mount with number ID among those of this process. Returns what mountinfo_find() returns,
 * or -ENOENT if /proc/self/mountinfo can't be read. */
int mountinfo_read(uint64_t id, struct mountinfo *info);

/* Copy the value of option NAME ("vers") in INFO to VALUE; "" for an option without a value
 * ("noac"). Returns false if the option is missing, or its value is too long. */
bool mountinfo_option(const struct mountinfo *info, const char *name,
                      char value[MOUNTINFO_VALUE_SIZE]);

/* Read the file at PATH, such as mountinfo, up to its first zero byte into *TEXT, which the caller
 * frees also on error. Returns 0, an error of fopen(), or -ENOENT if nothing can be read. */
int mountinfo_read_file(const char *path, char **text);

/* Return the beginning of the line after LINE; the end of the text after the last line. */
const char *mountinfo_next_line(const char *line);
