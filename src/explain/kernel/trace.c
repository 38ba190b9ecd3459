#include "explain/kernel/trace.h"

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

#include "common/append.h"
#include "common/memory.h"
#include "explain/kernel/reply_name.h"
#include "rpc_trace.skel.h"
#include "trace.skel.h"

enum { LINKS_MAXIMUM = 32 };

struct trace {
    /* The eBPF programs; one of the two pointers is NULL. */
    struct trace_bpf *connection;
    struct rpc_trace_bpf *rpcs;
    struct bpf_link *links[LINKS_MAXIMUM]; /* attached programs of RPCS */
    size_t link_count;
    bool *enabled; /* the programs' variable ENABLED, in shared memory */
    bool is_tcp, load;
    /* Memory that the programs write events into (event_buffer.bpf.h): */
    struct bpf_map *events, *counts;
    size_t cpus, room; /* CPUS: possible processors; ROOM: capacity for events per processor */
    size_t size;       /* bytes of an event */
    /* Events, and their number, of each processor: memory shared with the programs. */
    char *places;
    struct kernel_event_count *counted;
    char *list; /* events that trace_read() returned */
    size_t capacity;
};

/* What the kernel must have and allow */

/* The first warning that libbpf gave while loading, which is usually the cause of an error. */
static char libbpf_warning[160];

__attribute__((format(printf, 2, 0))) static int
listen_to_libbpf(enum libbpf_print_level level, const char *format, va_list arguments)
{
    if (level == LIBBPF_WARN && !libbpf_warning[0])
        vsnprintf(libbpf_warning, sizeof libbpf_warning, format, arguments);
    libbpf_warning[strcspn(libbpf_warning, "\n")] = '\0';
    return 0;
}

static int explain_refusal(int code, struct error *error)
{
    if (code == -EPERM || code == -EACCES)
        return error_set(
            error, ERROR_FAILED, code,
            "loading eBPF programs needs root, or the capabilities CAP_BPF and CAP_PERFMON");
    return error_set(error, ERROR_FAILED, code, "the kernel refused the eBPF programs: %s%s%s",
                     strerror(-code), libbpf_warning[0] ? ": " : "", libbpf_warning);
}

static int explain_no_types(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "/sys/kernel/btf/vmlinux, the kernel's types, can't be read; run a kernel "
                     "built with CONFIG_DEBUG_INFO_BTF");
}

static int check_types(struct error *error)
{
    return access("/sys/kernel/btf/vmlinux", R_OK) == 0 ? 0 : explain_no_types(error);
}

/* Check that RPCs can be traced: the module sunrpc, which has the tracepoints, must be loaded. */
static int check_rpcs(struct error *error)
{
    int code = check_types(error);

    if (code || access("/sys/module/sunrpc", F_OK) == 0)
        return code;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "the kernel module sunrpc is not loaded, so no kernel NFS server runs on this "
                     "machine; start it (rpc.nfsd), or run nfsbench on the server's machine");
}

