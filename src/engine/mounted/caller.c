#include "engine/mounted/caller.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/child.h"
#include "common/deadline.h"
#include "common/descriptors.h"
#include "common/signals.h"

/* Messages between the main and the calling process; the socket keeps message boundaries. */

enum { CALLER_NAME_SIZE = 256, OTHERS_LOOK_NS = 100 * 1000 };

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
    const struct mounted_operation *operation; /* address that is valid in both processes */
    size_t count;
    uint64_t until_ns; /* clock_raw_ns() at which to cut the block; 0: never */
    uint32_t size;
    char name[CALLER_NAME_SIZE];
};

struct caller_answer {
    int code;
    size_t recorded;
    bool is_cut; /* true: the block ended before all calls were made */
    struct caller_errors errors;
    struct caller_file_system file_system;
};

struct caller_shared {
    /* Number of calls prepared, made or cleared, including the first call of each other process.
     * While it does not grow, the measured process waits. */
    atomic_uint_fast64_t done;
    atomic_bool stop;
    /* OTHERS_BEGUN: number of other processes that have made their first call. OTHERS_CALLS: sum
     * of the other processes' calls; each process adds its number when it ends. OTHERS_END: true:
     * the other processes must end. */
    atomic_uint others_begun;
    atomic_uint_fast64_t others_calls;
    atomic_bool others_end;
    double user_ns, system_ns; /* processor time of the calling process at its last answer */
    uint64_t ticks[OPERATION_CALLS_MAXIMUM];
};

struct caller {
    struct caller_options options;
    struct caller_shared *shared;
    int socket;
    pid_t pid; /* calling process; 0: it has ended */
    bool stuck;
    char scratch[CALLER_NAME_SIZE];
};

static void count_error(struct caller_errors *errors, int number)
{
    size_t i = 0;

    while (i < errors->kinds && errors->errors[i].number != number)
        i++;
    if (i == CALLER_ERRORS_MAXIMUM)
        i--;
    if (i == errors->kinds)
        errors->errors[errors->kinds++].number = number;
    errors->errors[i].count++;
}

static void note_done(const struct caller *caller)
{
    atomic_fetch_add_explicit(&caller->shared->done, 1, memory_order_relaxed);
}

/* Repeat REQUEST's calls until OTHERS_END is set. Failures are not counted, because the measured
 * calls then fail, too. */
static _Noreturn void repeat_calls(const struct caller *caller, struct operation_objects *objects,
                                   const struct caller_request *request)
{
    struct caller_shared *shared = caller->shared;
    uint64_t calls = 0;

    do {
        request->operation->make(objects, calls++ % request->count);
        if (calls == 1) {
            note_done(caller);
            atomic_fetch_add(&shared->others_begun, 1);
        }
    } while (!atomic_load(&shared->others_end));
    atomic_fetch_add(&shared->others_calls, calls);
    _exit(0);
}

static void end_others(const struct caller *caller, unsigned count)
{
    atomic_store(&caller->shared->others_end, true);
    while (count > 0 && waitpid(-1, NULL, 0) > 0)
        count--;
}

/* Start the other callers, each in its own process like the users of a mount, so that their calls
 * are not counted as events of the measured process. */
static int start_others(const struct caller *caller, struct operation_objects *objects,
                        const struct caller_request *request)
{
    const unsigned wanted = caller->options.others;
    struct caller_shared *shared = caller->shared;

    atomic_store(&shared->others_begun, 0);
    atomic_store(&shared->others_calls, 0);
    atomic_store(&shared->others_end, false);
    for (unsigned i = 0; i < wanted; i++) {
        const pid_t pid = child_fork(SIGKILL);
        const int code = -errno;

        if (pid == 0)
            repeat_calls(caller, objects, request);
        if (pid < 0)
            return end_others(caller, i), code;
    }
    /* No time limit: if all processes are stuck, the main process kills this process. */
    while (atomic_load(&shared->others_begun) < wanted)
        deadline_pause(OTHERS_LOOK_NS);
    return 0;
}

/* Return whether to cut the block after call NUMBER: the block's time is over, and more calls are
 * left. TICKS is the duration of the call. After a quick call the time is not read, because a block
 * of quick calls does not take long. */
static bool is_cut_after(const struct caller *caller, const struct caller_request *request,
                         size_t number, uint64_t ticks)
{
    enum { QUICK_NS = 1000 * 1000 };

    return request->until_ns > 0 && number + 1 < request->count &&
           clock_sample_ns(caller->options.clock, ticks) >= QUICK_NS &&
           deadline_now_ns() >= request->until_ns;
}

