/* The kernel's events, by eBPF: of connections and the threads at both ends (trace.bpf.c), or of
 * the kernel's RPCs (rpc_trace.bpf.c). Nothing remains in the kernel after trace_close() or after
 * the process has ended in any way. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "explain/kernel/kernel_event.h"

/* The connections to trace. Their server is on this machine; the client may be on another. */
struct trace_request {
    /* The thread that makes the calls, if they are made one at a time; else any thread. It belongs
     * to the calling process, all of whose threads are watched. 0: client on another machine. */
    pid_t client_thread;
    pid_t server_process; /* any thread of this process may answer */
    uint16_t server_port;
    bool is_tcp;
    bool load; /* true: many calls are in flight; events of send() then have no xid */
};

struct trace_events {
    const void *list; /* struct kernel_event or struct rpc_event, sorted by time */
    size_t count;
    uint64_t lost; /* number of events for which there was no space or no memory */
};

struct trace;

/* Load and attach the programs for connections, disabled. Connections are added by
 * trace_watch_port(). Returns 0, or a negative errno with *TRACE NULL. ERROR then says what is
 * missing and how to get it. */
int trace_open(struct trace **trace, const struct trace_request *request, struct error *error);

/* Watch also the connection from the client's PORT. TRACE is from trace_open(). */
void trace_watch_port(struct trace *trace, uint16_t port);

enum { TRACE_ABSENT_SIZE = 400 };

/* Load and attach the programs for the kernel's RPC client and server, disabled. ABSENT gets the
 * names, separated by commas, of the missing tracepoints that are not needed to find states;
 * tracepoints of nfsd are omitted if nfsd is not loaded. The system calls of the process CALLER,
 * which has one thread, are recorded; -1: none. Errors are those of trace_open(). */
int trace_open_rpcs(struct trace **trace, pid_t caller, char absent[TRACE_ABSENT_SIZE],
                    struct error *error);

void trace_enable(struct trace *trace, bool enabled);

/* Return the events since the last call of trace_read(). Disable the programs before, because an
 * event that is being added may be lost. The list is valid until the next call. */
struct trace_events trace_read(struct trace *trace);

/* Detach and free the programs. TRACE may be NULL. */
void trace_close(struct trace *trace);

/* Built without eBPF (see CMakeLists.txt), the program can't open a trace. */
#ifndef NFSBENCH_BPF
#define trace_open(trace, request, error)                                                          \
    ((void)(request), *(trace) = NULL,                                                             \
     error_set(error, ERROR_FAILED, -ENOTSUP,                                                      \
               "this nfsbench was built without libbpf, clang or bpftool: "                        \
               "install libbpf-dev, clang and bpftool and build again"))
#define trace_open_rpcs(trace, caller, absent, error) trace_open(trace, caller, error)
#define trace_watch_port(trace, port)                 ((void)(port))
#define trace_enable(trace, enabled)                  ((void)(trace))
#define trace_read(trace)                             ((void)(trace), (struct trace_events){.list = NULL})
#define trace_close(trace)                            ((void)(trace))
#endif
