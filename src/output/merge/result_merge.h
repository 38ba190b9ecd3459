/* The results of several launches, or of several ranks, become that of one measurement. */
#pragma once

#include "common/error.h"
#include "output/result/result.h"

/* Make MERGED of the results of COUNT launches (at least 1), which have the same ops and each one
 * launch, and which must outlive it: counts and histograms are summed, the rounds come one launch
 * after the other, and what is estimated (costs, their parts, the model's rates) is estimated over
 * the launches, with intervals that speak of what result_scope() says. The ledger's counts are the
 * means of those that know them. Under load, the percentiles of service times and lateness are
 * means of the launches', as their histograms are not known. The verdict is the worst of the
 * launches', with their reasons; how many rounds there are and how well null is known against null
 * is judged of all together. MERGED is the plan's that COUNT of PLANNED launches were made of.
 * 0, -EINVAL where the ops differ, or -ENOMEM, with ERROR set. */
int result_merge(struct result *merged, const struct result *results, size_t count, size_t planned,
                 struct error *error);

/* Make MERGED likewise of the results of COUNT ranks, which measured the same rounds at once: rates
 * and clients are those of all, times that they spent together count once. The blocks of ops,
 * their costs and the verdict are the first rank's, for the caller to make anew, who knows more of
 * the rounds than a result has. */
int result_merge_ranks(struct result *merged, const struct result *results, size_t count,
                       struct error *error);

/* Add to the verdict on MERGED, which has been judged anew, the reasons of the COUNT ranks' RESULTS
 * that concern a rank's machine or process: all but those with the trait REASON_OF_ALL_RANKS. */
void result_merge_reasons(struct result *merged, const struct result *results, size_t count);
