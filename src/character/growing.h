/* Directories of more and more entries, and calls on them. */
#ifndef NFSBENCH_CHARACTER_GROWING_H
#define NFSBENCH_CHARACTER_GROWING_H

#include "character/crowd.h"

enum { GROWING_SIZES = 6, GROWING_FIRST = 10, GROWING_STEP = 10 };

enum growing_operation {
    GROWING_LOOKUP,
    GROWING_CREATE,
    GROWING_REMOVE,
    GROWING_READDIR, /* the whole list */
    GROWING_READDIRPLUS,
    GROWING_OPERATIONS,
};

struct growing {
    struct lab *lab;
    size_t made;  /* directories */
    size_t count; /* of the sizes that are looked at: the first so many */
    uint32_t sizes[GROWING_SIZES];
    struct nfs_handle handles[GROWING_SIZES];
    struct crowd many, one; /* with many calls in flight, and with one */
    struct nfs_objects objects[GROWING_SIZES];
    struct nfs_call lists[2][GROWING_SIZES]; /* by READDIR, by READDIRPLUS */
    uint32_t turn;                           /* chooses the names that are looked up */
};

/* Make directories of GROWING_FIRST entries, GROWING_STEP times as many, and so on to the plan's
 * entries, as far as there is time for that, to list them and to empty them. Returns 0 with two
 * sizes or more, or a negative errno with ERROR set; call growing_close() in either case. */
int growing_open(struct growing *growing, struct lab *lab, struct error *error);

/* Empty them, as far as there is time: what is left is removed with the scratch directory. */
void growing_close(struct growing *growing);

/* Make OPERATION once in the directory of SIZE, an index. *TICKS is what it took: what it needs
 * before, and what undoes it, is left out. Returns 0, or a negative errno with ERROR set. */
int growing_call(struct growing *growing, enum growing_operation operation, size_t size,
                 uint64_t *ticks, struct error *error);

/* List the directory of SIZE in replies of BYTES. As growing_call(). */
int growing_walk(struct growing *growing, bool plus, uint32_t bytes, size_t size, uint64_t *ticks,
                 struct error *error);

#endif
