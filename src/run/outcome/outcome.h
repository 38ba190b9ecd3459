/* From what was measured to a result. Nothing here asks the machine or the server for anything, so
 * that the same measured data always have the same result (but for outcome_fill_origin()). */
#pragma once

#include "output/result/origin.h"
#include "output/result/result.h"
#include "run/outcome/costs.h"
#include "run/outcome/measured.h"

/* A result, and what its costs were estimated from, for whoever estimates more. */
struct outcome {
    struct result result;
    struct costs costs;
};

/* How a result is made, beside what was measured. */
struct outcome_request {
    const char *cut_short_by; /* the line that says why the run ended early, or NULL */
    size_t resampling_block;  /* consecutive rounds that are resampled together, at least; 0: what
                                 the rounds require */
};

/* Fill OUTCOME in from MEASURED, after at least one complete round. OUTCOME points into MEASURED
 * and to REQUEST's text, which must outlive it. Without ops, as beside other sessions, it is not
 * judged. Returns 0, or -ENOMEM with ERROR set. Release it with outcome_free(), which may be done
 * after an error, too. */
int outcome_fill(struct outcome *outcome, const struct measured *measured,
                 const struct outcome_request *request, struct error *error);
void outcome_free(struct outcome *outcome);

/* The last part of outcome_fill(): fill in what is estimated of MEASURED's series, with that
 * RESAMPLING_BLOCK, what is judged, and the launch; anew, where OUTCOME's result is that of several
 * ranks, with its series set in COSTS. Returns 0, or -ENOMEM with ERROR set; OUTCOME has been freed
 * then. */
int outcome_estimate(struct outcome *outcome, const struct measured *measured,
                     size_t resampling_block, struct error *error);

/* Fill in ORIGIN: this machine and, from PLAN, into which ORIGIN points, a run that STARTED then
 * over TRANSPORT. */
void outcome_fill_origin(struct origin *origin, const struct run_plan *plan, time_t started,
                         const char *transport);
