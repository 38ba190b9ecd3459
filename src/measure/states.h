/* The states of tasks, and the time that many tasks spent in each state.
 *
 * The caller defines tasks and states: for example, RPCs and the steps that the kernel's client
 * takes for them. A task is in one state at a time from its begin to its end, and may enter a state
 * several times. So the times of its states have no gaps and no overlaps. Their sum is compared
 * with the task's lifetime as another source measured it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/phases.h"

enum {
    STATES_MAXIMUM = 64,
    /* maximum number of groups of tasks; all tasks of one procedure, for example, are a group */
    STATES_GROUPS_MAXIMUM = 32,
};

enum state_event_type {
    STATE_TASK_BEGINS, /* TASK of GROUP begins, in STATE */
    STATE_ENTERED,     /* TASK is in STATE from now on */
    STATE_TASK_ENDS,
    /* another source measured the lifetime MEASURED_NS; comes shortly before or after the end */
    STATE_TASK_MEASURED,
};

struct state_event {
    uint64_t at_ns;
    uint64_t task; /* unique among the tasks that exist at the same time */
    enum state_event_type type;
    unsigned group, state;
    uint64_t measured_ns;
};

/* Number, sum, minimum and maximum of a set of times. */
struct state_total {
    uint64_t count;
    double sum_ns, low_ns, high_ns;
};

struct state_group {
    struct state_total lifetime; /* lifetimes from begin to end; `count` is the number of tasks */
    struct state_total measured; /* lifetimes that another source measured */
    struct state_total states[STATES_MAXIMUM]; /* `count`: how often tasks entered the state */
};

/* A zeroed struct has no tasks. */
struct states {
    struct state_group groups[STATES_GROUPS_MAXIMUM];
    /* Numbers of tasks left out of GROUPS. WITHOUT_BEGIN: the events do not contain the task's
     * begin. WITHOUT_END: they do not contain its end. WITH_LOSS: some events were lost, so any
     * task may lack an event. */
    uint64_t without_begin, without_end, with_loss;
};

/* Add the tasks of COUNT EVENTS, sorted by time. LOST is the number of events that are missing
 * among EVENTS; if LOST is not 0, all tasks are left out. No task may continue in another call of
 * this function. Returns 0 or -ENOMEM. */
int states_add(struct states *states, const struct state_event *events, size_t count,
               uint64_t lost);

struct state_table {
    /* the states that were entered, in the order of their numbers */
    struct phase_row rows[STATES_MAXIMUM];
    size_t row_count;
    uint64_t tasks;
    double lifetime_ns; /* mean lifetime, ns; if MEASURED, of the measured lifetimes */
    /* shortest and longest lifetime, from the source of LIFETIME_NS */
    double lifetime_low_ns, lifetime_high_ns;
    bool measured;      /* another source measured some of the lifetimes */
    double sum_ns;      /* sum of the adjusted means of ROWS, ns */
    double discrepancy; /* (LIFETIME_NS - SUM_NS) / LIFETIME_NS; 0 without tasks */
};

/* Make the table of GROUP. TYPES describes the states. */
void state_table_make(struct state_table *table, const struct state_group *group,
                      const struct phase_type *const types[STATES_MAXIMUM]);
