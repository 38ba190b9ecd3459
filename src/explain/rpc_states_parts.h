/* What reads the events of RPCs, shared by its files. */
#pragma once

#include "explain/rpc_states.h"

enum { RPC_REQUESTS_MAXIMUM = 256 }; /* threads of the server, and its transports */

/* A request of the server, before its procedure is known; most that a thread takes are none. */
struct rpc_request {
    uint64_t task; /* 0: none */
    uint64_t queued_ns, taken_ns, received_ns;
    bool known, checked; /* its first states were emitted; its handle was looked at */
};

struct rpc_requests {
    struct rpc_request list[RPC_REQUESTS_MAXIMUM];
    struct {
        uint64_t transport, at_ns; /* when it was last queued; transport 0: none */
    } queued[RPC_REQUESTS_MAXIMUM];
};

/* An RPC that was sent, and has not been woken since. Until it is answered, its state machine takes
 * another step, and usually goes to sleep; but where it is then is not on this side. It may also go
 * to sleep while the answer is being read. */
struct rpc_away {
    uint64_t task; /* 0: none */
    uint64_t transport;
    uint32_t xid;
    bool replied;
};

enum { RPC_AWAY_MAXIMUM = 256 };

struct rpc_reader {
    struct rpc_states *rpcs;
    struct rpc_away away[RPC_AWAY_MAXIMUM];
    struct state_event *list;
    size_t count;
    /* The caller's system call, of which there is one at a time, and its latest RPC. */
    bool in_call;
    bool has_rpc;
    uint64_t entered_ns, action_ns;
    uint64_t phase_ns; /* when its present phase began */
    uint64_t task, transport;
    bool replied;
    bool waits_elsewhere; /* the caller does not wait in the RPC itself */
    enum rpc_phase phase;
    struct rpc_requests requests; /* of the server */
};

void rpc_reader_emit(struct rpc_reader *reader, const struct state_event *event);

/* The number of the state NAME that is no function, and of the group of PROCEDURE, of the server's
 * requests or of RPCs; a new one, if need be. */
unsigned rpc_state_called(struct rpc_states *rpcs, const char *name, enum phase_kind kind);
unsigned rpc_group_called(struct rpc_states *rpcs, const char *procedure, bool server);

/* Take an event of the server (rpc_requests.c). */
void rpc_reader_take_request(struct rpc_reader *reader, const struct rpc_event *event);
