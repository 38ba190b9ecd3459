/* Makes a workload from the calls and replies of a capture. NULL calls are left out. */
#pragma once

#include "profile/dissection.h"
#include "profile/workload.h"

enum {
    WORKLOAD_CLIENTS_MAXIMUM = 4096,
};

struct workload_fill;

/* State of a connection; must be zeroed before its first call. */
struct workload_connection {
    bool counted;        /* the connection is included in the client's number of connections */
    uint32_t in_flight;  /* number of calls in flight */
    uint64_t idle_since; /* time of the latest reply, ns; 0 if there was none */
};

/* Clear WORKLOAD and begin to set it. Up to OBJECTS objects are distinguished; calls on further
 * objects have no object. With KEEP_NAMES, files get names from LOOKUP and CREATE. Returns NULL if
 * there is no memory. */
struct workload_fill *workload_fill_open(struct workload *workload, size_t objects,
                                         bool keep_names);
void workload_fill_close(struct workload_fill *fill);

/* Add CALL, which was sent for the first time, and set its member AFTER. */
void workload_fill_call(struct workload_fill *fill, struct captured_call *call,
                        struct workload_connection *connection);

/* Add the REPLY to CALL, which came at TIME. */
void workload_fill_reply(struct workload_fill *fill, const struct captured_call *call,
                         struct workload_connection *connection, uint64_t time,
                         const struct message *reply);

/* Stop counting CALL as in flight. CONNECTION is NULL if it is no longer known. */
void workload_fill_give_up(struct workload_fill *fill, const struct captured_call *call,
                           struct workload_connection *connection);

/* Complete the workload. SECONDS is the length of the capture; CLOCK_TICK is the tick of its clock
 * in ns (0: no coarse tick). The workload has no ops if no call can be repeated. */
void workload_fill_finish(struct workload_fill *fill, double seconds, double clock_tick);
