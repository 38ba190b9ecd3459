/* Inside of what makes one result of several launches' or ranks': members of structures of one
 * kind, each in its launch's result, made one. Where nothing is said of ranks, they are as
 * launches. */
#pragma once

#include "output/view/fields.h"

struct merging {
    struct result *merged;
    const struct result *results;
    size_t count;
    bool ranks;               /* they measured at once: their rounds are the same */
    struct launch *estimates; /* room for as many as there are launches */
    bool failed;              /* for want of memory */
};

/* COUNT items of SIZE bytes, zeroed, that live as long as the merged result. */
void *merging_room(struct merging *merging, size_t count, size_t size);

/* Make MERGED, a copy of the first of PARTS (one of each launch, none NULL), one of all, as FIELDS
 * say. A structure that MERGED points to is a new one then, and NULL where a launch has none. */
void merging_fields(struct merging *merging, const struct field *fields, const void *const *parts,
                    void *merged);

/* Op INDEX of all results. */
void merge_op(struct merging *merging, size_t index);
