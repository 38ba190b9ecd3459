/* System calls that make the kernel's NFSv3 client send exactly one RPC each, of a known procedure;
 * and those that it answers itself, as their baselines. One table has all that is known of them. */
#ifndef NFSBENCH_MOUNTED_OPERATION_H
#define NFSBENCH_MOUNTED_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/random.h"

enum {
    OPERATION_CALLS_MAXIMUM = 4096, /* in a block: each may have a file that is open meanwhile */
    OPERATION_NAME_SIZE = 32,
    OPERATION_FILE_SIZES = 16, /* the files' length is this many times what a call moves */
    OPERATION_NO_RPC = -1,
};

/* What operations work on; in the process that makes the calls. Descriptors are negative where
 * there is nothing. */
struct operation_objects {
    int target;      /* the directory that the user named; O_PATH */
    int scratch;     /* the run's own directory in it; O_PATH */
    int data;        /* a file in that one, read and written with O_DIRECT */
    int cached;      /* a second one, of the same length, all in the page cache */
    uint32_t size;   /* bytes that each call reads or writes */
    uint8_t *buffer; /* of them, aligned to a page */
    uint64_t serial; /* of the next name */
    struct random random;
    /* Of the calls of a block, by their numbers: */
    char names[OPERATION_CALLS_MAXIMUM][OPERATION_NAME_SIZE];
    char new_names[OPERATION_CALLS_MAXIMUM][OPERATION_NAME_SIZE];
    int files[OPERATION_CALLS_MAXIMUM];
    uint64_t offsets[OPERATION_CALLS_MAXIMUM];
};

struct mounted_operation {
    const char *op;          /* as nfs/procedures.h calls it; of a baseline, its own name */
    const char *system_call; /* for people */
    int procedure;           /* its number in NFSv3, or OPERATION_NO_RPC */
    bool scratch;            /* it needs the scratch directory */
    const char *baseline;    /* the operation that its cost is above; NULL: of baselines */
    const char *needs;       /* an option of the mount; NULL: none */
    /* Prepare call NUMBER; make it; remove what it left, or what was left for it. Only the second
     * is timed. They return 0 or a negative errno. The first and the last are NULL where there is
     * nothing to do. */
    int (*prepare)(struct operation_objects *objects, size_t number);
    int (*make)(struct operation_objects *objects, size_t number);
    int (*clear)(struct operation_objects *objects, size_t number);
};

/* The baseline of most: what the client answers from its cache, whatever its age. */
#define MOUNTED_CACHED "cached"

/* Ends with an entry whose op is NULL. */
extern const struct mounted_operation mounted_operations[];

/* The operation called OP, or NULL. */
const struct mounted_operation *mounted_operation_find(const char *op);

/* Open the directory PATH as the target. Returns 0 or a negative errno. */
int operation_objects_open(struct operation_objects *objects, const char *path);

/* Make the scratch directory NAME in it, with the files, for calls that move SIZE bytes. Returns 0
 * or a negative errno. */
int operation_objects_make(struct operation_objects *objects, const char *name, uint32_t size);

/* Remove the scratch directory, called NAME, with all that is in it, and close everything. Returns
 * 0 or a negative errno. */
int operation_objects_remove(struct operation_objects *objects, const char *name);

#endif
