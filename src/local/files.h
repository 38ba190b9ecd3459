/* Files on this machine, which a server's are compared with. The run makes them, in a directory of
 * its own, and removes both at the end. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/* A process that cleans up when this one is gone, however it ended. */

struct local_guard {
    pid_t pid; /* 0: there is none */
    int alive; /* descriptor that this process has open as long as it lives */
};

/* Start the process, which calls CLEAN_UP with CONTEXT, in a copy of this one's memory, and with
 * WHAT, when this process has ended, or has called local_guard_end(); but only after
 * local_guard_arm(). To be called before there are threads. Returns 0 or a negative errno. */
int local_guard_start(struct local_guard *guard, void (*clean_up)(void *context, uint64_t what),
                      void *context);

/* From now on there is something to clean up, which WHAT identifies. Returns 0 or a negative errno.
 */
int local_guard_arm(const struct local_guard *guard, uint64_t what);

/* End it, and wait until it has cleaned up. A zeroed one may be ended, too. */
void local_guard_end(struct local_guard *guard);

/* Directories and files */

struct local_options {
    const char *directory;             /* that the user named */
    const char *name;                  /* of the run's own in it */
    bool direct;                       /* the files are read and written with O_DIRECT */
    const volatile sig_atomic_t *stop; /* not 0: make no more of them; NULL: never */
};

/* The user's directory, and the run's own in it. */
struct local_directory {
    struct local_options options;
    int target, own;          /* descriptors; negative: it is not open */
    uint64_t mount_id;        /* statx(2): stx_mnt_id */
    bool made;                /* the own one is there */
    uint64_t inode;           /* its number: another directory may have its name by the end */
    uint32_t files;           /* that were made in it */
    struct local_guard guard; /* removes it if this process ends before it could */
};

/* Files of one size, open for reading and writing. */
struct local_files {
    int *descriptors;
    size_t count;
    uint64_t size;
};

/* Open the directory that OPTIONS name, and change nothing. To be called before there are threads,
 * with OPTIONS' texts as long as the directory is open. Returns 0, or a negative errno with ERROR
 * set (ERROR_USAGE): -ENOENT, -ENOTDIR and the like. Call local_directory_close() in either case.
 */
int local_directory_open(struct local_directory *directory, const struct local_options *options,
                         struct error *error);

/* Make the run's own directory in it. Returns 0, or a negative errno with ERROR set (ERROR_USAGE),
 * such as -EROFS. */
int local_directory_make(struct local_directory *directory, struct error *error);

/* Is there room for COUNT files of SIZE bytes? Returns 0, or -ENOSPC with ERROR set (ERROR_USAGE).
 */
int local_directory_check_room(const struct local_directory *directory, size_t count, uint64_t size,
                               struct error *error);

/* Make COUNT files of SIZE bytes in the run's own directory, write random data to all of them, and
 * wait until these are on the disk. Returns 0, or a negative errno with ERROR set: -EINVAL if the
 * file system has no O_DIRECT, -EINTR when told to stop. What was made so far is removed with the
 * directory; call local_files_close() in either case. */
int local_files_make(struct local_files *files, struct local_directory *directory, size_t count,
                     uint64_t size, struct error *error);

/* The share of the files' bytes that is in the page cache, 0 to 1; NAN where it is not known. */
double local_files_cached(const struct local_files *files);

/* A zeroed one may be closed, too, and twice. Count and size stay as they are. */
void local_files_close(struct local_files *files);

/* Remove the run's own directory with its files, and close the user's. Files are removed only where
 * they are the run's: below the directory that it made, wherever that is by now, regular, and
 * owned by this user; and the directory's name only if it is still that directory's. Returns 0, or
 * a negative errno with ERROR set if something is left (-ESTALE: the name is another's). May be
 * called twice. */
int local_directory_close(struct local_directory *directory, struct error *error);
