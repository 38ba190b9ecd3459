/* Internal: members of structures of several launches or ranks are merged into one structure.
 * Unless stated otherwise, ranks are merged like launches. */
#pragma once

#include "output/view/fields.h"

struct merging {
    struct result *merged;
    const struct result *results;
    size_t count;
    bool ranks; /* the results are ranks, which measured the same rounds at the same time */
    struct launch *estimates; /* room for one estimate per launch */
    bool failed;              /* there was no memory */
};

/* Return COUNT zeroed items of SIZE bytes that live as long as the merged result, or NULL. */
void *merging_room(struct merging *merging, size_t count, size_t size);

/* Merge PARTS, one structure per launch (none NULL), into MERGED, a copy of the first, as FIELDS
 * specify. What MERGED points to becomes a new structure, or NULL if a launch has none. */
void merging_fields(struct merging *merging, const struct field *fields, const void *const *parts,
                    void *merged);

/* Merge op INDEX of all results. */
void merge_op(struct merging *merging, size_t index);
