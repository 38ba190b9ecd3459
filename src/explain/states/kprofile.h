/* The table of kprofile, an older tool: timers that CITI (University of Michigan) put into every
 * state of Linux's RPC client. Its rows, columns and order are made from the states of today's
 * client. */
#pragma once

#include "measure/states.h"

struct kprofile_row {
    const char *state; /* kprofile's name of the state; the kernel's name if kprofile did not have
                          the state */
    uint64_t count;    /* number of times that the state was entered */
    double mean, adjusted, low, high; /* ns, as in struct phase_row; NAN: never entered */
    double share;                     /* share of the adjusted lifetime, 0 to 1 */
    double share_without_queues; /* share of the adjusted lifetime less the time in schedq, backlog
                                    and other queues; NAN for these queues */
    double share_of_processing;  /* share of the adjusted lifetime less the time in these queues,
                                    call_transmit, pending and "received"; NAN for these states */
};

enum { KPROFILE_OWN_ROWS = 10 };

struct kprofile_table {
    const char *procedure;
    uint64_t rpcs;
    /* kprofile's own states first, then states that only today's client has. */
    struct kprofile_row rows[KPROFILE_OWN_ROWS + STATES_MAXIMUM];
    size_t row_count;
    /* lifetime of an RPC: mean, least and most */
    double lifetime_ns, lifetime_low_ns, lifetime_high_ns;
    double adjusted_lifetime_ns; /* sum of the rows' adjusted means */
    double discrepancy_ns;       /* lifetime less ADJUSTED_LIFETIME_NS */
    double discrepancy;          /* DISCREPANCY_NS as a share of the lifetime */
};

/* Make TABLE for the RPCs of PROCEDURE from the states in STATES. */
void kprofile_make(struct kprofile_table *table, const char *procedure,
                   const struct state_table *states);
