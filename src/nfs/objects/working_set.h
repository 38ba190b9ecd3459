/* The working set of a run: the files, and the bytes in the files, to which calls are applied, and
 * their order. For procedures that work on a range of bytes, a place is a block of the size of a
 * READ or WRITE. For procedures that take a handle or a name, a place is an object. */
#pragma once

#include "common/pattern.h"
#include "engine/patch.h"
#include "nfs/objects/file_set.h"

struct nfs_places {
    uint64_t count;    /* number of places; 1 if all calls have the same place */
    uint64_t per_file; /* number of places in each file */
    uint64_t first;    /* offset of the first place in a file, bytes */
    uint32_t length;   /* distance between two places, bytes; 0 if a file is one place */
    uint64_t drawn;    /* number of places drawn by nfs_places_next() so far */
    /* For each of FILES files of different sizes, the index of its first place. One more element is
     * the number of all places. NULL if each file has PER_FILE places. */
    const uint64_t *begins;
    size_t files;
    const struct nfs_visits *visits; /* visits, which replace ORDER; NULL if ORDER applies */
    struct pattern_order order;
};

/* Set up the PLACES of PROCEDURE in the working set of OBJECTS; if OBJECTS is NULL, one place. */
void nfs_places_begin(struct nfs_places *places, const struct nfs_procedure *procedure,
                      const struct nfs_objects *objects);

/* Return the file and the offset of place NUMBER. */
struct nfs_place nfs_places_at(const struct nfs_places *places, uint64_t number);

struct nfs_place nfs_places_next(struct nfs_places *places);
