/* The server's side of a call by eBPF: what the kernel does for the connection and for the threads
 * at both ends (see trace.bpf.c). The server is on this machine; the client may be on another.
 * Nothing remains in the kernel after trace_close(), or after the process has ended in any way. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "explain/kernel_event.h"

struct trace_request {
    pid_t client_thread;  /* of the calling process, whose others are watched, too; 0: it is
                             on another machine */
    pid_t server_process; /* any of its threads may answer */
    uint16_t client_port; /* 0: those of trace_watch_port() */
    uint16_t server_port;
    bool is_tcp;
    bool load; /* many calls are in flight: sends are not named by xids */
};

struct trace_events {
    const struct kernel_event *list; /* sorted by time */
    size_t count;
    uint64_t lost; /* events that did not fit */
};

struct trace;

/* Load and attach the programs, disabled. Returns 0, or a negative errno; ERROR then says what is
 * missing and how to get it. */
int trace_open(struct trace **trace, const struct trace_request *request, struct error *error);

/* Watch the connection from the client's PORT, too. */
void trace_watch_port(struct trace *trace, uint16_t port);

/* Enable or disable the programs. */
void trace_enable(struct trace *trace, bool enabled);

/* The events since the last call. The programs should be disabled, since an event that is just
 * being added may be lost. The list is valid until the next call. */
struct trace_events trace_read(struct trace *trace);

/* Detach and free the programs; NULL is allowed. */
void trace_close(struct trace *trace);
