#include "explain/trace.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace.skel.h"

struct trace {
    struct trace_bpf *programs;
    struct ring_buffer *ring;
    struct kernel_event *list;
    size_t count, capacity;
    uint64_t lost;        /* since it was last read: there was no memory to keep them */
    uint64_t lost_before; /* of the programs' count, what was told already */
};

/* The first thing that libbpf complains of while it loads: the cause, for the reason. */
static char complaint[160];

static int listen_to_libbpf(enum libbpf_print_level level, const char *format, va_list arguments)
{
    if (level == LIBBPF_WARN && !complaint[0])
        vsnprintf(complaint, sizeof complaint, format, arguments);
    complaint[strcspn(complaint, "\n")] = '\0';
    return 0;
}

/* Process numbers in the programs are the machine's, not a container's. */
static bool sees_machine_processes(void)
{
    static const char first[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO of the kernel */
    char name[64] = "";

    if (readlink("/proc/self/ns/pid", name, sizeof name - 1) < 0)
        return true; /* a kernel without namespaces */
    return strcmp(name, first) == 0;
}

static int check_process(const struct trace_request *request, struct error *error)
{
    if (request->server_process <= 0 || (kill(request->server_process, 0) != 0 && errno == ESRCH))
        return error_set(error, ERROR_FAILED, -ESRCH,
                         "no process %d, to look at what the server does, is on this machine",
                         (int)request->server_process);
    if (!sees_machine_processes())
        return error_set(error, ERROR_FAILED, -ENOTSUP,
                         "this container numbers its processes for itself, which eBPF programs "
                         "don't know of: run outside of it, or with the host's (docker run "
                         "--pid=host)");
    return 0;
}

/* Tracepoints come with the type of their function. */
static bool has_tracepoint(const struct btf *types, const char *name)
{
    char type[64];

    snprintf(type, sizeof type, "btf_trace_%s", name);
    return btf__find_by_name_kind(types, type, BTF_KIND_TYPEDEF) > 0;
}

static int check_kernel(struct error *error)
{
    static const char *const needed[] = {"sk_data_ready", "sock_recv_length", "sched_waking",
                                         "sched_switch",  "sys_enter",        "net_dev_start_xmit"};
    struct btf *types = NULL;
    int code = 0;

    if (access("/sys/kernel/btf/vmlinux", R_OK) == 0)
        types = btf__load_vmlinux_btf();
    if (!types)
        return error_set(error, ERROR_FAILED, -ENOTSUP,
                         "the kernel does not describe its types to eBPF programs "
                         "(/sys/kernel/btf/vmlinux can't be read): run one that is built with "
                         "CONFIG_DEBUG_INFO_BTF");
    for (size_t i = 0; i < sizeof needed / sizeof needed[0] && code == 0; i++)
        if (!has_tracepoint(types, needed[i]))
            code = error_set(error, ERROR_FAILED, -ENOTSUP,
                             "the kernel has no tracepoint %s: run Linux 6.3 or newer", needed[i]);
    btf__free(types);
    return code;
}

static int explain_load_failure(int code, struct error *error)
{
    if (code == -EPERM || code == -EACCES)
        return error_set(error, ERROR_FAILED, code,
                         "the kernel lets this process load no eBPF programs: run as root, or with "
                         "the capabilities CAP_BPF and CAP_PERFMON");
    return error_set(error, ERROR_FAILED, code, "the kernel refused the eBPF programs: %s%s%s",
                     strerror(-code), complaint[0] ? ": " : "", complaint);
}

static void set_filter(struct trace_bpf *programs, const struct trace_request *request)
{
    programs->rodata->client_thread = (uint32_t)request->client_thread;
    programs->rodata->server_process = (uint32_t)request->server_process;
    programs->rodata->client_port = request->client_port;
    programs->rodata->server_port = request->server_port;
    programs->rodata->protocol = request->is_tcp ? IPPROTO_TCP : IPPROTO_UDP;
}

/* More room, twice as much each time. */
static bool grow(struct trace *trace)
{
    size_t capacity = trace->capacity ? 2 * trace->capacity : 4096;
    struct kernel_event *list = realloc(trace->list, capacity * sizeof *list);

    if (!list)
        return false;
    trace->list = list;
    trace->capacity = capacity;
    return true;
}

static int keep(void *context, void *data, size_t size)
{
    struct trace *trace = context;

    if (trace->count == trace->capacity && !grow(trace))
        trace->lost++;
    else
        memcpy(&trace->list[trace->count++], data, sizeof *trace->list);
    return 0;
}

/* A negative errno where it fails. */
static int load(struct trace *trace, const struct trace_request *request)
{
    int code;

    trace->programs = trace_bpf__open();
    if (!trace->programs)
        return -errno;
    set_filter(trace->programs, request);
    code = trace_bpf__load(trace->programs);
    if (code == 0)
        code = trace_bpf__attach(trace->programs);
    if (code != 0)
        return code;
    trace->ring = ring_buffer__new(bpf_map__fd(trace->programs->maps.events), keep, trace, NULL);
    return trace->ring ? 0 : -errno;
}

int trace_open(struct trace **trace, const struct trace_request *request, struct error *error)
{
    libbpf_print_fn_t printed_before;
    int code;

    *trace = NULL;
    code = check_process(request, error);
    if (code != 0)
        return code;
    *trace = calloc(1, sizeof **trace);
    if (!*trace)
        return error_set(error, ERROR_FAILED, -ENOMEM, "there is no memory for eBPF's events");
    complaint[0] = '\0';
    printed_before = libbpf_set_print(listen_to_libbpf);
    code = check_kernel(error);
    if (code == 0) {
        code = load(*trace, request);
        if (code != 0)
            explain_load_failure(code, error);
    }
    libbpf_set_print(printed_before);
    if (code == 0)
        return 0;
    trace_close(*trace);
    *trace = NULL;
    return code;
}

void trace_enable(struct trace *trace, bool enabled)
{
    __atomic_store_n(&trace->programs->bss->enabled, enabled, __ATOMIC_SEQ_CST);
}

static int by_time(const void *a, const void *b)
{
    const struct kernel_event *x = a, *y = b;

    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

struct trace_events trace_read(struct trace *trace)
{
    uint64_t lost = __atomic_load_n(&trace->programs->bss->lost, __ATOMIC_RELAXED);
    struct trace_events events;

    trace->count = 0;
    ring_buffer__consume(trace->ring);
    if (trace->count > 0)
        qsort(trace->list, trace->count, sizeof *trace->list, by_time);
    events = (struct trace_events){.list = trace->list,
                                   .count = trace->count,
                                   .lost = trace->lost + lost - trace->lost_before};
    trace->lost = 0;
    trace->lost_before = lost;
    return events;
}

void trace_close(struct trace *trace)
{
    if (!trace)
        return;
    ring_buffer__free(trace->ring);
    trace_bpf__destroy(trace->programs);
    free(trace->list);
    free(trace);
}
