#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/bpf_load.h"
#include "explain/event_buffer.h"
#include "explain/process_numbers.h"
#include "explain/rpc_trace.h"
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

/* Without these there are no states. */
static bool is_needed(const char *tracepoint)
{
    static const char *const needed[] = {"rpc_task_begin", "rpc_task_run_action", "rpc_task_sleep",
                                         "rpc_task_wakeup", "rpc_task_end"};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (strcmp(tracepoint, needed[i]) == 0)
            return true;
    return false;
}

/* Where its module is not loaded there is no server, and nothing is missing of it. */
static bool is_of_absent_server(const char *tracepoint)
{
    return strncmp(tracepoint, "nfsd_", 5) == 0 && access("/sys/module/nfsd", F_OK) != 0;
}

static int note_absent(const char *tracepoint, char absent[RPC_ABSENT_SIZE], struct error *error)
{
    size_t used = strlen(absent);

    if (is_of_absent_server(tracepoint))
        return 0;
    if (is_needed(tracepoint))
        return error_set(error, ERROR_FAILED, -ENOTSUP,
                         "the kernel has no tracepoint %s: run Linux 5.6 or newer", tracepoint);
    snprintf(absent + used, RPC_ABSENT_SIZE - used, "%s%s", used ? ", " : "", tracepoint);
    return 0;
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
            code = note_absent(tracepoint_of(program), absent, error);
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

void rpc_trace_close(struct rpc_trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->link_count; i++)
        bpf_link__destroy(trace->links[i]);
    event_buffer_close(&trace->buffer);
    rpc_trace_bpf__destroy(trace->programs);
    free(trace);
}

int rpc_trace_open(struct rpc_trace **trace, pid_t caller, char absent[RPC_ABSENT_SIZE],
                   struct error *error)
{
    int code = process_numbers_check(error);

    *trace = NULL;
    absent[0] = '\0';
    if (code == 0)
        code = check_kernel(error);
    if (code)
        return code;
    *trace = calloc(1, sizeof **trace);
    if (!*trace)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for eBPF's events");
    bpf_load_begin();
    code = load(*trace, caller, absent, error);
    bpf_load_end();
    if (code) {
        rpc_trace_close(*trace);
        *trace = NULL;
    }
    return code;
}

void rpc_trace_enable(struct rpc_trace *trace, bool enabled)
{
    __atomic_store_n(&trace->programs->bss->enabled, enabled, __ATOMIC_SEQ_CST);
}

struct rpc_trace_events rpc_trace_read(struct rpc_trace *trace)
{
    struct rpc_trace_events events;

    events.list = event_buffer_read(&trace->buffer, &events.count, &events.lost);
    return events;
}