static int make_calls(const struct caller *caller, struct operation_objects *objects,
                      const struct caller_request *request, struct caller_answer *answer)
{
    const struct clock *clock = caller->options.clock;
    struct caller_shared *shared = caller->shared;

    for (size_t i = 0; i < request->count && !answer->is_cut; i++) {
        uint64_t started, ticks;
        int code;

        if (atomic_load_explicit(&shared->stop, memory_order_relaxed))
            return -EINTR;
        if (request->operation->renew)
            request->operation->renew(objects, i);
        started = clock->start();
        code = request->operation->make(objects, i);
        ticks = shared->ticks[answer->recorded] = clock->stop() - started;
        if (code == 0 && objects->verify && request->operation->check)
            code = request->operation->check(objects, i);
        if (code == 0)
            answer->recorded++;
        else
            count_error(&answer->errors, -code);
        note_done(caller);
        answer->is_cut = is_cut_after(caller, request, i, ticks);
    }
    return 0;
}

static int make_all(const struct caller *caller, struct operation_objects *objects,
                    const struct caller_request *request, struct caller_answer *answer)
{
    int code = start_others(caller, objects, request);

    if (code)
        return code;
    code = make_calls(caller, objects, request, answer);
    end_others(caller, caller->options.others);
    return code;
}

static int prepare_all(const struct caller *caller, struct operation_objects *objects,
                       const struct caller_request *request)
{
    const struct mounted_operation *operation = request->operation;
    int code = 0;

    for (size_t i = 0; operation->prepare[0] && i < request->count && code == 0; i++) {
        for (size_t j = 0; j < OPERATION_STEPS && operation->prepare[j] && code == 0; j++)
            code = operation->prepare[j](objects, i);
        note_done(caller);
    }
    return code || !operation->settle ? code : operation->settle(objects, request->count);
}

/* Execute the calls' steps CLEAR. Missing files are no error, because calls may have failed. */
static int clear_all(const struct caller *caller, struct operation_objects *objects,
                     const struct caller_request *request)
{
    const struct mounted_operation *operation = request->operation;
    int first = 0;

    for (size_t i = 0; operation->clear[0] && i < request->count; i++) {
        for (size_t j = 0; j < OPERATION_STEPS && operation->clear[j]; j++) {
            int code = operation->clear[j](objects, i);

            if (code && code != -ENOENT && first == 0)
                first = code;
        }
        note_done(caller);
    }
    return first;
}

static int execute_request(const struct caller *caller, struct operation_objects *objects,
                           const struct caller_request *request, struct caller_answer *answer)
{
    switch (request->kind) {
    case REQUEST_SCRATCH:
        return operation_objects_make(objects, request->name, request->size);
    case REQUEST_FILE:
        return operation_objects_use_file(objects, request->size);
    case REQUEST_PREPARE:
        return prepare_all(caller, objects, request);
    case REQUEST_RUN:
        return make_all(caller, objects, request, answer);
    case REQUEST_CLEAR:
        return clear_all(caller, objects, request);
    default:
        return 0;
    }
}

/* Set PATH to the path of FD, which the kernel knows without asking the server. */
static void find_path(int fd, char *path, size_t size)
{
    char link[40];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
}

static int examine_target(const struct operation_objects *objects,
                          struct caller_file_system *file_system)
{
    struct statx status;

    if (statx(objects->target, "", AT_EMPTY_PATH, STATX_MNT_ID | STATX_TYPE | STATX_SIZE,
              &status) != 0)
        return -errno;
    if (!S_ISDIR(status.stx_mode) && !S_ISREG(status.stx_mode))
        return -ENOTDIR;
    file_system->is_file = S_ISREG(status.stx_mode);
    file_system->size = status.stx_size;
    file_system->mount_id = status.stx_mnt_id;
    find_path(objects->target, file_system->path, sizeof file_system->path);
    return 0;
}

static double ns_of(const struct timeval *time)
{
    return 1e9 * (double)time->tv_sec + 1e3 * (double)time->tv_usec;
}

static bool send_answer(const struct caller *caller, const struct caller_answer *answer)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    caller->shared->user_ns = ns_of(&used.ru_utime);
    caller->shared->system_ns = ns_of(&used.ru_stime);
    return send(caller->socket, answer, sizeof *answer, MSG_NOSIGNAL) == (ssize_t)sizeof *answer;
}

/* Answer with the target's file system, then answer each request until REQUEST_END or the end of
 * the parent. Then remove the scratch directory. The parent handles Ctrl-C. */
