/* The table of kprofile, the timers that CITI (University of Michigan) put into every state of
 * Linux's RPC client: its rows, its columns and its order, made of the states of today's client. */
#pragma once

#include "measure/states.h"

struct kprofile_row {
    const char *state; /* by kprofile's name; of a state that it did not have, the kernel's */
    uint64_t count;    /* how often the state was entered */
    double mean, adjusted, low, high; /* ns, as in struct phase_row; NAN if it was never entered */
    double share;                     /* of the adjusted lifetime, 0 to 1 */
    double share_without_queues;      /* the same without schedq, backlog and other queues; NAN for
                                         these */
    double share_of_processing;       /* also without call_transmit and pending; NAN for these */
};

enum { KPROFILE_OWN_ROWS = 10 };

struct kprofile_table {
    const char *procedure;
    uint64_t rpcs;
    /* kprofile's own states first, then those that only today's client has. */
    struct kprofile_row rows[KPROFILE_OWN_ROWS + STATES_MAXIMUM];
    size_t row_count;
    double lifetime_ns, lifetime_low_ns, lifetime_high_ns; /* of an RPC: mean, least and most */
    double adjusted_lifetime_ns;                           /* sum of the rows' adjusted means */
    double discrepancy_ns;                                 /* the lifetime less that sum */
    double discrepancy;                                    /* as a share of the lifetime */
};

/* Make the table of the RPCs of PROCEDURE, whose states are those of STATES. */
void kprofile_make(struct kprofile_table *table, const char *procedure,
                   const struct state_table *states);
