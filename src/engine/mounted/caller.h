/* A process that makes system calls on a mount. It is another one than the one that reports: where
 * a server is gone, the kernel's client may keep a call for ever, and with it the process. */
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
    const char *target;   /* a directory or a file */
    uint64_t patience_ns; /* how long a call may take */
    bool verify;          /* the data that are read, and written */
    unsigned others; /* processes that make the same calls in a closed loop each, from before the
                        first of a block's calls until its last; of operations that repeat */
    const volatile sig_atomic_t *stop; /* not 0: make no more calls; NULL: never */
    const struct clock *clock;         /* open before the process is started */
};

/* The target, and the file system that it is on. */
struct caller_file_system {
    uint64_t mount_id; /* statx(2): stx_mnt_id */
    char path[1024];   /* of the target, without symbolic links; cut if it is longer */
    bool is_file;      /* and not a directory */
    uint64_t size;     /* the file's, bytes */
};

/* Start the process, which opens the target. Returns 0; -ENOTDIR if it is neither a directory nor a
 * regular file; or another negative errno, with ERROR set. */
int caller_open(struct caller **caller, const struct caller_options *options,
                struct caller_file_system *file_system, struct error *error);

/* Make the scratch directory NAME in the target, for calls that move SIZE bytes. It is removed when
 * the caller is closed, or this process is gone. Returns as above. */
int caller_make_scratch(struct caller *caller, const char *name, uint32_t size,
                        struct error *error);

/* Use the target, a file of at least SIZE bytes, for calls that read SIZE bytes. Returns as above.
 */
int caller_use_file(struct caller *caller, uint32_t size, struct error *error);

/* Prepare COUNT calls of OPERATION, at most OPERATION_CALLS_MAXIMUM; or remove what they left.
 * Return as above. */
int caller_prepare(struct caller *caller, const struct mounted_operation *operation, size_t count,
                   struct error *error);
int caller_clear(struct caller *caller, const struct mounted_operation *operation, size_t count,
                 struct error *error);

/* Of the calls of a block, those that failed. */
enum { CALLER_ERRORS_MAXIMUM = 8 };

struct caller_errors {
    struct {
        int number; /* an errno, or OPERATION_DATA_MISMATCH */
        uint64_t count;
    } errors[CALLER_ERRORS_MAXIMUM];
    size_t kinds; /* what exceeds the maximum is counted with the last */
};

/* Make BLOCK's calls, which were prepared; BLOCK is set as by engine_run(). Returns 0;
 * -EINTR when asked to stop; -ETIMEDOUT with ERROR set (ERROR_UNREACHABLE) if a call took longer
 * than the options allow: the process is then killed, and all further calls fail likewise. */
int caller_run(struct caller *caller, const struct mounted_operation *operation,
               struct block *block, struct caller_errors *errors, struct error *error);

/* How many calls the others made meanwhile, in the last block. */
uint64_t caller_others(const struct caller *caller);

/* Its process; 0: it was killed. */
pid_t caller_pid(const struct caller *caller);

/* The processor time that it had used when it last answered, ns: the kernel tells only a process
 * itself how much of it is the user's and how much the system's. */
void caller_times(const struct caller *caller, double *user_ns, double *system_ns);

/* Remove the scratch directory, and end the process. Returns 0, or a negative errno with ERROR set
 * if something is left. CALLER may be NULL. */
int caller_close(struct caller *caller, struct error *error);
