/* From the ranks' parts to one result, as if one client had made all calls. */
#pragma once

#include "run/outcome/outcome.h"

/* A message from a rank. */
struct ranks_message {
    char *data;
    size_t size;
};

struct ranks_sum;

/* All parts together. */
struct ranks_merged {
    struct ranks_sum *sums;   /* of each series */
    struct measured measured; /* rank 0's, with these sums */
    struct outcome outcome;   /* of that */
    struct result *results;   /* of each rank, to which the outcome's refers */
    size_t count;
};

/* The part of a rank that has MEASURED, of which RESULT is made: that as JSON, with what costs are
 * estimated from. free() its data, which is NULL without memory. */
struct ranks_message rank_part_write(const struct measured *measured, const struct result *result);

/* Merge the COUNT ranks' MESSAGES. OWN is what rank 0 has measured (message 0 is its own), and must
 * outlive MERGED. Counts, rates, clients and histograms are added; a series' block statistic of a
 * round becomes the mean over the ranks, which costs are then estimated from; the verdict is on all
 * of it, with reasons to doubt a rank's machine. Returns 0, or a negative errno with ERROR set
 * (-EBADMSG for what is no part); ranks_merged_free() must be called in either case. */
int ranks_merge(struct ranks_merged *merged, const struct measured *own,
                const struct ranks_message *messages, size_t count, struct error *error);
void ranks_merged_free(struct ranks_merged *merged);
