/* The server's side of a call: what the kernel does for the connection and for the threads at both
 * ends, by eBPF (see trace.bpf.c). The server is on this machine; the client may be on another.
 * Nothing stays in the kernel when it is closed, or when the process ends in whatever way. */
#ifndef NFSBENCH_EXPLAIN_TRACE_H
#define NFSBENCH_EXPLAIN_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "explain/kernel_event.h"

struct trace_request {
    pid_t client_thread;  /* gettid() of the thread that calls; 0: it is on another machine */
    pid_t server_process; /* any of its threads may answer */
    uint16_t client_port, server_port;
    bool is_tcp;
};

struct trace_events {
    const struct kernel_event *list; /* by time */
    size_t count;
    uint64_t lost; /* that there was no room for */
};

struct trace;

/* Load the programs and attach them, switched off. 0, or a negative errno and in ERROR what is
 * missing and how to get it. */
int trace_open(struct trace **trace, const struct trace_request *request, struct error *error);

/* Switch them on, or off again. */
void trace_enable(struct trace *trace, bool enabled);

/* What happened since it was last asked. The programs must be still: an event that is being
 * reported may be lost. The list lasts until the next call. */
struct trace_events trace_read(struct trace *trace);

/* Detach and free; NULL is allowed. */
void trace_close(struct trace *trace);

#endif
