/* What the two processes of a caller say to each other, over a socket that keeps messages apart.
 * Only the files of the caller include it. */
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "mounted/caller.h"

enum { CALLER_NAME_SIZE = 256 };

enum caller_request_kind {
    REQUEST_SCRATCH,
    REQUEST_FILE,
    REQUEST_PREPARE,
    REQUEST_RUN,
    REQUEST_CLEAR,
    REQUEST_END
};

struct caller_request {
    enum caller_request_kind kind;
    const struct mounted_operation *operation; /* the same address in both processes */
    size_t count;
    uint32_t size;
    char name[CALLER_NAME_SIZE];
};

struct caller_answer {
    int code;
    size_t recorded;
    struct caller_errors errors;
    struct caller_file_system file_system;
};

/* What both processes see. */
struct caller_shared {
    atomic_uint_fast64_t done; /* calls, prepared, made or cleared: it is alive */
    atomic_bool stop;
    double user_ns, system_ns; /* at the last answer */
    uint64_t ticks[OPERATION_CALLS_MAXIMUM];
};

struct caller {
    struct caller_options options;
    struct caller_shared *shared;
    int socket;
    pid_t pid; /* 0: it is gone */
    bool stuck;
    char scratch[CALLER_NAME_SIZE];
};

/* The process that makes the calls: answer with the file system that the directory is on, then each
 * request, until the last one or the other process is gone. */
_Noreturn void caller_serve(const struct caller *caller);
