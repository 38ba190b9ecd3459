/* The process that makes the calls. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/descriptors.h"
#include "mounted/caller_parts.h"

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

static int make_calls(const struct caller *caller, struct operation_objects *objects,
                      const struct caller_request *request, struct caller_answer *answer)
{
    const struct clock *clock = caller->options.clock;
    struct caller_shared *shared = caller->shared;

    for (size_t i = 0; i < request->count; i++) {
        uint64_t started;
        int code;

        if (atomic_load_explicit(&shared->stop, memory_order_relaxed))
            return -EINTR;
        if (request->operation->renew)
            request->operation->renew(objects, i);
        started = clock->start();
        code = request->operation->make(objects, i);
        shared->ticks[answer->recorded] = clock->stop() - started;
        if (code == 0 && objects->verify && request->operation->check)
            code = request->operation->check(objects, i);
        if (code == 0)
            answer->recorded++;
        else
            count_error(&answer->errors, -code);
        atomic_fetch_add_explicit(&shared->done, 1, memory_order_relaxed);
    }
    return 0;
}

static int for_all(const struct caller *caller, struct operation_objects *objects,
                   const struct caller_request *request,
                   int (*function)(struct operation_objects *objects, size_t number))
{
    int code = 0;

    for (size_t i = 0; function && i < request->count && code == 0; i++) {
        code = function(objects, i);
        atomic_fetch_add_explicit(&caller->shared->done, 1, memory_order_relaxed);
    }
    return code;
}

static int prepare_all(const struct caller *caller, struct operation_objects *objects,
                       const struct caller_request *request)
{
    const struct mounted_operation *operation = request->operation;
    int code = for_all(caller, objects, request, operation->prepare);

    return code || !operation->settle ? code : operation->settle(objects, request->count);
}

/* Whatever calls left, even some that failed: so one that is missing is no error. */
static int clear_all(const struct caller *caller, struct operation_objects *objects,
                     const struct caller_request *request)
{
    int first = 0;

    for (size_t i = 0; request->operation->clear && i < request->count; i++) {
        int code = request->operation->clear(objects, i);

        if (code && code != -ENOENT && first == 0)
            first = code;
        atomic_fetch_add_explicit(&caller->shared->done, 1, memory_order_relaxed);
    }
    return first;
}

static int obey(const struct caller *caller, struct operation_objects *objects,
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
        return make_calls(caller, objects, request, answer);
    case REQUEST_CLEAR:
        return clear_all(caller, objects, request);
    default:
        return 0;
    }
}

/* The kernel knows it, without asking the server. */
static void find_path(int fd, char *path, size_t size)
{
    char link[40];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
}

static int look(const struct operation_objects *objects, struct caller_file_system *file_system)
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

/* Ctrl-C is the parent's, which says when to end, or is gone: then its end of the socket is closed.
 */
_Noreturn void caller_serve(const struct caller *caller)
{
    static struct operation_objects objects;
    struct caller_request request = {.kind = REQUEST_END};
    struct caller_answer answer = {.code =
                                       operation_objects_open(&objects, caller->options.target)};
    char scratch[CALLER_NAME_SIZE] = "";

    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    descriptors_raise_limit(); /* files of a whole block may be open at once */
    objects.verify = caller->options.verify;
    if (answer.code == 0)
        answer.code = look(&objects, &answer.file_system);
    while (send_answer(caller, &answer) &&
           recv(caller->socket, &request, sizeof request, 0) == (ssize_t)sizeof request &&
           request.kind != REQUEST_END) {
        answer = (struct caller_answer){.recorded = 0};
        if (request.kind == REQUEST_SCRATCH)
            strcpy(scratch, request.name);
        answer.code = obey(caller, &objects, &request, &answer);
    }
    answer = (struct caller_answer){.code = operation_objects_remove(&objects, scratch)};
    send_answer(caller, &answer);
    _exit(0);
}
