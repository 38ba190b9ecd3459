/* Internal to this folder: merges the structures of several launches or ranks into one structure.
 * Comments on launches also apply to ranks unless they say otherwise. */
#pragma once

#include "output/view/fields.h"

struct merging {
    struct result *merged;
    const struct result *results;
    size_t count;
    bool ranks; /* true: RESULTS are of ranks, which ran at the same time; false: of launches */
    struct launch *estimates; /* memory for one estimate per launch, reused for each field */
    bool failed;              /* memory ran out */
};

/* Return COUNT zeroed items of SIZE bytes, which the merged result frees. Without memory, sets
 * MERGING's FAILED and returns NULL. */
void *merging_room(struct merging *merging, size_t count, size_t size);

/* Merge PARTS, one structure per launch (none is NULL), into MERGED, a copy of the first, as FIELDS
 * specify. Each structure that MERGED points to by a field with MERGE_PARTS is replaced by a new
 * one, or by NULL if a launch lacks it. The flag that belongs to a field with FIELD_SETS_IF becomes
 * true if it is true in all launches. */
void merging_fields(struct merging *merging, const struct field *fields, const void *const *parts,
                    void *merged);

/* Merge op INDEX of all results into the merged result's op INDEX, a copy of the first result's. */
void merge_op(struct merging *merging, size_t index);
