/* The server's side of explained calls: where its moments come from. */
#ifndef NFSBENCH_CLI_EXPLAIN_SERVER_H
#define NFSBENCH_CLI_EXPLAIN_SERVER_H

#include "cli/explain_plan.h"
#include "cli/server_watch.h"
#include "cli/session.h"
#include "explain/server_moments.h"
#include "explain/trace.h"
#include "output/explain.h"

struct explain_server {
    const struct phase_view *view; /* what its side makes of a call's phases; it may be lost */
    char lacking[512];             /* why there is none, and how to get it; "" */
    uint64_t events_lost;
    struct trace *trace; /* of a server on this machine; NULL: none */
    struct trace_request request;
    struct server_events events; /* of the latest block */

    /* Of a server on another machine; NULL: none. */
    struct server_watch *watch;
    const char *command; /* the prefix that runs it */
    struct endpoint endpoint;
    size_t joined; /* calls that were, so far */
};

/* Find the server's side of calls that come from PORT. Where there is none, LACKING says why. */
void explain_server_open(struct explain_server *server, const struct explain_plan *plan,
                         const struct session *session, uint16_t port);

/* Around a block of stamped calls: watch, and give them the moments that were seen. CALLS come from
 * PORT. 0, or a negative errno with ERROR set (-EINTR); where the server's side is lost, LACKING
 * says why, and there is another view. */
void explain_server_begin(struct explain_server *server, uint16_t port);
int explain_server_end(struct explain_server *server, struct call_times *calls, size_t count,
                       struct error *error);

/* What the kernel saw of CALL, one of the latest block. */
void explain_server_note(const struct explain_server *server, struct explain_slow_call *call);

void explain_server_close(struct explain_server *server);

#endif
