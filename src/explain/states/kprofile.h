/* The table of kprofile, an older tool: timers that CITI (University of Michigan) put into every
 * state of Linux's RPC client. Columns and the first rows, in their order, are kprofile's; rows of
 * states that only today's client has follow. All times are those of today's client. */
#pragma once

#include "measure/states.h"

struct kprofile_row {
    const char *state; /* kprofile's name of the state; the kernel's name if kprofile did not have
                          the state */
    uint64_t count;    /* number of times that RPCs entered the state */
    double mean, adjusted, low, high; /* times in ns, as in struct phase_row; NAN: never entered */
    double share;                     /* share of the adjusted lifetime, 0 to 1 */
    double share_without_queues; /* share of the adjusted time outside queues (schedq, backlog and
                                    others); NAN for a queue */
    double share_of_processing; /* share of the adjusted time outside queues, call_transmit, pending
                                   and "received"; NAN for these states */
};

enum { KPROFILE_OWN_ROWS = 10 };

struct kprofile_table {
    const char *procedure;
    uint64_t rpcs;
    /* kprofile's own states first, then states that only today's client has. */
    struct kprofile_row rows[KPROFILE_OWN_ROWS + STATES_MAXIMUM];
    size_t row_count;
    /* mean, least and most lifetime of an RPC */
    double lifetime_ns, lifetime_low_ns, lifetime_high_ns;
    double adjusted_lifetime_ns; /* sum of the rows' adjusted means */
    double discrepancy_ns;       /* lifetime less ADJUSTED_LIFETIME_NS */
    double discrepancy;          /* DISCREPANCY_NS as a share of the lifetime */
};

/* Make TABLE for the RPCs of PROCEDURE from the states in STATES. */
void kprofile_make(struct kprofile_table *table, const char *procedure,
                   const struct state_table *states);
