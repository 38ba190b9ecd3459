/* How an explanation spends its time: how many calls its blocks have, how many rounds there are,
 * and what is left out where the time is too short for all of it. A pure function of the time that
 * calls take and of the time that is left: what an explanation needs, in terms of the plan of a
 * measurement (measure/time_plan.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCHEDULE_TEXT_SIZE = 320 };

/* How long the parts of an explanation take. Times are in ns. */
struct schedule_times {
    double call_ns;  /* in a round, per call in a block: one call of each series */
    double round_ns; /* in a round, whatever the length of its blocks */
    double spare;    /* share of a round that only shows what observing a call costs, 0 to 1; 0: no
                        part of a round can be left out */
    uint32_t block;  /* calls in a block at most */
    uint32_t least;  /* calls in a block at least */
    bool warms_up;   /* a warm-up is wanted */
    uint64_t spent_ns; /* from the start of the command until now */
    uint64_t left_ns;  /* from now until the deadline */
    uint64_t end_ns;   /* after the last round: analysis and unmounting */
};

struct schedule {
    uint32_t block; /* calls in a block */
    size_t rounds;  /* measured rounds for which there is time */
    bool warms_up;
    bool compares;     /* false: the spare part of each round is left out */
    uint64_t whole_ns; /* the --max-time with which nothing is left out */
    uint64_t least_ns; /* if not even the least fits, the shortest --max-time; else 0 */
};

/* Fill in SCHEDULE from TIMES, as measure/time_plan.h plans a single launch, but without any round
 * of a warm-up where there is no time for all of it. Where not even the least number of rounds
 * fits, the spare part of each round is given up, and the rest planned again. Returns false if that
 * does not fit either. */
bool schedule_make(struct schedule *schedule, const struct schedule_times *times);

/* Is something left out of SCHEDULE, which was made from TIMES? */
bool schedule_is_short(const struct schedule *schedule, const struct schedule_times *times);

/* Write what a short SCHEDULE has, what it leaves out, and how much time would do for all of it:
 * "9 rounds of 1 call, without a warm-up: ...". Returns TEXT. */
const char *schedule_describe(const struct schedule *schedule, const struct schedule_times *times,
                              char text[SCHEDULE_TEXT_SIZE]);

/* How long CALLS calls of each series take, ns, in blocks of TIMES' length, with the warm-up, from
 * the start of the command to its end. */
double schedule_of_calls_ns(const struct schedule_times *times, uint64_t calls);

/* Is there a look after ROUND rounds at whether the parts are known well enough? From
 * TIME_PLAN_ROUNDS rounds on, whenever their number has grown by half. */
bool schedule_is_look(size_t round);