static _Noreturn void serve_requests(const struct caller *caller)
{
    static struct operation_objects objects;
    struct caller_request request = {.kind = REQUEST_END};
    struct caller_answer answer = {.code =
                                       operation_objects_open(&objects, caller->options.target)};
    char scratch[CALLER_NAME_SIZE] = "";

    signals_handle_ending(SIG_IGN);
    descriptors_raise_limit(); /* each call of a block may have an open file */
    objects.verify = caller->options.verify;
    if (answer.code == 0)
        answer.code = examine_target(&objects, &answer.file_system);
    while (send_answer(caller, &answer) &&
           recv(caller->socket, &request, sizeof request, 0) == (ssize_t)sizeof request &&
           request.kind != REQUEST_END) {
        answer = (struct caller_answer){.recorded = 0};
        if (request.kind == REQUEST_SCRATCH)
            strcpy(scratch, request.name);
        answer.code = execute_request(caller, &objects, &request, &answer);
    }
    answer = (struct caller_answer){.code = operation_objects_remove(&objects, scratch)};
    send_answer(caller, &answer);
    _exit(0);
}

/* The main process */

enum { LOOK_MS = 100, LAST_PATIENCE_MS = 1000 };

static void kill_process(struct caller *caller)
{

    if (caller->pid == 0)
        return;
    kill(caller->pid, SIGKILL);
    for (int i = 0; i < LAST_PATIENCE_MS / 10 && waitpid(caller->pid, NULL, WNOHANG) == 0; i++)
        deadline_pause(10 * 1000 * 1000);
    caller->pid = 0;
}

static int report_silence(struct caller *caller, struct error *error)
{
    caller->stuck = true;
    return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                     "a system call on %.200s has not returned for %.3g s; the server may be gone, "
                     "which a hard mount waits for without end; see --timeout",
                     caller->options.target, (double)caller->options.patience_ns / 1e9);
}

/* Wait until the process has answered. If the user requests a stop meanwhile, pass it to the
 * process unless LAST is true. Returns 0, or -ETIMEDOUT with ERROR set if no process makes progress
 * for the time PATIENCE_NS. */
static int wait_for_answer(struct caller *caller, bool last, struct error *error)
{
    struct pollfd polled = {.fd = caller->socket, .events = POLLIN};
    uint64_t seen = atomic_load(&caller->shared->done), since = clock_raw_ns();

    while (poll(&polled, 1, LOOK_MS) <= 0) {
        uint64_t done = atomic_load(&caller->shared->done), now = clock_raw_ns();

        if (!last && caller->options.stop && *caller->options.stop)
            atomic_store(&caller->shared->stop, true);
        if (done != seen)
            since = now;
        seen = done;
        if (now - since > caller->options.patience_ns)
            return report_silence(caller, error);
    }
    return 0;
}

static int take_answer(struct caller *caller, bool last, struct caller_answer *answer,
                       struct error *error)
{
    int code = wait_for_answer(caller, last, error);

    if (code == 0 && recv(caller->socket, answer, sizeof *answer, 0) != (ssize_t)sizeof *answer)
        code = error_set(error, ERROR_FAILED, -EPIPE,
                         "the process that makes the calls on %.200s has ended",
                         caller->options.target);
    if (code)
        kill_process(caller);
    return code;
}

