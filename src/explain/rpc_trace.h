/* What the kernel's RPC client and server do, as events (rpc_event.h), by eBPF. Nothing remains in
 * the kernel after rpc_trace_close(), or after the process has ended in any way. */
#pragma once

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

enum { RPC_ABSENT_SIZE = 400 };

struct rpc_trace;

/* Open one, disabled, with those tracepoints that the kernel has; ABSENT gets the names of the
 * others, with commas between. CALLER is the process whose system calls are recorded; it has one
 * thread. Returns 0; or a negative errno with TRACE NULL, and ERROR says what is missing and how to
 * get it. */
int rpc_trace_open(struct rpc_trace **trace, pid_t caller, char absent[RPC_ABSENT_SIZE],
                   struct error *error);

/* Begin to record, or end it. */
void rpc_trace_enable(struct rpc_trace *trace, bool enabled);

/* The events since the last call. Nothing should be recorded meanwhile. The list is valid until the
 * next call. */
struct rpc_trace_events rpc_trace_read(struct rpc_trace *trace);

/* Give everything back; NULL is allowed. */
void rpc_trace_close(struct rpc_trace *trace);
