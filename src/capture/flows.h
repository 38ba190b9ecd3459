/* The conversations in a capture: each pair of address and port with another, by TCP or UDP. The
 * one that was silent for longest makes room for a new one when there are too many. */
#pragma once

#include "capture/packet.h"
#include "capture/records.h"
#include "capture/tcp_stream.h"
#include "capture/workload_fill.h"

enum { FLOWS_MAXIMUM = 16384 };

struct flow_key {
    struct {
        uint8_t address[16];
        uint16_t port;
    } ends[2]; /* the lesser first */
    uint16_t protocol;
};

struct flow {
    struct flow_key key;
    uint64_t number; /* no other flow has had it; from 1 on */
    struct {
        struct tcp_stream stream;
        struct records records;
        uint64_t begun_inside; /* connections without their first byte */
    } sides[2];                /* what the end of that index sent; of TCP */
    struct workload_connection connection;
    struct flow *newer, *older; /* by when a packet came last */
    struct flow *chained;
};

struct flows;

/* END_FLOW (with CONTEXT) is called before a flow is forgotten. NULL without memory. */
struct flows *flows_open(void (*end_flow)(void *context, struct flow *flow), void *context);

/* Forget all. */
void flows_close(struct flows *flows);

/* The flow of PACKET, and in *SIDE which of its ends sent it. */
struct flow *flows_find(struct flows *flows, const struct packet *packet, unsigned *side);

/* The flow that has this NUMBER; NULL: it was forgotten. */
struct flow *flows_numbered(struct flows *flows, uint64_t number);
