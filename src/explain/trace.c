#include "explain/trace.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "explain/server_timestamps.h"
#include "trace.skel.h"

struct trace {
    struct trace_bpf *programs;
    bool is_tcp, load;
    size_t cpus, room;                 /* capacity for events per processor */
    struct kernel_event *places;       /* shared with the programs: ROOM per processor */
    struct kernel_event_count *counts; /* shared with the programs: one per processor */
    struct kernel_event *list;         /* the events read */
    size_t capacity;
};

/* libbpf's first complaint while loading, which usually is the cause of an error. */
static char complaint[160];

__attribute__((format(printf, 2, 0))) static int
listen_to_libbpf(enum libbpf_print_level level, const char *format, va_list arguments)
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
        return error_set(
            error, ERROR_FAILED, -ESRCH,
            "the server's process, %d, is not on this machine, so it can't be traced from here",
            (int)request->server_process);
    if (!sees_machine_processes())
        return error_set(error, ERROR_FAILED, -ENOTSUP,
                         "this container has its own process numbers, which eBPF programs don't "
                         "know: run outside of it, or with the host's (docker run --pid=host)");
    return 0;
}

/* Each tracepoint has a type in the kernel's BTF. */
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
                         "can't read the kernel's types (/sys/kernel/btf/vmlinux): run a kernel "
                         "built with CONFIG_DEBUG_INFO_BTF");
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
                         "this process may not load eBPF programs: run as root, or with the "
                         "capabilities CAP_BPF and CAP_PERFMON");
    return error_set(error, ERROR_FAILED, code, "the kernel refused the eBPF programs: %s%s%s",
                     strerror(-code), complaint[0] ? ": " : "", complaint);
}

static void set_filter(struct trace_bpf *programs, const struct trace_request *request)
{
    programs->rodata->client_thread = (uint32_t)request->client_thread;
    programs->rodata->server_process = (uint32_t)request->server_process;
    programs->rodata->server_port = request->server_port;
    programs->rodata->load = request->load;
    programs->rodata->protocol = request->is_tcp ? IPPROTO_TCP : IPPROTO_UDP;
}

/* Map the memory of MAP, which is shared with the programs. NULL if that fails. */
static void *share(const struct bpf_map *map)
{
    size_t length = (size_t)bpf_map__max_entries(map) * bpf_map__value_size(map);
    void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(void *memory, const struct bpf_map *map)
{
    if (memory)
        munmap(memory, (size_t)bpf_map__max_entries(map) * bpf_map__value_size(map));
}

/* Allocate space for the events of some hundred calls on each processor, or some thousand if there
 * are few processors. */
static int make_room(struct trace *trace)
{
    enum { TOTAL = 1 << 19, LEAST = 1 << 13, MOST = 1 << 15, LOAD_TIMES = 4 };
    int cpus = libbpf_num_possible_cpus(), code;

    if (cpus < 0)
        return cpus;
    trace->cpus = (size_t)cpus;
    trace->room = TOTAL / trace->cpus;
    trace->room = trace->room < LEAST ? LEAST : trace->room > MOST ? MOST : trace->room;
    trace->room *= trace->load ? LOAD_TIMES : 1; /* its blocks are longer */
    trace->programs->rodata->room = (uint32_t)trace->room;
    code = bpf_map__set_max_entries(trace->programs->maps.events,
                                    (uint32_t)(trace->cpus * trace->room));
    return code ? code : bpf_map__set_max_entries(trace->programs->maps.counts, (uint32_t)cpus);
}

void trace_watch_port(struct trace *trace, uint16_t port)
{
    trace->programs->bss->client_ports[port / 8] |= (uint8_t)(1 << port % 8);
}

/* Returns 0 or a negative errno. */
static int load(struct trace *trace, const struct trace_request *request)
{
    int code;

    trace->is_tcp = request->is_tcp;
    trace->load = request->load;
    trace->programs = trace_bpf__open();
    if (!trace->programs)
        return -errno;
    set_filter(trace->programs, request);
    code = make_room(trace);
    if (code == 0)
        code = trace_bpf__load(trace->programs);
    if (code == 0 && request->client_port)
        trace_watch_port(trace, request->client_port);
    if (code == 0)
        code = trace_bpf__attach(trace->programs);
    if (code != 0)
        return code;
    trace->places = share(trace->programs->maps.events);
    trace->counts = share(trace->programs->maps.counts);
    return trace->places && trace->counts ? 0 : -ENOMEM;
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
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for eBPF's events");
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

static bool reserve(struct trace *trace, size_t count)
{
    struct kernel_event *list;

    if (count <= trace->capacity)
        return true;
    list = realloc(trace->list, count * sizeof *list);
    if (!list)
        return false;
    trace->list = list;
    trace->capacity = count;
    return true;
}

/* Take the events of a processor and reset its count. Events are lost if memory runs out. */
static void take(struct trace *trace, size_t cpu, struct trace_events *events)
{
    uint64_t written = __atomic_exchange_n(&trace->counts[cpu].events, 0, __ATOMIC_ACQUIRE);
    size_t count = written < trace->room ? written : trace->room;

    if (count == 0)
        return;
    if (!reserve(trace, events->count + count))
        count = 0;
    else
        memcpy(trace->list + events->count, trace->places + cpu * trace->room,
               count * sizeof *trace->list);
    events->count += count;
    events->lost += written - count;
}

struct trace_events trace_read(struct trace *trace)
{
    struct trace_events events = {0};

    for (size_t cpu = 0; cpu < trace->cpus; cpu++)
        take(trace, cpu, &events);
    if (events.count > 0)
        qsort(trace->list, events.count, sizeof *trace->list, by_time);
    if (!trace->load)
        reply_name(trace->list, events.count, trace->is_tcp);
    events.list = trace->list;
    return events;
}

void trace_close(struct trace *trace)
{
    if (!trace)
        return;
    if (trace->programs) {
        unmap(trace->places, trace->programs->maps.events);
        unmap(trace->counts, trace->programs->maps.counts);
    }
    trace_bpf__destroy(trace->programs);
    free(trace->list);
    free(trace);
}
