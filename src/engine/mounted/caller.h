/* A process that makes system calls on a mount. It is separate from the main process: if a server
 * is gone, the kernel's client may keep a call forever, and with it the calling process. */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "common/error.h"
#include "engine/mounted/operation.h"
#include "measure/clock.h"
#include "measure/load.h"

struct caller;

enum { CALLER_OTHERS_MAXIMUM = 64 };

struct caller_options {
    const char *target;   /* directory or file that the user named */
    uint64_t patience_ns; /* maximum time without a completed call of any process */
    bool verify;          /* true: verify the data of READ and WRITE */
    /* Number of other processes. Each makes the measured calls in a closed loop, which begins
     * before a block's first call and ends after the block's last call. Only for operations whose
     * REPEATS is true. */
    unsigned others;
    const volatile sig_atomic_t *stop; /* make no more calls if *STOP is not 0; NULL: never */
    const struct clock *clock;         /* must be opened before the process is started */
};

/* The target, and the file system that it is on. */
struct caller_file_system {
    uint64_t mount_id; /* stx_mnt_id of statx(2) */
    char path[1024];   /* target without symbolic links; cut if too long */
    bool is_file;      /* true: a regular file; false: a directory */
    uint64_t size;     /* size of the file in bytes */
};

/* Start the calling process, which opens the target. Returns 0, -ENOTDIR if the target is neither a
 * directory nor a regular file, or another negative errno, with ERROR set. */
int caller_open(struct caller **caller, const struct caller_options *options,
                struct caller_file_system *file_system, struct error *error);

/* Make the scratch directory NAME in the target, for calls that read or write SIZE bytes. The
 * directory is removed when the caller is closed or the main process ends. Returns 0, or a negative
 * errno with ERROR set. */
int caller_make_scratch(struct caller *caller, const char *name, uint32_t size,
                        struct error *error);

/* Use the target, a file of at least SIZE bytes, for calls that read SIZE bytes. Returns 0, or a
 * negative errno with ERROR set. */
int caller_use_file(struct caller *caller, uint32_t size, struct error *error);

/* caller_prepare() prepares COUNT calls of OPERATION (at most OPERATION_CALLS_MAXIMUM).
 * caller_clear() removes the files that these calls left and, if the options ask for it, verifies
 * the data of WRITEs. Both return 0, or a negative errno with ERROR set. If data differ,
 * caller_clear() returns -OPERATION_DATA_MISMATCH with ERROR set. */
int caller_prepare(struct caller *caller, const struct mounted_operation *operation, size_t count,
                   struct error *error);
int caller_clear(struct caller *caller, const struct mounted_operation *operation, size_t count,
                 struct error *error);

/* The failed calls of a block, counted by errno. */
enum { CALLER_ERRORS_MAXIMUM = 8 };

struct caller_errors {
    struct {
        int number; /* an errno, or OPERATION_DATA_MISMATCH */
        uint64_t count;
    } errors[CALLER_ERRORS_MAXIMUM];
    size_t kinds; /* number of entries; the last one also counts errors without an entry */
};

/* Make BLOCK's calls, which were prepared, and set BLOCK as engine_run() does. Returns 0 with
 * ERRORS set, or a negative errno with ERROR set: -EINTR if asked to stop; -ETIMEDOUT
 * (ERROR_UNREACHABLE) if no call was completed for PATIENCE_NS. After -ETIMEDOUT, the calling
 * process has been killed, and later requests to CALLER fail with -ETIMEDOUT. */
int caller_run(struct caller *caller, const struct mounted_operation *operation,
               struct block *block, struct caller_errors *errors, struct error *error);

/* Return how many calls the other processes made during the last block. */
uint64_t caller_others(const struct caller *caller);

/* Return the id of the calling process; 0: it was killed or has failed. */
pid_t caller_pid(const struct caller *caller);

/* Get the processor time (getrusage(2)) of the calling process at its last answer, in ns. */
void caller_times(const struct caller *caller, double *user_ns, double *system_ns);

/* Remove the scratch directory, end the calling process, and free CALLER (may be NULL). Returns 0,
 * or a negative errno with ERROR set. */
int caller_close(struct caller *caller, struct error *error);
