/* Inside of result_merge.c and merge_op.c: members of several structures of one kind, each in its
 * launch's result, made one. */
#ifndef NFSBENCH_OUTPUT_MERGING_H
#define NFSBENCH_OUTPUT_MERGING_H

#include "output/result.h"

struct merging {
    struct result *merged;
    const struct result *results;
    size_t count;
    const void **parts; /* the structures that are being made one, by result; NULL: has none */
    struct launch *estimates; /* room for as many as there are launches */
    bool failed;              /* for want of memory */
};

/* COUNT items of SIZE bytes, zeroed, that live as long as the merged result. */
void *merging_room(struct merging *merging, size_t count, size_t size);

/* Of the struct interval at OFFSET of each part: the estimate over launches. */
struct interval merging_estimate(const struct merging *merging, size_t offset);

/* Of the double at OFFSET of each part: the mean of those that are known. */
double merging_mean(const struct merging *merging, size_t offset);

/* Op INDEX of all results. */
void merge_op(struct merging *merging, size_t index);

/* The mean of the ledger entries that are the parts; NULL where one has none. */
const struct ledger_entry *merge_ledger(struct merging *merging);

/* "launches 1, 3 and 4" or "launch 2": of COUNT launches those that FLAGS says. Returns BUFFER. */
const char *merging_name_launches(const bool *flags, size_t count, char *buffer, size_t size);

#endif
