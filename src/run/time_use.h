/* How sessions that are measured together use the time until the deadline (measure/time_plan.h). */
#pragma once

#include <stddef.h>

#include "common/error.h"
#include "measure/time_plan.h"

struct run_plan;
struct setup;

/* How a session uses its time. The ends are on clock_raw_ns(). Without a deadline, ROUNDS_END_NS
 * and CUT_NS are 0, and only the warm-up may have an end. */
struct time_use {
    struct time_needs needs;
    /* zeroed without a deadline; its ROUNDS is 0 if think times or --cold determine that number */
    struct time_plan plan;
    /* no warm-up round begins after this time; 0: the warm-up has no time limit */
    uint64_t warmup_end_ns;
    uint64_t rounds_end_ns; /* no round begins after this time */
    uint64_t cut_ns;        /* a block under way at this time is cut; see cut_ns() in measuring.c */
    /* duration of all launches' calls plus one launch's ledgers, ns; 0 with a deadline */
    double calls_ns;
    double ledger_ns; /* time limit for each session's ledger, ns; 0: no limit */
};

/* Return the minimum duration of a round of PLAN, ns. The round has a block of BLOCK calls of NULL,
 * unless PLAN has no baseline, and one of each op or the mix. A round trip takes ROUND_TRIP_NS. */
double time_use_round_ns(const struct run_plan *plan, uint32_t block, double round_trip_ns);

/* Return the duration of the shortest round of PLAN, ns, and set *BLOCK to the number of calls in
 * each of its blocks. A round trip takes ROUND_TRIP_NS. */
typedef double shortest_round(const struct run_plan *plan, double round_trip_ns, uint32_t *block);

/* The shortest round of a run: one block of NULL, if any, and one of each op or of the mix. */
shortest_round time_use_shortest_round;

/* Estimate from the shortest of up to three round trips whether the time is enough for the least
 * number of rounds of COUNT PLANS, which are measured together. SETUP is the set-up of the first
 * plan and is mounted; ROUND returns the duration of a plan's shortest round. Returns 0 if the time
 * is enough or can't be estimated; otherwise -EOVERFLOW with ERROR set (ERROR_USAGE). */
int time_use_foresee(const struct setup *setup, const struct run_plan *plans, size_t count,
                     shortest_round *round, struct error *error);

/* Subtract from NEEDS' LEFT_NS the time that is reserved for runs that follow the run of PLAN. Each
 * of these runs is assumed to need NEEDS' SETUP_NS and END_NS, and the plan's PART_NS. */
void time_use_reserve(const struct run_plan *plan, struct time_needs *needs);

/* Make the time plan for the run of PLAN. At a rate, NEEDS are first scaled to the schedule that
 * was drawn; and the time plan's LEAST_NS, if it is not 0, suffices for most other schedules. */
struct time_plan time_use_make(const struct run_plan *plan, struct time_needs *needs);

/* Set ERROR (ERROR_USAGE): the time is too short, by LACKING_NS, for the least number of rounds of
 * PLAN, with blocks of BLOCK calls. The message names a sufficient time. Returns -EOVERFLOW. */
int time_use_refuse(const struct run_plan *plan, double lacking_ns, uint32_t block,
                    struct error *error);
