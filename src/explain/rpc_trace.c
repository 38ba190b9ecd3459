#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/bpf_load.h"
#include "explain/event_buffer.h"
#include "explain/rpc_source.h"
#include "rpc_trace.skel.h"

enum { LINKS_MAXIMUM = 32 };

struct rpc_trace {
    struct rpc_trace_bpf *programs;
    struct event_buffer buffer;
    struct bpf_link *links[LINKS_MAXIMUM];
    size_t link_count;
};

/* The tracepoint of a program: "raw_tp/NAME". */
static const char *tracepoint_of(const struct bpf_program *program)
{
    return strchr(bpf_program__section_name(program), '/') + 1;
}

static int attach(struct rpc_trace *trace, char absent[RPC_ABSENT_SIZE], struct error *error)
{
    struct bpf_program *program;
    int code = 0;

    bpf_object__for_each_program(program, trace->programs->obj)
    {
        struct bpf_link *link =
            trace->link_count < LINKS_MAXIMUM ? bpf_program__attach(program) : NULL;

        if (link)
            trace->links[trace->link_count++] = link;
        else if (errno == ENOENT)
            code = rpc_source_note_absent(tracepoint_of(program), absent, error);
        else
            code = bpf_load_failed(-errno, error);
        if (code)
            return code;
    }
    return 0;
}

static int load(struct rpc_trace *trace, pid_t caller, char absent[RPC_ABSENT_SIZE],
                struct error *error)
{
    int code;

    trace->programs = rpc_trace_bpf__open();
    if (!trace->programs)
        return bpf_load_failed(-errno, error);
    trace->programs->rodata->caller = (uint32_t)caller;
    code = event_buffer_size(&trace->buffer, trace->programs->maps.events,
                             trace->programs->maps.counts, 1);
    if (code < 0)
        return bpf_load_failed(code, error);
    trace->programs->rodata->room = (uint32_t)code;
    code = rpc_trace_bpf__load(trace->programs);
    if (code == 0)
        code = event_buffer_share(&trace->buffer);
    return code ? bpf_load_failed(code, error) : attach(trace, absent, error);
}

static int check_kernel(struct error *error)
{
    if (access("/sys/kernel/btf/vmlinux", R_OK) == 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "can't read the kernel's types (/sys/kernel/btf/vmlinux): run a kernel "
                     "built with CONFIG_DEBUG_INFO_BTF");
}

static void close_trace(void *context)
{
    struct rpc_trace *trace = context;

    for (size_t i = 0; i < trace->link_count; i++)
        bpf_link__destroy(trace->links[i]);
    event_buffer_close(&trace->buffer);
    rpc_trace_bpf__destroy(trace->programs);
    free(trace);
}

static int open_trace(void **context, pid_t caller, char absent[RPC_ABSENT_SIZE],
                      struct error *error)
{
    struct rpc_trace *trace;
    int code = check_kernel(error);

    if (code)
        return code;
    trace = calloc(1, sizeof *trace);
    if (!trace)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for eBPF's events");
    bpf_load_begin();
    code = load(trace, caller, absent, error);
    bpf_load_end();
    if (code)
        close_trace(trace);
    *context = code ? NULL : trace;
    return code;
}

static void enable(void *context, bool enabled)
{
    struct rpc_trace *trace = context;

    __atomic_store_n(&trace->programs->bss->enabled, enabled, __ATOMIC_SEQ_CST);
}

static struct rpc_source_events read_events(void *context)
{
    struct rpc_trace *trace = context;
    struct rpc_source_events events;

    events.list = event_buffer_read(&trace->buffer, &events.count, &events.lost);
    return events;
}

const struct rpc_source_type rpc_source_ebpf = {
    .name = "eBPF",
    .open = open_trace,
    .enable = enable,
    .read = read_events,
    .close = close_trace,
};
