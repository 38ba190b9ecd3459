/* The ranks' parts become one: rank 0's session, as if one client had made all calls. */
#ifndef NFSBENCH_MPI_RANKS_MERGE_H
#define NFSBENCH_MPI_RANKS_MERGE_H

#include "mpi/ranks_part.h"

/* What a rank sent. */
struct ranks_message {
    char *data;
    size_t size;
};

/* All parts together. */
struct ranks_merged {
    struct run_plan plan; /* of the whole: the ranks' clients and rates added up */
    struct result_rank *ranks;
    size_t count;
};

/* Merge the COUNT ranks' MESSAGES into SESSION, which is rank 0's (message 0 is its own).
 * Histograms, calls, errors, clients, client CPU and rates are added; of each round, a series'
 * block statistic becomes the mean of the ranks', and a point of the timelines has the ranks' calls
 * and the mean of their quantiles, by calls. SESSION then refers to MERGED, and must be closed
 * before it. 0, or a negative errno with ERROR set; ranks_merged_free() is due in any case. */
int ranks_merge(struct session *session, struct ranks_merged *merged,
                const struct ranks_message *messages, size_t count, struct error *error);

/* What RESULT, of the merged session, has of the ranks: each one's part, how evenly the clients of
 * all fared, and the reasons to doubt one's machine. */
void ranks_describe(struct result *result, const struct ranks_merged *merged);

void ranks_merged_free(struct ranks_merged *merged);

#endif
