/* System calls that make the kernel's NFSv3 client send exactly one RPC each, of a known procedure,
 * or two; and those that it answers itself, as their baselines. One table has all that is known of
 * them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/random.h"

enum {
    OPERATION_CALLS_MAXIMUM = 4096, /* in a block: each may have a file that is open meanwhile */
    OPERATION_NAME_SIZE = 32,
    OPERATION_FILE_SIZES = 16, /* the files' length is this many times what a call moves */
    OPERATION_STEPS = 4,       /* to prepare a call, or to clear up after it */
    OPERATION_NO_RPC = -1,
    OPERATION_DATA_MISMATCH = 4096, /* in place of an errno, which is less: other data were read
                                     * than were written */
};

/* What operations work on; in the process that makes the calls. Descriptors are negative where
 * there is nothing. */
struct operation_objects {
    int target;      /* the directory or file that the user named; O_PATH */
    int scratch;     /* the run's own directory in it; O_PATH */
    int data;        /* a file in that one, read and written with O_DIRECT; or the target */
    int cached;      /* a second one, of the same length; or the target, for cached reads */
    uint32_t size;   /* bytes that each call reads or writes */
    uint64_t length; /* of either */
    uint64_t places, cached_places; /* of SIZE bytes in DATA, and those of CACHED that are in the
                                     * page cache */
    uint8_t *buffer;                /* of them, aligned to a page */
    bool verify;                    /* check what was read, and what was written */
    uint64_t stamp;                 /* of the latest data (operation_data_fill()) */
    uint64_t stamps[OPERATION_FILE_SIZES]; /* of the places of DATA, unless it is the target; 0: a
                                            * WRITE failed, so that it is not known */
    uint64_t serial;                       /* of the next name */
    struct random random;
    /* Of the calls of a block, by their numbers: */
    char names[OPERATION_CALLS_MAXIMUM][OPERATION_NAME_SIZE];
    char new_names[OPERATION_CALLS_MAXIMUM][OPERATION_NAME_SIZE];
    int files[OPERATION_CALLS_MAXIMUM];
    uint64_t offsets[OPERATION_CALLS_MAXIMUM];
};

enum operation_object {
    OPERATION_TARGET,  /* the target */
    OPERATION_FILE,    /* if the target is a file, that; else files in the scratch directory */
    OPERATION_SCRATCH, /* files and names in the scratch directory */
};

struct mounted_operation {
    const char *op; /* as nfs/procedures/procedures.h calls it; of a baseline, its own name */
    const char *system_call; /* for people */
    int procedure;           /* its number in NFSv3, or OPERATION_NO_RPC */
    int second;              /* that of the second RPC, where a call sends two; else 0 */
    enum operation_object object;
    const char *baseline; /* the operation that its cost is above; NULL: of baselines */
    const char *needs;    /* an option of the mount; NULL: none */
    bool repeats; /* calls that were prepared can be made again and again, by several processes at
                     once, and each sends its RPC */
    /* Each step for call NUMBER. In order: prepare it, by steps that end at the first that fails;
     * finish what was prepared for COUNT calls; just before each call, without an RPC, undo what
     * the one before it left; make the call; if data are to be verified, check those that it moved,
     * without an RPC; remove what it left, or what was left for it, and verify what it wrote, by
     * steps that are all taken. Only the making is timed. They return 0, a negative errno or
     * -OPERATION_DATA_MISMATCH. All but MAKE are NULL where there is nothing to do. */
    int (*prepare[OPERATION_STEPS])(struct operation_objects *objects, size_t number);
    int (*settle)(struct operation_objects *objects, size_t count);
    void (*renew)(struct operation_objects *objects, size_t number);
    int (*make)(struct operation_objects *objects, size_t number);
    int (*check)(struct operation_objects *objects, size_t number);
    int (*clear[OPERATION_STEPS])(struct operation_objects *objects, size_t number);
};

/* The baseline of most: what the client answers from its cache, whatever its age. */
#define MOUNTED_CACHED "cached"

/* The baseline of reads: what it reads from the page cache. */
#define MOUNTED_READ_CACHED "read-cached"

/* Ends with an entry whose op is NULL. */
extern const struct mounted_operation mounted_operations[];

/* What PLACE of either file holds when it is made. */
static inline uint64_t operation_first_stamp(uint64_t place)
{
    return place + 1;
}

/* The operation called OP, or NULL. */
const struct mounted_operation *mounted_operation_find(const char *op);

/* Open PATH, a directory or a file, as the target. Returns 0 or a negative errno. */
int operation_objects_open(struct operation_objects *objects, const char *path);

/* Make the scratch directory NAME in it, with the files, for calls that move SIZE bytes. Returns 0
 * or a negative errno. */
int operation_objects_make(struct operation_objects *objects, const char *name, uint32_t size);

/* Open the target, a file of at least SIZE bytes, for calls that read SIZE bytes, and read its
 * beginning into the page cache. Returns 0 or a negative errno. */
int operation_objects_use_file(struct operation_objects *objects, uint32_t size);

/* Remove the scratch directory, called NAME, with all that is in it, and close everything. Returns
 * 0 or a negative errno. */
int operation_objects_remove(struct operation_objects *objects, const char *name);
