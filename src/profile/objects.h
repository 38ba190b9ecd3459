/* The files and directories that captured calls are applied to: how often, at which offsets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "profile/table.h"
#include "profile/workload.h"

struct object {
    uint64_t next[WORKLOAD_TRANSFERS]; /* end offset of the last READ, and of the last WRITE */
    uint64_t end;     /* largest offset at which a READ or WRITE ended; 0 for none */
    uint64_t uses;    /* number of calls of ops on files, such as READ */
    uint64_t entries; /* number of entries read so far by the listing of a directory */
    char *name;       /* name of the object in its directory; NULL if not known */
};

/* Describe in WORKLOAD the files of OBJECTS: number, mean size, Zipf's exponent, and the files with
 * the most calls. The keys of OBJECTS are hashes of handles. No record may have been replaced. */
void objects_describe(const struct table *objects, struct workload *workload);

/* Return the maximum-likelihood estimate of Zipf's exponent, 0 to 4, for COUNT files with the
 * numbers of calls USES, the largest first; 0 for fewer than two files. */
double objects_fit_zipf(const uint64_t *uses, size_t count);
