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

#include "explain/bpf_load.h"
#include "explain/event_buffer.h"
#include "explain/process_numbers.h"
#include "explain/server_timestamps.h"
#include "trace.skel.h"

struct trace {
    struct trace_bpf *programs;
    bool is_tcp, load;
    struct event_buffer buffer;
};

static int check_process(const struct trace_request *request, struct error *error)
{
    if (request->server_process <= 0 || (kill(request->server_process, 0) != 0 && errno == ESRCH))
        return error_set(
            error, ERROR_FAILED, -ESRCH,
            "the server's process, %d, is not on this machine, so it can't be traced from here",
            (int)request->server_process);
    return process_numbers_check(error);
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

static void set_filter(struct trace_bpf *programs, const struct trace_request *request)
{
    programs->rodata->client_process = request->client_thread ? (uint32_t)getpid() : 0;
    programs->rodata->server_process = (uint32_t)request->server_process;
    programs->rodata->server_port = request->server_port;
    programs->rodata->load = request->load;
    programs->rodata->protocol = request->is_tcp ? IPPROTO_TCP : IPPROTO_UDP;
}

void trace_watch_port(struct trace *trace, uint16_t port)
{
    trace->programs->bss->client_ports[port / 8] |= (uint8_t)(1 << port % 8);
}

/* Returns 0 or a negative errno. */
static int load(struct trace *trace, const struct trace_request *request)
{
    enum { LOAD_TIMES = 4 /* its blocks are longer */ };
    int code;

    trace->is_tcp = request->is_tcp;
    trace->load = request->load;
    trace->programs = trace_bpf__open();
    if (!trace->programs)
        return -errno;
    set_filter(trace->programs, request);
    code = event_buffer_size(&trace->buffer, trace->programs->maps.events,
                             trace->programs->maps.counts, trace->load ? LOAD_TIMES : 1);
    if (code < 0)
        return code;
    trace->programs->rodata->room = (uint32_t)code;
    code = trace_bpf__load(trace->programs);
    if (code == 0 && request->client_port)
        trace_watch_port(trace, request->client_port);
    if (code == 0)
        code = trace_bpf__attach(trace->programs);
    return code ? code : event_buffer_share(&trace->buffer);
}

int trace_open(struct trace **trace, const struct trace_request *request, struct error *error)
{
    int code;

    *trace = NULL;
    code = check_process(request, error);
    if (code != 0)
        return code;
    *trace = calloc(1, sizeof **trace);
    if (!*trace)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for eBPF's events");
    bpf_load_begin();
    code = check_kernel(error);
    if (code == 0) {
        code = load(*trace, request);
        if (code != 0)
            bpf_load_failed(code, error);
    }
    bpf_load_end();
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

struct trace_events trace_read(struct trace *trace)
{
    struct trace_events events;
    struct kernel_event *list = event_buffer_read(&trace->buffer, &events.count, &events.lost);

    if (!trace->load)
        reply_name(list, events.count, trace->is_tcp);
    events.list = list;
    return events;
}

void trace_close(struct trace *trace)
{
    if (!trace)
        return;
    event_buffer_close(&trace->buffer);
    trace_bpf__destroy(trace->programs);
    free(trace);
}
