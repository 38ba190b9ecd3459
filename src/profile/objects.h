/* The objects that captured calls are applied to: how often, and where in them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "profile/table.h"
#include "profile/workload.h"

struct object {
    uint64_t next[WORKLOAD_TRANSFERS]; /* where the last READ and the last WRITE ended */
    uint64_t end;                      /* the largest of these; 0: none */
    uint64_t uses;                     /* calls on it as on a file */
    uint64_t entries;                  /* of a directory, so far in this listing */
    char *name;                        /* in its directory; NULL: not known */
};

/* Set the number of files in WORKLOAD, their size, how unequally they are used, and those that are
 * used most, by name where those are kept. OBJECTS has them by the hashes of their handles, and
 * none gave way. */
void objects_describe(const struct table *objects, struct workload *workload);

/* The exponent of Zipf's law that fits COUNT numbers of uses, the largest first, best: the one of
 * the greatest likelihood, 0 to 4. */
double objects_fit_zipf(const uint64_t *uses, size_t count);
