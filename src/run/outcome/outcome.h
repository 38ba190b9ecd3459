/* Makes a result from the measured data. Except for outcome_fill_origin(), no function asks the
 * machine or the server, so that the same data always give the same result. */
#pragma once

#include "output/result/origin.h"
#include "output/result/result.h"
#include "run/outcome/costs.h"
#include "run/outcome/measured.h"

/* A result, and the estimates of its costs, for callers that estimate more. */
struct outcome {
    struct result result;
    struct costs costs;
};

/* How to make a result. */
struct outcome_request {
    const char *cut_short_by; /* why the run ended early; NULL: it was completed */
    /* Minimum of consecutive rounds that are resampled together; 0: as the rounds require. */
    size_t resampling_block;
};

/* Make OUTCOME from MEASURED, which has at least one complete round. OUTCOME points into MEASURED
 * and to REQUEST's text, so both must outlive it. A result without ops gets no verdict. Returns 0,
 * or -ENOMEM with ERROR set. OUTCOME can be released with outcome_free() in either case. */
int outcome_fill(struct outcome *outcome, const struct measured *measured,
                 const struct outcome_request *request, struct error *error);
void outcome_free(struct outcome *outcome);

/* Set OUTCOME's estimates, verdict and launch: the last step of outcome_fill(). It is called again
 * if OUTCOME's result is that of several ranks; the caller has then set the series in COSTS.
 * RESAMPLING_BLOCK: see struct outcome_request. Returns 0, or -ENOMEM with OUTCOME freed. */
int outcome_estimate(struct outcome *outcome, const struct measured *measured,
                     size_t resampling_block, struct error *error);

/* Set ORIGIN to this machine and to the run of PLAN, which it points into, over TRANSPORT. */
void outcome_fill_origin(struct origin *origin, const struct run_plan *plan, time_t started,
                         const char *transport);
