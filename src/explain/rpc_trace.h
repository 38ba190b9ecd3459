/* What the kernel's RPC client does, by eBPF (see rpc_trace.bpf.c). Nothing remains in the kernel
 * after rpc_trace_close(), or after the process has ended in any way. */
#ifndef NFSBENCH_EXPLAIN_RPC_TRACE_H
#define NFSBENCH_EXPLAIN_RPC_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "explain/rpc_event.h"

struct rpc_trace_events {
    const struct rpc_event *list; /* sorted by time */
    size_t count;
    uint64_t lost; /* events that did not fit */
};

struct rpc_trace;

/* Load and attach the programs, disabled, to those of their tracepoints that the kernel has. CALLER
 * is the process whose system calls are recorded. Returns 0, or a negative errno; ERROR then says
 * what is missing and how to get it. */
int rpc_trace_open(struct rpc_trace **trace, pid_t caller, struct error *error);

/* The names of the tracepoints that the kernel has not, with commas between; NULL: it has all. */
const char *rpc_trace_absent(const struct rpc_trace *trace);

/* Enable or disable the programs. */
void rpc_trace_enable(struct rpc_trace *trace, bool enabled);

/* The events since the last call. The programs should be disabled. The list is valid until the next
 * call. */
struct rpc_trace_events rpc_trace_read(struct rpc_trace *trace);

/* Detach and free the programs; NULL is allowed. */
void rpc_trace_close(struct rpc_trace *trace);

#endif
