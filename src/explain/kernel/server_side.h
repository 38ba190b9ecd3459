/* The source of the server's timestamps of explained calls. */
#pragma once

#include "explain/explain_run.h"
#include "explain/kernel/server_watch.h"
#include "explain/kernel/trace.h"
#include "explain/phases/explain.h"
#include "explain/phases/load_log.h"

struct server_side {
    /* the phases that the available timestamps can show; changes if the source fails */
    const struct phase_view *view;
    char missing[512]; /* why there are no server timestamps and how to get them; or "" */
    uint64_t events_lost;
    struct trace *trace; /* trace of a server on this machine; otherwise NULL */
    struct trace_request request;
    struct server_events events; /* events of the last block */
    struct server_watch *watch;  /* watch of a server on another machine; otherwise NULL */
    size_t joined;               /* number of calls with the server's timestamps so far */
};

/* Find a source of the server's timestamps for LOG's calls. LOG's engine is open. If there is no
 * source, MISSING says why. */
void server_side_open(struct server_side *server, const struct explain_plan *plan,
                      const struct setup *setup, const struct load_log *log);

/* Observe the server's side of LOG's connections during a block: call server_side_begin() before
 * the block, and server_side_end() after it. A server on this machine is observed only while
 * server_side_sample() enables recording. server_side_end() sets the server's timestamps of LOG's
 * calls, or none if events were lost. It returns 0, or -EINTR or -ENOMEM with ERROR set. If
 * observation fails, MISSING says why, VIEW changes, and 0 is returned. */
void server_side_begin(struct server_side *server, const struct load_log *log);
int server_side_end(struct server_side *server, const struct load_log *log, struct error *error);

/* Enable (ON) or disable recording of events within a block. CONTEXT is a struct server_side. */
void server_side_sample(void *context, bool on);

/* Add notes from the kernel's events to CALL, which is in the last block, if calls are made one at
 * a time and the server is on this machine. */
void server_side_note(const struct server_side *server, struct explain_single_call *call);

void server_side_close(struct server_side *server);
