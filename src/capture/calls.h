/* Calls that wait for their replies, found again by connection and xid. Only so many of the latest
 * are known: a call that all these followed without a reply to it counts as not answered. */
#pragma once

#include "capture/dissection.h"

struct call_name {
    uint64_t flow; /* of the connection */
    uint32_t xid;
    uint32_t side; /* of it: that sent the call */
};

/* A call as it was captured. */
struct captured_call {
    struct call_name name;
    uint64_t time; /* when its last byte came, the first time that it was sent */
    uint32_t program, version, procedure;
    size_t length;  /* of the message */
    bool encrypted; /* RPCSEC_GSS with privacy */
    bool answered;
    bool given_up;   /* it no longer counts as in flight, though it has not been answered */
    uint32_t client; /* number of the client */
    struct call_details details;
};

struct calls;

/* The latest COUNT are to be known. NULL without memory. */
struct calls *calls_open(uint32_t count);
void calls_close(struct calls *calls);

/* Add CALL. False if it is there already, so that it was sent again: the same xid, procedure and
 * length on the same connection. */
bool calls_add(struct calls *calls, const struct captured_call *call);

/* A call that was added before the time BEFORE, or that the next one takes the place of, and that
 * was neither answered nor given up; it is given up from then on. NULL: there is none. */
struct captured_call *calls_give_up(struct calls *calls, uint64_t before);

/* The call that a reply over FLOW with XID belongs to, which SIDE had sent; NULL: it is not known.
 * ANSWERED is as it was; the call is answered from then on. */
struct captured_call *calls_answer(struct calls *calls, const struct call_name *name,
                                   bool *answered);
