/* Merging the results of several launches, or of several ranks, into one measurement. */
#pragma once

#include "common/error.h"
#include "output/result/result.h"

/* Merge COUNT (at least 1) RESULTS, each of one launch, into MERGED. All must have the same ops and
 * must outlive MERGED. Counts and histograms are summed; rounds are joined in the order of the
 * launches. Costs, their parts and the model's rates are estimated over the launches
 * (result_scope()). The ledger has the means over the launches that counted. Under load,
 * percentiles of service time and lateness become means, because their histograms are not known.
 * The verdict is the worst of the launches' verdicts, with their reasons; the number of rounds and
 * the null control are judged over all launches. PLANNED launches were planned. Returns 0, or
 * -EINVAL (ops differ) or -ENOMEM with ERROR set. */
int result_merge(struct result *merged, const struct result *results, size_t count, size_t planned,
                 struct error *error);

/* Merge the RESULTS of COUNT ranks, which measured the same rounds at the same time, into MERGED,
 * as result_merge() does. Rates and numbers of clients are summed; times count once. The blocks of
 * ops, their costs and the verdict are those of the first rank. The caller must compute them again,
 * from its knowledge of the rounds. */
int result_merge_ranks(struct result *merged, const struct result *results, size_t count,
                       struct error *error);

/* Add to the verdict of MERGED, which was judged again, the reasons in the COUNT ranks' RESULTS
 * that concern one rank's machine or process, so without the trait REASON_OF_ALL_RANKS. */
void result_merge_reasons(struct result *merged, const struct result *results, size_t count);
