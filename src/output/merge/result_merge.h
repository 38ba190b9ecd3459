#pragma once

#include "common/error.h"
#include "output/result/result.h"

/* Merge COUNT (at least 1) RESULTS, each of one launch, into MERGED. RESULTS must outlive MERGED.
 * Sets other_state in RESULTS' launches. Ops that a result lacks are left out, listed as skipped.
 * Counts and histograms are summed; rounds are joined in the order of the launches. Costs, parts of
 * costs and the model's rates are estimated over the launches that are not in other_state.
 * The ledger's counts become means; they are missing if a launch did not count. Percentiles of
 * service time and lateness become means. Rounds, null control, cost model and regimes are judged
 * over all launches. Other reasons are taken from the launches, except other load that disturbed
 * only few of them. MERGED's verdict is that of the worst reason. PLANNED is the planned number of
 * launches. Returns 0, or -EINVAL (no common op, or a result without its launch) or -ENOMEM with
 * ERROR set. */
int result_merge(struct result *merged, const struct result *results, size_t count, size_t planned,
                 struct error *error);

/* Do what result_merge() does for the RESULTS of COUNT ranks, which measured the same rounds at the
 * same time. Rates and numbers of clients are summed; times become means. Costs, the verdict and
 * the ops' blocks are only copied from the first rank: the caller, which knows the rounds of all
 * ranks, must compute them again. */
int result_merge_ranks(struct result *merged, const struct result *results, size_t count,
                       struct error *error);

/* Add to MERGED's verdict, which was judged again, the reasons in the COUNT ranks' RESULTS that
 * concern the machine or process of one rank (without the trait REASON_OF_ALL_RANKS). */
void result_merge_reasons(struct result *merged, const struct result *results, size_t count);
