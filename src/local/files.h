/* Files on this machine, which a run compares with a server's files. The run makes them in a
 * directory of its own, and removes the files and the directory at the end. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/* A guard process, which cleans up when this process ends in any way. */

struct local_guard {
    pid_t pid; /* process id of the guard; 0: no guard */
    int alive; /* end of a pipe; its closing makes the guard act */
};

/* Start the guard process; the caller has no other threads yet. When this process ends or calls
 * local_guard_end(), the guard, if armed, calls CLEAN_UP. CLEAN_UP gets CONTEXT, in a copy of this
 * process's memory, and the last WHAT of local_guard_arm(). Returns 0 or a negative errno. */
int local_guard_start(struct local_guard *guard, void (*clean_up)(void *context, uint64_t what),
                      void *context);

/* Arm the guard: WHAT must be cleaned up. Returns 0 or a negative errno. */
int local_guard_arm(const struct local_guard *guard, uint64_t what);

/* End the guard, and wait until it has cleaned up. GUARD may be zeroed. */
void local_guard_end(struct local_guard *guard);

/* Directories and files */

struct local_options {
    const char *directory;             /* directory that the user named */
    const char *name;                  /* name of the run's own directory in DIRECTORY */
    bool direct;                       /* true: calls read and write with O_DIRECT */
    const volatile sig_atomic_t *stop; /* stop making files if *STOP is not 0; NULL: never */
};

/* The user's directory, and the run's own directory in it. */
struct local_directory {
    struct local_options options;
    int target, own;   /* descriptors of the two directories; negative: not open */
    uint64_t mount_id; /* stx_mnt_id (statx(2)) of the user's directory */
    bool made;         /* true: the run's own directory was made */
    /* inode of the run's own directory, whose name may change */
    uint64_t inode;
    uint32_t files;           /* number of files made so far */
    struct local_guard guard; /* removes the run's own directory if this process can't */
};

/* Files of one size, open for reading and writing. */
struct local_files {
    int *descriptors;
    size_t count;
    uint64_t size;
};

/* Open the directory that OPTIONS name, and start the guard. The caller has no other threads yet.
 * OPTIONS' texts must outlive DIRECTORY. Returns 0, or a negative errno with ERROR set
 * (ERROR_USAGE), such as -ENOENT or -ENOTDIR. Call local_directory_close() in either case. */
int local_directory_open(struct local_directory *directory, const struct local_options *options,
                         struct error *error);

/* Make the run's own directory, and arm the guard. Returns 0 or a negative errno with ERROR set. */
int local_directory_make(struct local_directory *directory, struct error *error);

/* Check that there is room for COUNT files of SIZE bytes in the run's own directory, which was made
 * before. Returns 0, or a negative errno with ERROR set: -ENOSPC if there is too little room. */
int local_directory_check_room(const struct local_directory *directory, size_t count, uint64_t size,
                               struct error *error);

/* Make COUNT files of SIZE bytes with random data in the run's own directory, and wait until the
 * data are on disk. Returns 0, or a negative errno with ERROR set: -EINVAL if the file system
 * doesn't support O_DIRECT, -EINTR if told to stop. Files made so far are removed with the
 * directory. Call local_files_close() in either case. */
int local_files_make(struct local_files *files, struct local_directory *directory, size_t count,
                     uint64_t size, struct error *error);

/* Return the share of the files' bytes that is in the page cache, 0 to 1; NAN if unknown. */
double local_files_cached(const struct local_files *files);

/* Close FILES, which may be zeroed or already closed. Its count and size remain. */
void local_files_close(struct local_files *files);

/* Remove the run's own directory with its files, close the user's directory, and end the guard.
 * Only files of the run are removed: regular files of this user with the run's names in the
 * directory that the run made, even if it was renamed. The directory itself is removed only if it
 * still has its name. Returns 0, or a negative errno with ERROR set if something is left (-ESTALE:
 * the directory no longer has its name). The call may be repeated. */
int local_directory_close(struct local_directory *directory, struct error *error);
