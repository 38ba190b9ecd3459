/* What the kernel's RPC client and server do, as events (rpc_event.h). There are two ways to have
 * them, eBPF (rpc_trace.c) and tracefs (rpc_tracefs.c). Nothing remains in the kernel after
 * rpc_source_close(), or after the process has ended in any way. */
#ifndef NFSBENCH_EXPLAIN_RPC_SOURCE_H
#define NFSBENCH_EXPLAIN_RPC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "explain/rpc_event.h"

struct rpc_source_events {
    const struct rpc_event *list; /* sorted by time */
    size_t count;
    uint64_t lost; /* events that did not fit */
};

enum { RPC_ABSENT_SIZE = 400 };

/* Of each way what the functions below do. */
struct rpc_source_type {
    const char *name;  /* "eBPF" */
    const char *lacks; /* ", which ...": what is less exact than by eBPF; NULL: nothing */
    /* Sets TRACE, which the others get; NULL after an error. */
    int (*open)(void **trace, pid_t caller, char absent[RPC_ABSENT_SIZE], struct error *error);
    void (*enable)(void *trace, bool enabled);
    struct rpc_source_events (*read)(void *trace);
    void (*close)(void *trace);
};

extern const struct rpc_source_type rpc_source_ebpf, rpc_source_tracefs;

struct rpc_source {
    const struct rpc_source_type *type; /* NULL: it is not open */
    void *trace;
    struct error without_ebpf;    /* why it is not eBPF */
    char absent[RPC_ABSENT_SIZE]; /* the tracepoints that the kernel has not, with commas between */
};

/* Open the first way that works, disabled, with those tracepoints that the kernel has. CALLER is
 * the process whose system calls are recorded; it has one thread. Returns 0, or a negative errno;
 * ERROR then says what is missing and how to get it. */
int rpc_source_open(struct rpc_source *source, pid_t caller, struct error *error);

/* Begin to record, or end it. */
void rpc_source_enable(struct rpc_source *source, bool enabled);

/* The events since the last call. Nothing should be recorded meanwhile. The list is valid until the
 * next call. */
struct rpc_source_events rpc_source_read(struct rpc_source *source);

/* Give everything back; one that is not open is allowed. */
void rpc_source_close(struct rpc_source *source);

/* For those who open one: note in ABSENT that the kernel has no TRACEPOINT. Returns 0, or if there
 * are no states without it, -ENOTSUP with ERROR set. */
int rpc_source_note_absent(const char *tracepoint, char absent[RPC_ABSENT_SIZE],
                           struct error *error);

#endif
