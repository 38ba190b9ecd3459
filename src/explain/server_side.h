/* The server's side of explained calls: where its timestamps come from. */
#ifndef NFSBENCH_EXPLAIN_SERVER_SIDE_H
#define NFSBENCH_EXPLAIN_SERVER_SIDE_H

#include "explain/explain.h"
#include "explain/explain_run.h"
#include "explain/server_watch.h"
#include "explain/trace.h"

struct server_side {
    const struct phase_view *view; /* what its side makes of a call's phases; it may be lost */
    char missing[512];             /* why there is none, and how to get it; "" */
    uint64_t events_lost;
    struct trace *trace; /* of a server on this machine; NULL: none */
    struct trace_request request;
    struct server_events events; /* of the latest block */

    /* Of a server on another machine; NULL: none. */
    struct server_watch *watch;
    struct endpoint endpoint;
    struct server_watch_request watch_request;
    size_t joined; /* calls that have the server's side, so far */
};

/* Find the server's side of calls of the op of SETUP's plan that come from PORT. Where there is
 * none, MISSING says why. */
void server_side_open(struct server_side *server, const struct explain_plan *plan,
                      const struct setup *setup, uint16_t port);

/* Around a block of stamped calls: watch, and give them the timestamps that were seen. CALLS come
 * from PORT. 0, or a negative errno with ERROR set (-EINTR); where the server's side is lost,
 * MISSING says why, and there is another view. */
void server_side_begin(struct server_side *server, uint16_t port);
int server_side_end(struct server_side *server, struct call_times *calls, size_t count,
                    struct error *error);

/* What the kernel saw of CALL, one of the latest block. */
void server_side_note(const struct server_side *server, struct explain_slow_call *call);

void server_side_close(struct server_side *server);

#endif
