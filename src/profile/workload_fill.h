/* A workload from the calls and replies of a capture, those of NULL left out. */
#pragma once

#include "profile/dissection.h"
#include "profile/workload.h"

enum {
    WORKLOAD_CLIENTS_MAXIMUM = 4096,
};

struct workload_fill;

/* What is known of a connection; zeroed before its first call. */
struct workload_connection {
    bool counted;        /* it is among the connections */
    uint32_t in_flight;  /* calls */
    uint64_t idle_since; /* when the last of them was answered; 0: never */
};

/* Begin to fill WORKLOAD, which is set to nothing. OBJECTS are told apart; calls on any others
 * count as on none. With KEEP_NAMES, files have the names that LOOKUPs and CREATEs showed. NULL
 * without memory. */
struct workload_fill *workload_fill_open(struct workload *workload, size_t objects,
                                         bool keep_names);
void workload_fill_close(struct workload_fill *fill);

/* Add CALL, which was sent for the first time, by its client; it is set which op came before. */
void workload_fill_call(struct workload_fill *fill, struct captured_call *call,
                        struct workload_connection *connection);

/* Add the REPLY to CALL, at TIME. */
void workload_fill_reply(struct workload_fill *fill, const struct captured_call *call,
                         struct workload_connection *connection, uint64_t time,
                         const struct message *reply);

/* CALL does not count as in flight any more. CONNECTION is NULL if it is not known any more. */
void workload_fill_give_up(struct workload_fill *fill, const struct captured_call *call,
                           struct workload_connection *connection);

/* Complete the workload of all that was added, in SECONDS, by a clock that ticks in CLOCK_TICK (ns;
 * 0: no coarse one). It has no ops where no call can be made
 * again: there was none but of NULL. */
void workload_fill_finish(struct workload_fill *fill, double seconds, double clock_tick);
