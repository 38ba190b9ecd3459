/* The files and directories that captured calls are applied to: how often, at which offsets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "profile/table.h"
#include "profile/workload.h"

struct object {
    uint64_t next[WORKLOAD_TRANSFERS]; /* where the last READ and the last WRITE ended */
    uint64_t end;                      /* largest end of all READs and WRITEs; 0 for none */
    uint64_t uses;                     /* calls that use the object as a file */
    uint64_t entries;                  /* entries of a directory seen so far in this listing */
    char *name;                        /* in its directory; NULL if not known */
};

/* Set in WORKLOAD the number of files, their size, how unequally they are used, and those with the
 * most calls, with names if these are kept. OBJECTS has the hashes of handles as keys, and no
 * record may have been replaced. */
void objects_describe(const struct table *objects, struct workload *workload);

/* Return the exponent of Zipf's law, 0 to 4, with the maximum likelihood for COUNT numbers of uses,
 * which are sorted from the largest. */
double objects_fit_zipf(const uint64_t *uses, size_t count);
