/* Makes a workload from the calls and replies of a capture, leaving out NULL calls. */
#pragma once

#include "profile/dissection.h"
#include "profile/workload.h"

enum {
    WORKLOAD_CLIENTS_MAXIMUM = 4096,
};

struct workload_fill;

/* State of a connection. It must be zeroed before the connection's first call. */
struct workload_connection {
    bool counted;        /* the connection has been counted among its client's connections */
    uint32_t in_flight;  /* number of calls in flight */
    uint64_t idle_since; /* time of the latest reply, ns since 1970; 0 if there was none */
};

/* Clear WORKLOAD and begin to set it. Up to OBJECTS files and directories are distinguished;
 * further ones are ignored. With KEEP_NAMES, files get names from LOOKUP and CREATE. Returns NULL
 * if there is no memory. */
struct workload_fill *workload_fill_open(struct workload *workload, size_t objects,
                                         bool keep_names);
void workload_fill_close(struct workload_fill *fill);

/* Add CALL, which was sent for the first time, and set CALL's member AFTER. */
void workload_fill_call(struct workload_fill *fill, struct captured_call *call,
                        struct workload_connection *connection);

/* Add REPLY to CALL, captured at TIME (ns since 1970). */
void workload_fill_reply(struct workload_fill *fill, const struct captured_call *call,
                         struct workload_connection *connection, uint64_t time,
                         const struct message *reply);

/* Stop counting CALL, which has no reply, as in flight. CONNECTION is NULL if no longer known. */
void workload_fill_give_up(struct workload_fill *fill, const struct captured_call *call,
                           struct workload_connection *connection);

/* Complete the workload. SECONDS is the length of the capture; CLOCK_TICK is the tick of its clock
 * in ns (0: no coarse tick). The workload has no ops if no call's arguments are known. */
void workload_fill_finish(struct workload_fill *fill, double seconds, double clock_tick);
