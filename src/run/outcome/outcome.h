/* From a session to its result. */
#pragma once

#include "output/result/origin.h"
#include "output/result/result.h"
#include "run/outcome/costs.h"
#include "run/session.h"

/* A session's result, and what its costs were estimated from, for whoever estimates more. */
struct outcome {
    struct result result;
    struct costs costs;
};

/* Fill OUTCOME in from SESSION, which it points into and which must outlive it, after at least one
 * complete round. Without ops, as beside other sessions, it is not judged. CUT_SHORT_BY is the line
 * that says why the run ended early, or NULL; it must outlive the outcome, too. 0 or -ENOMEM.
 * Release it with outcome_free(), which may be done after an error, too. */
int outcome_fill(struct outcome *outcome, const struct session *session, const char *cut_short_by,
                 struct error *error);
void outcome_free(struct outcome *outcome);

/* The last part of outcome_fill(): fill in what is estimated of SESSION's series, what is judged,
 * and the launch; anew, where OUTCOME's result is that of several ranks, with its series set in
 * COSTS. 0, or -ENOMEM with ERROR set; OUTCOME has been freed then. */
int outcome_estimate(struct outcome *outcome, const struct session *session, struct error *error);

/* A part of that: fill in RESULT's validity, when everything else is filled in. CALLS is
 * the number of calls of all series together. */
void judge_result(struct result *result, const struct session *session, uint64_t calls);

/* Fill in ORIGIN: this machine and, from PLAN, into which ORIGIN points, a run that STARTED then
 * over TRANSPORT. */
void outcome_fill_origin(struct origin *origin, const struct run_plan *plan, time_t started,
                         const char *transport);
