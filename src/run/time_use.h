/* How the sessions that are measured together use the time until their plan's deadline
 * (measure/time_plan.h). */
#pragma once

#include <stddef.h>

#include "common/error.h"
#include "measure/time_plan.h"

struct run_plan;
struct setup;

/* What a session does until when, on clock_raw_ns(). Nothing has an end if ROUNDS_END_NS is 0. */
struct time_use {
    struct time_needs needs;
    struct time_plan plan;  /* ROUNDS is 0 if the course of its calls leaves nothing to plan */
    uint64_t warmup_end_ns; /* no later round of it begins; 0: it is as long as it must be */
    uint64_t rounds_end_ns; /* no later round begins */
    uint64_t cut_ns;        /* a block that is still under way is cut */
    double calls_ns;        /* what a number of calls takes, of all launches; 0: there is none */
    double ledger_ns;       /* for the ledger; 0: as long as it takes */
};

/* How long a round of PLAN takes at least, ns, whose blocks of NULL and of each op have BLOCK
 * calls, where a round trip takes ROUND_TRIP_NS. */
double time_use_round_ns(const struct run_plan *plan, uint32_t block, double round_trip_ns);

/* The same of the shortest round; *BLOCK is set to the calls in its blocks. */
typedef double shortest_round(const struct run_plan *plan, double round_trip_ns, uint32_t *block);

/* Of a measurement: one block of NULL and of each op. */
shortest_round time_use_shortest_round;

/* SETUP has been mounted, and COUNT PLANS, of which its own is the first, are to be measured
 * together: foresee by one round trip whether there is time for the least of it, with rounds that
 * take what ROUND says. Returns 0, also where that can't be foreseen, or -EOVERFLOW with ERROR set
 * (ERROR_USAGE). */
int time_use_foresee(const struct setup *setup, const struct run_plan *plans, size_t count,
                     shortest_round *round, struct error *error);

/* Take from what is left in NEEDS, which is otherwise complete, what must follow the run of PLAN.
 */
void time_use_reserve(const struct run_plan *plan, struct time_needs *needs);

/* Make the time plan of PLAN's part. At a rate its calls take as long as in the schedule that was
 * drawn, to which NEEDS are changed; a least time would do for most schedules. */
struct time_plan time_use_make(const struct run_plan *plan, struct time_needs *needs);

/* Set ERROR (ERROR_USAGE): the time of PLAN is too short by LACKING_NS for the least number of
 * rounds, whose blocks have BLOCK calls. Names the time that would do. Returns -EOVERFLOW. */
int time_use_refuse(const struct run_plan *plan, double lacking_ns, uint32_t block,
                    struct error *error);