static int send_request(struct caller *caller, const struct caller_request *request,
                        struct caller_answer *answer, struct error *error)
{
    if (caller->stuck)
        return report_silence(caller, error);
    if (caller->pid == 0 ||
        send(caller->socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request)
        return error_set(error, ERROR_FAILED, -EPIPE,
                         "the process that makes the calls on %.200s has ended",
                         caller->options.target);
    return take_answer(caller, request->kind == REQUEST_END, answer, error);
}

static int start_process(struct caller *caller, struct error *error)
{
    int sockets[2];

    caller->shared = mmap(NULL, sizeof *caller->shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (caller->shared == MAP_FAILED) {
        caller->shared = NULL;
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the calls");
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        return error_set(error, ERROR_FAILED, -errno, "socketpair: %s", strerror(errno));
    caller->pid = fork();
    caller->socket = sockets[caller->pid == 0];
    close(sockets[caller->pid != 0]);
    if (caller->pid == 0)
        serve_requests(caller);
    if (caller->pid > 0)
        return 0;
    caller->pid = 0;
    return error_set(error, ERROR_FAILED, -errno, "fork: %s", strerror(errno));
}

int caller_open(struct caller **result, const struct caller_options *options,
                struct caller_file_system *file_system, struct error *error)
{
    struct caller *caller = calloc(1, sizeof *caller);
    struct caller_answer answer;
    struct error ignored;
    int code;

    if (!caller)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the calls");
    caller->options = *options;
    caller->socket = -1;
    code = start_process(caller, error);
    if (code == 0)
        code = take_answer(caller, false, &answer, error);
    if (code == 0 && answer.code != 0)
        code = error_set(error, ERROR_FAILED, answer.code, "target '%.200s': %s", options->target,
                         strerror(-answer.code));
    if (code) {
        caller_close(caller, &ignored);
        return code;
    }
    *file_system = answer.file_system;
    *result = caller;
    return 0;
}

int caller_make_scratch(struct caller *caller, const char *name, uint32_t size, struct error *error)
{
    struct caller_request request = {.kind = REQUEST_SCRATCH, .size = size};
    struct caller_answer answer;
    int code;

    strcpy(caller->scratch, name);
    strcpy(request.name, name);
    code = send_request(caller, &request, &answer, error);
    if (code || answer.code == 0)
        return code;
    return error_set(error, ERROR_FAILED, answer.code, "making the scratch directory %.200s/%s: %s",
                     caller->options.target, name, strerror(-answer.code));
}

int caller_use_file(struct caller *caller, uint32_t size, struct error *error)
{
    const struct caller_request request = {.kind = REQUEST_FILE, .size = size};
    struct caller_answer answer;
    int code = send_request(caller, &request, &answer, error);

    if (code || answer.code == 0)
        return code;
    return error_set(error, ERROR_FAILED, answer.code, "opening %.200s: %s", caller->options.target,
                     strerror(-answer.code));
}

static int request_calls(struct caller *caller, enum caller_request_kind kind,
                         const struct mounted_operation *operation, size_t count, const char *what,
                         struct error *error)
{
    const struct caller_request request = {.kind = kind, .operation = operation, .count = count};
    struct caller_answer answer;
    int code = send_request(caller, &request, &answer, error);

    if (code || answer.code == 0)
        return code;
    return error_set(error, ERROR_FAILED, answer.code, "%s calls of %s on %.200s: %s", what,
                     operation->op, caller->options.target,
                     answer.code == -OPERATION_DATA_MISMATCH
                         ? "READ returned other bytes than WRITE wrote (DATA_MISMATCH)"
                         : strerror(-answer.code));
}

int caller_prepare(struct caller *caller, const struct mounted_operation *operation, size_t count,
                   struct error *error)
{
    return operation->prepare[0] || operation->settle
               ? request_calls(caller, REQUEST_PREPARE, operation, count, "preparing", error)
               : 0;
}

int caller_clear(struct caller *caller, const struct mounted_operation *operation, size_t count,
                 struct error *error)
{
    return operation->clear[0]
               ? request_calls(caller, REQUEST_CLEAR, operation, count, "clearing up after", error)
               : 0;
}

int caller_run(struct caller *caller, const struct mounted_operation *operation,
               struct block *block, struct caller_errors *errors, struct error *error)
{
    const struct caller_request request = {.kind = REQUEST_RUN,
                                           .operation = operation,
                                           .count = block->count,
                                           .until_ns = block->until_ns};
    struct caller_answer answer;
    int code = send_request(caller, &request, &answer, error);

    block->recorded = 0;
    if (code)
        return code;
    if (answer.code == -EINTR)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    if (answer.code)
        return error_set(error, ERROR_FAILED, answer.code, "starting other processes: %s",
                         strerror(-answer.code));
    memcpy(block->ticks, caller->shared->ticks, answer.recorded * sizeof *block->ticks);
    block->recorded = answer.recorded;
    block->is_cut = answer.is_cut;
    *errors = answer.errors;
    return 0;
}

uint64_t caller_others(const struct caller *caller)
{
    return atomic_load(&caller->shared->others_calls);
}

pid_t caller_pid(const struct caller *caller)
{
    return caller->pid;
}

void caller_times(const struct caller *caller, double *user_ns, double *system_ns)
{
    *user_ns = caller->shared->user_ns;
    *system_ns = caller->shared->system_ns;
}

static int end_process(struct caller *caller, struct error *error)
{
    const struct caller_request request = {.kind = REQUEST_END};
    struct caller_answer answer;
    int code;

    if (caller->pid == 0 && !caller->scratch[0])
        return 0;
    code = send_request(caller, &request, &answer, error);
    if (code == 0 && answer.code)
        code = error_set(error, ERROR_FAILED, answer.code, "ending the process on %.200s: %s",
                         caller->options.target, strerror(-answer.code));
    if (code == 0 || !caller->scratch[0])
        return code;
    return error_set(error, ERROR_FAILED, code,
                     "removing the scratch directory %.200s/%s: %s; remove it with rm -r",
                     caller->options.target, caller->scratch, strerror(-code));
}

int caller_close(struct caller *caller, struct error *error)
{
    int code;

    if (!caller)
        return 0;
    code = end_process(caller, error);
    if (caller->pid > 0)
        waitpid(caller->pid, NULL, 0);
    if (caller->socket >= 0)
        close(caller->socket);
    if (caller->shared)
        munmap(caller->shared, sizeof *caller->shared);
    free(caller);
    return code;
}
