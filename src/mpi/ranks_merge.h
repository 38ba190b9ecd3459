/* Merging the ranks' parts into rank 0's session, as if one client had made all calls. */
#pragma once

#include "mpi/ranks_part.h"

/* A message from a rank. */
struct ranks_message {
    char *data;
    size_t size;
};

/* All parts together. */
struct ranks_merged {
    struct run_plan plan; /* the plan of the whole, with the sums of the ranks' clients and rates */
    struct result_rank *ranks;
    size_t count;
};

/* Merge the COUNT ranks' MESSAGES into SESSION, which is rank 0's (message 0 is its own).
 * Histograms, calls, errors, clients, client CPU and rates are added; a series' block statistic of
 * a round becomes the mean over the ranks, and a point of a timeline the sum of the calls and the
 * mean of the quantiles, weighted by calls. SESSION then refers to MERGED, and must be closed
 * before MERGED is freed. 0, or a negative errno with ERROR set; ranks_merged_free() must be called
 * in either case. */
int ranks_merge(struct session *session, struct ranks_merged *merged,
                const struct ranks_message *messages, size_t count, struct error *error);

/* Add to RESULT, that of the merged session, what is known about the ranks: the part of each, how
 * fairly the clients were served, and reasons to doubt a rank's machine. */
void ranks_describe(struct result *result, const struct ranks_merged *merged);

void ranks_merged_free(struct ranks_merged *merged);
