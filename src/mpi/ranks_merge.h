/* Merges the partial results of all ranks into one result, as if one client had made all calls. A
 * partial result ("part" in names) is a message from one rank. */
#pragma once

#include "run/outcome/outcome.h"

struct ranks_message {
    char *data;
    size_t size;
};

struct ranks_sum;

struct ranks_merged {
    struct ranks_sum *sums; /* sums over the ranks by series; finally, block statistics are means */
    struct measured measured; /* measured data of rank 0, but with SUMS as series */
    struct outcome outcome;   /* outcome of MEASURED */
    struct result *results;   /* one for each rank; the members of OUTCOME point into them */
    size_t count;
};

/* Return a rank's partial result: RESULT, which was made from MEASURED, as JSON, and the data for
 * estimating costs. The caller frees the message's data, which is NULL if out of memory. */
struct ranks_message rank_part_write(const struct measured *measured, const struct result *result);

/* Merge the partial results MESSAGES of COUNT ranks. OWN is rank 0's measured data (its message is
 * MESSAGES[0]), and must outlive MERGED. Counts, rates, clients and histograms are added. Elapsed
 * times are averaged, and so are the statistics of a block, from which costs are estimated. The
 * verdict on the merged result includes reasons that concern one rank's machine. Returns 0, or a
 * negative errno with ERROR set (-EBADMSG: invalid message). Always call ranks_merged_free(). */
int ranks_merge(struct ranks_merged *merged, const struct measured *own,
                const struct ranks_message *messages, size_t count, struct error *error);
void ranks_merged_free(struct ranks_merged *merged);