/* Check that process numbers are the machine's, as in eBPF programs, and not a container's. */
static int check_process_numbers(struct error *error)
{
    static const char first[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO of the kernel */
    char name[64] = "";

    if (readlink("/proc/self/ns/pid", name, sizeof name - 1) < 0) /* a kernel without namespaces */
        return 0;
    if (strcmp(name, first) == 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this container has its own process IDs, which the kernel's tracing doesn't "
                     "know; run nfsbench outside of the container, or with the host's process IDs "
                     "(docker run --pid=host)");
}

static int check_process(const struct trace_request *request, struct error *error)
{
    if (request->server_process <= 0 || (kill(request->server_process, 0) != 0 && errno == ESRCH))
        return error_set(
            error, ERROR_FAILED, -ESRCH,
            "the server's process, %d, is not on this machine, so it can't be traced from here",
            (int)request->server_process);
    return check_process_numbers(error);
}

/* Return true if the kernel has the tracepoint NAME: its BTF then has a type for it. */
static bool has_tracepoint(const struct btf *types, const char *name)
{
    char type[64];

    snprintf(type, sizeof type, "btf_trace_%s", name);
    return btf__find_by_name_kind(types, type, BTF_KIND_TYPEDEF) > 0;
}

static int check_tracepoints(struct error *error)
{
    static const char *const needed[] = {"sk_data_ready", "sock_recv_length", "sched_waking",
                                         "sched_switch",  "sys_enter",        "net_dev_start_xmit"};
    struct btf *types;
    int code = check_types(error);

    if (code)
        return code;
    types = btf__load_vmlinux_btf();
    if (!types)
        return explain_no_types(error);
    for (size_t i = 0; i < sizeof needed / sizeof needed[0] && code == 0; i++)
        if (!has_tracepoint(types, needed[i]))
            code = error_set(error, ERROR_FAILED, -ENOTSUP,
                             "the kernel has no tracepoint %s: run Linux 6.3 or newer", needed[i]);
    btf__free(types);
    return code;
}

/* Memory of events */

/* A trace under load and a trace of RPCs have this many times the usual capacity for events. Under
 * load, blocks are longer; RPCs are recorded from all processes. */
enum { LOAD_TIMES = 4 };

/* Return the capacity for events per processor: TIMES the usual capacity, which is enough for some
 * hundred calls, or for some thousand if there are few processors. */
static size_t choose_room(size_t cpus, size_t times)
{
    enum { TOTAL = 1 << 19, LEAST = 1 << 13, MOST = 1 << 15 };
    size_t room = TOTAL / cpus;

    return times * (room < LEAST ? LEAST : room > MOST ? MOST : room);
}

/* Size the maps EVENTS and COUNTS for TIMES the usual capacity, and set *ROOM, the programs'
 * variable, to the resulting capacity per processor. Returns 0 or a negative errno. */
static int size_memory(struct trace *trace, size_t times, uint32_t *room)
{
    int cpus = libbpf_num_possible_cpus(), code;

    if (cpus < 0)
        return cpus;
    trace->size = bpf_map__value_size(trace->events);
    trace->cpus = (size_t)cpus;
    trace->room = choose_room(trace->cpus, times);
    *room = (uint32_t)trace->room;
    code = bpf_map__set_max_entries(trace->events, (uint32_t)(trace->cpus * trace->room));
    return code ? code : bpf_map__set_max_entries(trace->counts, (uint32_t)cpus);
}

static size_t length_of(const struct bpf_map *map)
{
    return (size_t)bpf_map__max_entries(map) * bpf_map__value_size(map);
}

/* Map the memory of MAP, shared with the programs. Returns NULL on failure. */
static void *map_shared(const struct bpf_map *map)
{
    void *memory =
        mmap(NULL, length_of(map), PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Load the eBPF programs of the opened SKELETON with TIMES the usual capacity for events, and set
 * *ROOM, the programs' variable, to the capacity. Map the eBPF maps EVENTS and COUNTS into memory.
 * Returns 0 or a negative errno. */
static int load_programs(struct trace *trace, struct bpf_object_skeleton *skeleton,
                         struct bpf_map *events, struct bpf_map *counts, size_t times,
                         uint32_t *room)
{
    int code;

    trace->events = events;
    trace->counts = counts;
    code = size_memory(trace, times, room);
    if (code == 0)
        code = bpf_object__load_skeleton(skeleton);
    if (code)
        return code;
    trace->places = map_shared(events);
    trace->counted = map_shared(counts);
    return trace->places && trace->counted ? 0 : -ENOMEM;
}

static void free_memory(struct trace *trace)
{
    if (trace->places)
        munmap(trace->places, length_of(trace->events));
    if (trace->counted)
        munmap(trace->counted, length_of(trace->counts));
    free(trace->list);
}

void trace_watch_port(struct trace *trace, uint16_t port)
{
    trace->connection->bss->client_ports[port / 8] |= (uint8_t)(1 << port % 8);
}

/* Open, load and attach the programs for connections. Returns 0 or a negative errno. */
static int load_connection(struct trace *trace, const struct trace_request *request)
{
    struct trace_bpf *programs = trace->connection = trace_bpf__open();
    int code;

    if (!programs)
        return -errno;
    trace->is_tcp = request->is_tcp;
    trace->load = request->load;
    programs->rodata->client_process = request->client_thread ? (uint32_t)getpid() : 0;
    programs->rodata->server_process = (uint32_t)request->server_process;
    programs->rodata->server_port = request->server_port;
    programs->rodata->load = request->load;
    programs->rodata->protocol = request->is_tcp ? IPPROTO_TCP : IPPROTO_UDP;
    code = load_programs(trace, programs->skeleton, programs->maps.events, programs->maps.counts,
                         request->load ? LOAD_TIMES : 1, &programs->rodata->room);
    trace->enabled = &programs->bss->enabled;
    return code ? code : trace_bpf__attach(programs);
}

static int load_rpcs(struct trace *trace, pid_t caller)
{
    struct rpc_trace_bpf *programs = trace->rpcs = rpc_trace_bpf__open();
    int code;

    if (!programs)
        return -errno;
    programs->rodata->caller = (uint32_t)caller;
    code = load_programs(trace, programs->skeleton, programs->maps.events, programs->maps.counts,
                         LOAD_TIMES, &programs->rodata->room);
    trace->enabled = &programs->bss->enabled;
    return code;
}

/* Return the tracepoint of PROGRAM, whose section is "raw_tp/NAME". */
static const char *tracepoint_of(const struct bpf_program *program)
{
    return strchr(bpf_program__section_name(program), '/') + 1;
}

/* Return true if no states can be found without TRACEPOINT. */
static bool is_needed(const char *tracepoint)
{
    static const char *const needed[] = {"rpc_task_begin", "rpc_task_run_action", "rpc_task_sleep",
                                         "rpc_task_wakeup", "rpc_task_end"};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (strcmp(tracepoint, needed[i]) == 0)
            return true;
    return false;
}

/* Return true if TRACEPOINT belongs to nfsd, the kernel's server, and nfsd is not loaded. The
 * tracepoint then does not count as missing. */
static bool is_of_absent_server(const char *tracepoint)
{
    return strncmp(tracepoint, "nfsd_", 5) == 0 && access("/sys/module/nfsd", F_OK) != 0;
}

static int note_absent(const char *tracepoint, char absent[TRACE_ABSENT_SIZE], struct error *error)
{
    if (is_of_absent_server(tracepoint))
        return 0;
    if (is_needed(tracepoint))
        return error_set(error, ERROR_FAILED, -ENOTSUP,
                         "the kernel has no tracepoint %s: run Linux 5.6 or newer", tracepoint);
    append_item(absent, TRACE_ABSENT_SIZE, "%s", tracepoint);
    return 0;
}

static int attach_rpcs(struct trace *trace, char absent[TRACE_ABSENT_SIZE], struct error *error)
{
    struct bpf_program *program;
    int code = 0;

    bpf_object__for_each_program(program, trace->rpcs->obj)
    {
        struct bpf_link *link =
            trace->link_count < LINKS_MAXIMUM ? bpf_program__attach(program) : NULL;

        if (link)
            trace->links[trace->link_count++] = link;
        else if (errno == ENOENT)
            code = note_absent(tracepoint_of(program), absent, error);
        else
            code = explain_refusal(-errno, error);
        if (code)
            return code;
    }
    return 0;
}

/* Open a trace of the connections in REQUEST. If REQUEST is NULL, trace RPCs and CALLER's system
 * calls, and add the names of missing tracepoints to ABSENT (trace_open_rpcs()). */
static int open_either(struct trace **trace, const struct trace_request *request, pid_t caller,
                       char absent[TRACE_ABSENT_SIZE], struct error *error)
{
    libbpf_print_fn_t printed_before;
    int code;

    *trace = calloc(1, sizeof **trace);
    if (!*trace)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for eBPF's events");
    libbpf_warning[0] = '\0';
    printed_before = libbpf_set_print(listen_to_libbpf);
    code = request ? check_tracepoints(error) : check_rpcs(error);
    if (code == 0) {
        code = request ? load_connection(*trace, request) : load_rpcs(*trace, caller);
        if (code)
            explain_refusal(code, error);
        else if (!request)
            code = attach_rpcs(*trace, absent, error);
    }
    libbpf_set_print(printed_before);
    if (code) {
        trace_close(*trace);
        *trace = NULL;
    }
    return code;
}

int trace_open(struct trace **trace, const struct trace_request *request, struct error *error)
{
    int code = check_process(request, error);

    *trace = NULL;
    return code ? code : open_either(trace, request, 0, NULL, error);
}

int trace_open_rpcs(struct trace **trace, pid_t caller, char absent[TRACE_ABSENT_SIZE],
                    struct error *error)
{
    int code = check_process_numbers(error);

    *trace = NULL;
    absent[0] = '\0';
    return code ? code : open_either(trace, NULL, caller, absent, error);
}

void trace_enable(struct trace *trace, bool enabled)
{
    __atomic_store_n(trace->enabled, enabled, __ATOMIC_SEQ_CST);
}

/* Order events by time, their first member. */
static int by_time(const void *a, const void *b)
{
    uint64_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Take the events of processor CPU, and reset its count. Events that did not fit, or for which
 * there is no memory, count as lost. */
static void take_cpu_events(struct trace *trace, size_t cpu, struct trace_events *events)
{
    uint64_t written = __atomic_exchange_n(&trace->counted[cpu].events, 0, __ATOMIC_ACQUIRE);
    size_t found = written < trace->room ? written : trace->room;

    if (found == 0)
        return;
    if (array_reserve(&trace->list, &trace->capacity, events->count + found, trace->size) != 0)
        found = 0;
    else
        memcpy(trace->list + events->count * trace->size,
               trace->places + cpu * trace->room * trace->size, found * trace->size);
    events->count += found;
    events->lost += written - found;
}

struct trace_events trace_read(struct trace *trace)
{
    struct trace_events events = {.count = 0};

    for (size_t cpu = 0; cpu < trace->cpus; cpu++)
        take_cpu_events(trace, cpu, &events);
    events.list = trace->list;
    if (events.count > 0)
        qsort(trace->list, events.count, trace->size, by_time);
    if (trace->connection && !trace->load)
        reply_name((struct kernel_event *)(void *)trace->list, events.count, trace->is_tcp);
    return events;
}

void trace_close(struct trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->link_count; i++)
        bpf_link__destroy(trace->links[i]);
    free_memory(trace);
    trace_bpf__destroy(trace->connection);
    rpc_trace_bpf__destroy(trace->rpcs);
    free(trace);
}
