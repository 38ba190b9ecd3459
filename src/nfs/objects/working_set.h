/* The working set of a run: which of the test files, or of those that were there, and which bytes
 * of them, its calls are applied to, and in which order. A place is a block of a READ's or WRITE's
 * length for procedures that work on a range of bytes, and a file for those that take a handle or a
 * name. */
#pragma once

#include "common/pattern.h"
#include "engine/patch.h"
#include "nfs/objects/file_set.h"

/* The places of one procedure's calls. */
struct nfs_places {
    uint64_t count;         /* 1: all calls are alike */
    uint64_t per_file;      /* how many are in each file */
    uint64_t first;         /* offset of a file's first place, bytes */
    uint32_t length;        /* from each place to the next, bytes; 0: a file is a place */
    uint64_t drawn;         /* how many were, so far */
    const uint64_t *begins; /* of FILES files of several sizes: their first places, and the end;
                             * NULL: all have PER_FILE */
    size_t files;
    const struct nfs_visits *visits; /* instead of the order; NULL: none */
    struct pattern_order order;
};

/* The places that PROCEDURE has in the working set of OBJECTS (NULL: none), in its order. */
void nfs_places_begin(struct nfs_places *places, const struct nfs_procedure *procedure,
                      const struct nfs_objects *objects);

/* The file and the offset of place NUMBER. */
struct nfs_place nfs_places_at(const struct nfs_places *places, uint64_t number);

/* The next in order. */
struct nfs_place nfs_places_next(struct nfs_places *places);
