/* The objects that captured calls are applied to, by the hash of their handles: how often, and
 * where in them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/workload.h"

struct object {
    uint64_t hash;                     /* 0: none */
    uint64_t next[WORKLOAD_TRANSFERS]; /* where the last READ and the last WRITE ended */
    uint64_t end;                      /* the largest of these; 0: none */
    uint64_t uses;                     /* calls on it as on a file */
    uint64_t entries;                  /* of a directory, so far in this listing */
    char *name;                        /* in its directory; NULL: not known */
};

struct objects;

/* COUNT of them at most. NULL without memory. */
struct objects *objects_open(size_t count);
void objects_close(struct objects *objects);

/* The object with HASH, which is not 0; NULL where there are too many. */
struct object *objects_find(struct objects *objects, uint64_t hash);

/* Keep NAME for OBJECT, unless it has one. */
void objects_keep_name(struct object *object, const char *name);

/* Set the number of files in WORKLOAD, their size, how unequally they are used, and those that are
 * used most, by name where those are kept. */
void objects_describe(const struct objects *objects, struct workload *workload);

/* The exponent of Zipf's law that fits COUNT numbers of uses, in any order, best: the one of the
 * greatest likelihood, 0 to 4. It is sorted. */
double objects_fit_zipf(uint64_t *uses, size_t count);
