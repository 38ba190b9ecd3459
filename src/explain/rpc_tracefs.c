/* The events of RPCs from tracefs: a buffer of this process's own (an instance), in which the
 * tracepoints are enabled, and from which the records of each processor are read as they are in
 * memory. Its text has no time below a microsecond. Another process removes the instance when this
 * one has ended in any way. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "explain/rpc_records.h"
#include "explain/rpc_source.h"
#include "local/files.h"

enum { PATH_SIZE = 160, TEXT_SIZE = 1 << 14, PAGE_MAXIMUM = 1 << 20 };

struct tracefs {
    char instance[PATH_SIZE];
    struct local_guard guard;
    struct rpc_record_format formats[RPC_TRACEPOINTS];
    struct trace_page_format page_format;
    char *page;
    size_t page_size;
    int *buffers; /* of each processor; -1: it has none */
    size_t buffer_count;
    struct rpc_event *list; /* the events read */
    size_t count, capacity;
    uint64_t lost, lost_before; /* since the last reading; until then */
};

/* Files */

/* The beginning of the file NAME of the instance; false if it can't be read. */
static bool read_file(const struct tracefs *tracefs, const char *name, char text[TEXT_SIZE])
{
    char path[2 * PATH_SIZE];
    ssize_t length;
    int fd;

    snprintf(path, sizeof path, "%s/%s", tracefs->instance, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    length = fd < 0 ? -1 : read(fd, text, TEXT_SIZE - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static int write_file(const struct tracefs *tracefs, const char *name, const char *text)
{
    char path[2 * PATH_SIZE];
    int fd, code = 0;

    snprintf(path, sizeof path, "%s/%s", tracefs->instance, name);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        code = -errno;
    if (fd >= 0)
        close(fd);
    return code;
}

static int must_write(const struct tracefs *tracefs, const char *name, const char *text,
                      struct error *error)
{
    int code = write_file(tracefs, name, text);

    return code ? error_set(error, ERROR_FAILED, code, "can't write '%s' to %s/%s: %s", text,
                            tracefs->instance, name, strerror(-code))
                : 0;
}

/* The instance */

/* The files of a process that is killed are closed one after the other, and until all are, which
 * takes seconds on a busy machine, the instance is in use. */
static void remove_instance(void *context, uint64_t what)
{
    const struct tracefs *tracefs = context;
    const struct timespec pause = {.tv_nsec = 10000000};

    for (int i = 0; i < 1000 && rmdir(tracefs->instance) != 0 && errno == EBUSY; i++)
        nanosleep(&pause, NULL);
}

static const char *find_tracefs(void)
{
    static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

    return access("/sys/kernel/tracing/instances", F_OK) != 0 &&
                   access("/sys/kernel/debug/tracing/instances", F_OK) == 0
               ? places[1]
               : places[0];
}

/* One of this name can only be what a killed process left that had the same number. The guard is
 * armed before there is one: mkdir() takes a while, and whoever is killed meanwhile leaves it. */
static int make_instance(struct tracefs *tracefs, struct error *error)
{
    int code;

    snprintf(tracefs->instance, sizeof tracefs->instance, "%s/instances/nfsbench-%d",
             find_tracefs(), (int)getpid());
    code = local_guard_start(&tracefs->guard, remove_instance, tracefs);
    if (code == 0)
        code = local_guard_arm(&tracefs->guard, 0);
    if (code)
        return error_set(error, ERROR_FAILED, code, "can't start a process: %s", strerror(-code));
    rmdir(tracefs->instance);
    if (mkdir(tracefs->instance, 0700) == 0)
        return 0;
    code = -errno;
    return error_set(error, ERROR_FAILED, code,
                     "can't make %s: %s: run as root, with tracefs mounted (mount -t tracefs "
                     "nodev /sys/kernel/tracing)",
                     tracefs->instance, strerror(-code));
}

/* Tracepoints */

static int enable_tracepoint(struct tracefs *tracefs, size_t index, pid_t caller)
{
    const struct rpc_tracepoint *tracepoint = &rpc_tracepoints[index];
    char name[PATH_SIZE], text[TEXT_SIZE];
    int code = 0;

    snprintf(name, sizeof name, "events/%s/%s/format", tracepoint->system, tracepoint->name);
    if (!read_file(tracefs, name, text))
        return -ENOENT;
    code = rpc_record_format(&tracefs->formats[index], tracepoint, text);
    if (code == 0 && tracepoint->filter) {
        snprintf(name, sizeof name, "events/%s/%s/filter", tracepoint->system, tracepoint->name);
        snprintf(text, sizeof text, "%s == %d", tracepoint->filter, (int)caller);
        code = write_file(tracefs, name, text);
    }
    if (code)
        return code;
    snprintf(name, sizeof name, "events/%s/%s/enable", tracepoint->system, tracepoint->name);
    return write_file(tracefs, name, "1");
}

/* A tracepoint whose records are not understood is as good as none. */
static int enable_tracepoints(struct tracefs *tracefs, pid_t caller, char absent[RPC_ABSENT_SIZE],
                              struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < RPC_TRACEPOINTS && code == 0; i++)
        if (enable_tracepoint(tracefs, i, caller) != 0)
            code = rpc_source_note_absent(rpc_tracepoints[i].name, absent, error);
    return code;
}

/* Buffers */

/* Memory for the records of some thousand calls on each processor, if there are few. */
static void choose_size(size_t cpus, char text[32])
{
    enum { TOTAL_KIB = 1 << 17, LEAST = 1 << 10, MOST = 1 << 14 };
    size_t size = TOTAL_KIB / cpus;

    snprintf(text, 32, "%zu", size < LEAST ? (size_t)LEAST : size > MOST ? (size_t)MOST : size);
}

static int open_buffers(struct tracefs *tracefs, struct error *error)
{
    char path[2 * PATH_SIZE];

    tracefs->buffers = malloc(tracefs->buffer_count * sizeof *tracefs->buffers);
    tracefs->page = malloc(tracefs->page_size);
    if (!tracefs->buffers || !tracefs->page)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for tracefs's records");
    for (size_t i = 0; i < tracefs->buffer_count; i++) {
        snprintf(path, sizeof path, "%s/per_cpu/cpu%zu/trace_pipe_raw", tracefs->instance, i);
        tracefs->buffers[i] = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }
    return 0;
}

static int prepare_buffers(struct tracefs *tracefs, struct error *error)
{
    char text[TEXT_SIZE], size[32];
    const struct trace_field *data = &tracefs->page_format.data;
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    int code = -EBADMSG;

    if (read_file(tracefs, "../../events/header_page", text))
        code = trace_page_format(text, &tracefs->page_format);
    tracefs->page_size = data->offset + data->size;
    if (code || tracefs->page_size > PAGE_MAXIMUM)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "events/header_page of tracefs isn't understood");
    tracefs->buffer_count = cpus > 0 ? (size_t)cpus : 1;
    choose_size(tracefs->buffer_count, size);
    code = must_write(tracefs, "buffer_size_kb", size, error);
    return code ? code : open_buffers(tracefs, error);
}

/* Opening */

static void close_tracefs(void *context)
{
    struct tracefs *tracefs = context;

    for (size_t i = 0; tracefs->buffers && i < tracefs->buffer_count; i++)
        if (tracefs->buffers[i] >= 0)
            close(tracefs->buffers[i]);
    local_guard_end(&tracefs->guard);
    free(tracefs->buffers);
    free(tracefs->page);
    free(tracefs->list);
    free(tracefs);
}

static int open_all(struct tracefs *tracefs, pid_t caller, char absent[RPC_ABSENT_SIZE],
                    struct error *error)
{
    int code = make_instance(tracefs, error);

    if (code == 0)
        code = must_write(tracefs, "tracing_on", "0", error);
    if (code == 0)
        code = must_write(tracefs, "trace_clock", "mono", error);
    if (code == 0)
        code = prepare_buffers(tracefs, error);
    return code ? code : enable_tracepoints(tracefs, caller, absent, error);
}

static int open_tracefs(void **context, pid_t caller, char absent[RPC_ABSENT_SIZE],
                        struct error *error)
{
    struct tracefs *tracefs = calloc(1, sizeof *tracefs);
    int code;

    if (!tracefs)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for tracefs");
    code = open_all(tracefs, caller, absent, error);
    if (code)
        close_tracefs(tracefs);
    *context = code ? NULL : tracefs;
    return code;
}

static void enable(void *context, bool enabled)
{
    write_file(context, "tracing_on", enabled ? "1" : "0");
}

/* Reading */

static bool reserve(struct tracefs *tracefs)
{
    size_t capacity = tracefs->capacity ? 2 * tracefs->capacity : 1024;
    struct rpc_event *list;

    if (tracefs->count < tracefs->capacity)
        return true;
    list = realloc(tracefs->list, capacity * sizeof *list);
    if (!list)
        return false;
    tracefs->list = list;
    tracefs->capacity = capacity;
    return true;
}

static void take(void *context, uint64_t at_ns, const void *record, size_t length)
{
    struct tracefs *tracefs = context;

    if (!reserve(tracefs))
        tracefs->lost++;
    else if (rpc_record_read(tracefs->formats, at_ns, record, length,
                             &tracefs->list[tracefs->count]))
        tracefs->count++;
}

/* A page that isn't understood to its end has lost at least one record. */
static void read_buffer(struct tracefs *tracefs, int fd)
{
    ssize_t length;

    while (fd >= 0 && (length = read(fd, tracefs->page, tracefs->page_size)) > 0)
        if (trace_page_read(&tracefs->page_format, tracefs->page, (size_t)length, take, tracefs) !=
            0)
            tracefs->lost++;
}

/* What the kernel has counted since the instance was made, of a processor. */
static uint64_t count_lost(const struct tracefs *tracefs, size_t cpu)
{
    static const char *const counters[] = {
        "\noverrun: ", "\ncommit overrun: ", "\ndropped events: "};
    char name[PATH_SIZE], text[TEXT_SIZE];
    uint64_t sum = 0;

    snprintf(name, sizeof name, "per_cpu/cpu%zu/stats", cpu);
    if (!read_file(tracefs, name, text))
        return 0;
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        const char *line = strstr(text, counters[i]);

        sum += line ? strtoull(line + strlen(counters[i]), NULL, 10) : 0;
    }
    return sum;
}

static struct rpc_source_events read_events(void *context)
{
    struct tracefs *tracefs = context;
    uint64_t lost = 0;

    tracefs->count = 0;
    tracefs->lost = 0;
    for (size_t i = 0; i < tracefs->buffer_count; i++) {
        read_buffer(tracefs, tracefs->buffers[i]);
        lost += count_lost(tracefs, i);
    }
    tracefs->lost += lost - tracefs->lost_before;
    tracefs->lost_before = lost;
    rpc_records_complete(tracefs->list, tracefs->count);
    return (struct rpc_source_events){
        .list = tracefs->list, .count = tracefs->count, .lost = tracefs->lost};
}

const struct rpc_source_type rpc_source_tracefs = {
    .name = "tracefs",
    .lacks = "which has the kernel's lifetimes in whole microseconds only, and does not "
             "distinguish transports to the same server",
    .open = open_tracefs,
    .enable = enable,
    .read = read_events,
    .close = close_tracefs,
};
