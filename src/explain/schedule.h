/* How an explanation spends its time: the number of calls in a block, the number of rounds, and
 * what is left out if time is short. A pure function of the time that calls take and of the time
 * left; it builds on the plan of a measurement (measure/time_plan.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCHEDULE_TEXT_SIZE = 320 };

/* What schedule_make() needs: times, in ns, and the limits of a block. */
struct schedule_times {
    /* time in a round that grows with the blocks' length, divided by the longest block's calls */
    double call_ns;
    double round_ns; /* time in a round that does not depend on the blocks' length */
    /* share of a round's time, 0 to 1, that is needed only to measure the cost of observation, and
     * that can be left out */
    double spare;
    uint32_t block;    /* most calls in a block */
    uint32_t least;    /* fewest calls in a block */
    bool warms_up;     /* a warm-up is wanted */
    uint64_t spent_ns; /* time since the start of the command or, with COUNT, of the set-up */
    uint64_t left_ns;  /* time from now until the deadline */
    uint64_t end_ns;   /* time needed after the last round: analysis, clean-up, unmounting */
};

struct schedule {
    uint32_t block; /* calls in the longest block */
    size_t rounds;  /* measured rounds that fit into the time */
    bool warms_up;
    bool compares;     /* true: rounds are complete; false: they lack the calls for the cost of
                          observation */
    uint64_t whole_ns; /* the shortest --max-time that leaves nothing out */
    uint64_t least_ns; /* if the fewest rounds don't fit, the --max-time that they need; else 0 */
};

/* Make SCHEDULE from TIMES, as measure/time_plan.h plans a single launch. A warm-up that does not
 * fit into the time is left out. If the minimum number of rounds does not fit then, the SPARE share
 * of each round is left out. Returns false if the rounds still don't fit. */
bool schedule_make(struct schedule *schedule, const struct schedule_times *times);

/* Return true if SCHEDULE, made from TIMES, lacks a warm-up that TIMES wants or the calls for the
 * cost of observation, or if it has fewer rounds, or calls in a block, than usual. */
bool schedule_is_short(const struct schedule *schedule, const struct schedule_times *times);

/* Describe in TEXT a SCHEDULE for which schedule_is_short() is true, such as "--max-time allows 9
 * rounds of 1 call, without a warm-up; --max-time 30s allows all". Returns TEXT. */
const char *schedule_describe(const struct schedule *schedule, const struct schedule_times *times,
                              char text[SCHEDULE_TEXT_SIZE]);

/* Return the time of a command, ns, whose series make CALLS calls each, in blocks of TIMES' length:
 * SPENT_NS, the warm-up if TIMES has one, the rounds, and END_NS. */
double schedule_of_calls_ns(const struct schedule_times *times, uint64_t calls);

/* Return true if the precision is checked after round number ROUND. The first check is after round
 * TIME_PLAN_ROUNDS. Each further check is after half as many rounds again. */
bool schedule_is_check(size_t round);
