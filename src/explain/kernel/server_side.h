/* The source of the server's timestamps of explained calls. */
#pragma once

#include "explain/explain_run.h"
#include "explain/kernel/server_watch.h"
#include "explain/kernel/trace.h"
#include "explain/phases/explain.h"
#include "explain/phases/load_log.h"

struct server_side {
    /* The view with the available timestamps; changes if the server's side is lost. */
    const struct phase_view *view;
    char missing[512]; /* why there are none, and how to get them; or "" */
    uint64_t events_lost;
    struct trace *trace; /* of a server on this machine; otherwise NULL */
    struct trace_request request;
    struct server_events events; /* of the last block */
    struct server_watch *watch;  /* of a server on another machine; otherwise NULL */
    size_t joined;               /* number of calls with the server's timestamps so far */
};

/* Find a source for the calls of SETUP's op that LOG has, whose engine is open. If there is none,
 * MISSING says why. */
void server_side_open(struct server_side *server, const struct explain_plan *plan,
                      const struct setup *setup, const struct load_log *log);

/* Before and after a block: watch the server over the connections that LOG knows, whose ports
 * change after a reconnection, on this machine while server_side_sample() says so; and fill in the
 * timestamps of LOG's calls. Returns 0, or -EINTR or -ENOMEM with ERROR set. If the server's side
 * is lost, MISSING says why, and VIEW changes. */
void server_side_begin(struct server_side *server, const struct load_log *log);
int server_side_end(struct server_side *server, const struct load_log *log, struct error *error);

/* Within a block: record events from now on, or stop that. CONTEXT is a struct server_side. */
void server_side_sample(void *context, bool on);

/* Add notes from the kernel's events to CALL, which is in the last block: what it waited for is
 * known only of calls that were made one at a time. */
void server_side_note(const struct server_side *server, struct explain_single_call *call);

void server_side_close(struct server_side *server);
