/* The states that tasks go through, and the time that many tasks spent in each.
 *
 * What tasks and states are, the caller knows: RPCs and the steps that the kernel's client takes
 * for them, for example. A task is in one state at a time, from its begin to its end, and may enter
 * a state several times. So the times of its states have no gaps and no overlaps. Their sum is
 * compared with the task's lifetime as something else measured it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/phases.h"

enum {
    STATES_MAXIMUM = 64,
    STATES_GROUPS_MAXIMUM = 32, /* of tasks, such as those of a procedure */
};

enum state_event_type {
    STATE_TASK_BEGINS, /* TASK, of GROUP, is in STATE */
    STATE_ENTERED,     /* it is in STATE from now on */
    STATE_TASK_ENDS,
    STATE_TASK_MEASURED, /* its lifetime was MEASURED_NS; shortly before or after its end */
};

struct state_event {
    uint64_t at_ns;
    uint64_t task; /* a number that no other task has at the time */
    enum state_event_type type;
    unsigned group, state;
    uint64_t measured_ns;
};

/* A set of times. */
struct state_total {
    uint64_t count;
    double sum_ns, low_ns, high_ns;
};

/* The tasks of a group. */
struct state_group {
    struct state_total lifetime; /* from begin to end; COUNT is the number of tasks */
    struct state_total measured; /* of those whose lifetime was measured by something else */
    struct state_total states[STATES_MAXIMUM]; /* COUNT is how often a state was entered */
};

/* A zeroed one has no tasks. */
struct states {
    struct state_group groups[STATES_GROUPS_MAXIMUM];
    /* Tasks that are in no group: they began before the events or went on after their end; had not
     * ended when the events ended; or some events of theirs may have been lost. */
    uint64_t without_begin, without_end, with_loss;
};

/* Add the tasks of COUNT EVENTS, sorted by time. They are all events of a time, but for those that
 * were LOST; no task continues in another call's. Returns 0 or -ENOMEM. */
int states_add(struct states *states, const struct state_event *events, size_t count,
               uint64_t lost);

/* The table of a group */

struct state_table {
    struct phase_row rows[STATES_MAXIMUM]; /* of the states that were entered, by their number */
    size_t row_count;
    uint64_t tasks;
    double lifetime_ns; /* the mean; as it was measured by something else, if it was */
    double lifetime_low_ns, lifetime_high_ns; /* the least and the most, of the same */
    bool measured;                            /* it was */
    double sum_ns;                            /* of the states' adjusted means */
    double discrepancy; /* (LIFETIME_NS - SUM_NS) / LIFETIME_NS; 0 without tasks */
};

/* Make the table of GROUP, whose states are TYPES. */
void state_table_make(struct state_table *table, const struct state_group *group,
                      const struct phase_type *const types[STATES_MAXIMUM]);
