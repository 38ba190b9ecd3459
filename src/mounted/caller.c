#include "mounted/caller.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mounted/caller_parts.h"

enum { LOOK_MS = 100, LAST_PATIENCE_MS = 1000 };

static void kill_process(struct caller *caller)
{
    struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

    if (caller->pid == 0)
        return;
    kill(caller->pid, SIGKILL);
    for (int i = 0; i < LAST_PATIENCE_MS / 10 && waitpid(caller->pid, NULL, WNOHANG) == 0; i++)
        nanosleep(&pause, NULL);
    caller->pid = 0;
}

static int explain_silence(struct caller *caller, struct error *error)
{
    caller->stuck = true;
    return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                     "a system call on %.200s has not returned for %.3g s; the server may be gone, "
                     "and a hard mount waits for it without end; see --timeout",
                     caller->options.target, (double)caller->options.patience_ns / 1e9);
}

/* Wait until the process has answered, or has done nothing for too long. */
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
            return explain_silence(caller, error);
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

static int ask(struct caller *caller, const struct caller_request *request,
               struct caller_answer *answer, struct error *error)
{
    if (caller->stuck)
        return explain_silence(caller, error);
    if (caller->pid == 0 ||
        send(caller->socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request)
        return error_set(error, ERROR_FAILED, -EPIPE,
                         "the process that makes the calls on %.200s has ended",
                         caller->options.target);
    return take_answer(caller, request->kind == REQUEST_END, answer, error);
}

static int start(struct caller *caller, struct error *error)
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
        caller_serve(caller);
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
    code = start(caller, error);
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
    code = ask(caller, &request, &answer, error);
    if (code || answer.code == 0)
        return code;
    return error_set(error, ERROR_FAILED, answer.code, "making the scratch directory %.200s/%s: %s",
                     caller->options.target, name, strerror(-answer.code));
}

int caller_use_file(struct caller *caller, uint32_t size, struct error *error)
{
    const struct caller_request request = {.kind = REQUEST_FILE, .size = size};
    struct caller_answer answer;
    int code = ask(caller, &request, &answer, error);

    if (code || answer.code == 0)
        return code;
    return error_set(error, ERROR_FAILED, answer.code, "opening %.200s: %s", caller->options.target,
                     strerror(-answer.code));
}

static int ask_of(struct caller *caller, enum caller_request_kind kind,
                  const struct mounted_operation *operation, size_t count, const char *what,
                  struct error *error)
{
    const struct caller_request request = {.kind = kind, .operation = operation, .count = count};
    struct caller_answer answer;
    int code = ask(caller, &request, &answer, error);

    if (code || answer.code == 0)
        return code;
    return error_set(error, ERROR_FAILED, answer.code, "%s calls of %s on %.200s: %s", what,
                     operation->op, caller->options.target,
                     answer.code == -OPERATION_DATA_MISMATCH
                         ? "READ returned other bytes than WRITE had written (DATA_MISMATCH)"
                         : strerror(-answer.code));
}

int caller_prepare(struct caller *caller, const struct mounted_operation *operation, size_t count,
                   struct error *error)
{
    return operation->prepare || operation->settle
               ? ask_of(caller, REQUEST_PREPARE, operation, count, "preparing", error)
               : 0;
}

int caller_clear(struct caller *caller, const struct mounted_operation *operation, size_t count,
                 struct error *error)
{
    return operation->clear
               ? ask_of(caller, REQUEST_CLEAR, operation, count, "clearing up after", error)
               : 0;
}

int caller_run(struct caller *caller, const struct mounted_operation *operation, size_t count,
               uint64_t *ticks, size_t *recorded, struct caller_errors *errors, struct error *error)
{
    const struct caller_request request = {
        .kind = REQUEST_RUN, .operation = operation, .count = count};
    struct caller_answer answer;
    int code = ask(caller, &request, &answer, error);

    *recorded = 0;
    if (code)
        return code;
    if (answer.code == -EINTR)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    memcpy(ticks, caller->shared->ticks, answer.recorded * sizeof *ticks);
    *recorded = answer.recorded;
    *errors = answer.errors;
    return 0;
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

static int end(struct caller *caller, struct error *error)
{
    const struct caller_request request = {.kind = REQUEST_END};
    struct caller_answer answer;
    struct error why;
    int code;

    if (caller->pid == 0 && !caller->scratch[0])
        return 0;
    code = ask(caller, &request, &answer, &why);
    if (code == 0 && answer.code)
        code = error_set(&why, ERROR_FAILED, answer.code, "%s", strerror(-answer.code));
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
    code = end(caller, error);
    if (caller->pid > 0)
        waitpid(caller->pid, NULL, 0);
    if (caller->socket >= 0)
        close(caller->socket);
    if (caller->shared)
        munmap(caller->shared, sizeof *caller->shared);
    free(caller);
    return code;
}
