/* Makes a result from the measured data. The same data always give the same result, because only
 * outcome_fill_origin() asks the machine, and none of the functions asks the server. */
#pragma once

#include "output/result/origin.h"
#include "output/result/result.h"
#include "run/outcome/costs.h"
#include "run/outcome/measured.h"

/* A result, and the estimates of its costs, from which callers make further estimates. */
struct outcome {
    struct result result;
    struct costs costs;
};

struct outcome_request {
    const char *cut_short_by; /* why the run ended early; NULL: it was completed */
    /* Minimum number of consecutive rounds in a resampling block; 0: no minimum. */
    size_t resampling_block;
};

/* Make OUTCOME from MEASURED, which has at least one complete round. MEASURED and REQUEST's text
 * must outlive OUTCOME, which points to them. A result without ops gets no verdict. Returns 0, or
 * -ENOMEM with ERROR set. OUTCOME can be released with outcome_free() in either case. */
int outcome_fill(struct outcome *outcome, const struct measured *measured,
                 const struct outcome_request *request, struct error *error);
void outcome_free(struct outcome *outcome);

/* Set OUTCOME's estimates, verdict and launch: the last step of outcome_fill(). Call it again after
 * the results of several ranks were merged into OUTCOME and the series in COSTS were set.
 * RESAMPLING_BLOCK: see struct outcome_request. Returns 0, or -ENOMEM with OUTCOME freed. */
int outcome_estimate(struct outcome *outcome, const struct measured *measured,
                     size_t resampling_block, struct error *error);

/* Set ORIGIN to this machine and the run of PLAN. ORIGIN points to TRANSPORT and PLAN's texts. */
void outcome_fill_origin(struct origin *origin, const struct run_plan *plan, time_t started,
                         const char *transport);
