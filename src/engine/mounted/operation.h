/* System calls that make the kernel's NFSv3 client send exactly one or two RPCs of known
 * procedures, and system calls without an RPC, which are the baselines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/random.h"

enum {
    OPERATION_CALLS_MAXIMUM = 4096, /* most calls in a block; each may have an open file */
    OPERATION_NAME_SIZE = 32,
    OPERATION_FILE_SIZES = 16, /* length of the files, in units of a call's size */
    OPERATION_STEPS = 4,       /* most steps to prepare a call or to clear up after it */
    OPERATION_NO_RPC = -1,
    /* Used in place of an errno if wrong data were read; greater than every errno. */
    OPERATION_DATA_MISMATCH = 4096,
};

/* Objects that operations use, in the process that makes the calls (caller.h). Negative descriptors
 * are not open. */
struct operation_objects {
    int target;      /* directory or file that the user named; O_PATH */
    int scratch;     /* the run's own directory in TARGET; O_PATH */
    int data;        /* file in SCRATCH, read and written with O_DIRECT; or the target */
    int cached;      /* second file in SCRATCH, for cached reads; or the target */
    uint32_t size;   /* bytes that each call reads or writes */
    uint64_t length; /* length of DATA in bytes; CACHED has the same length */
    /* PLACES: number of areas of SIZE bytes in DATA. CACHED_PLACES: number of areas of SIZE bytes
     * in CACHED that are in the page cache. */
    uint64_t places, cached_places;
    uint8_t *buffer; /* SIZE bytes, aligned to a page */
    bool verify;     /* true: verify data that were read or written */
    uint64_t stamp;  /* stamp of the latest data (see operation_data_fill()) */
    /* Stamps of DATA's areas; unused if DATA is the target. 0: unknown, because a WRITE failed. */
    uint64_t stamps[OPERATION_FILE_SIZES];
    uint64_t serial; /* counter for new names and times */
    struct random random;
    /* Arrays indexed by the number of a call in the block: */
    char names[OPERATION_CALLS_MAXIMUM][OPERATION_NAME_SIZE];
    char new_names[OPERATION_CALLS_MAXIMUM][OPERATION_NAME_SIZE];
    int files[OPERATION_CALLS_MAXIMUM];
    uint64_t offsets[OPERATION_CALLS_MAXIMUM];
};

enum operation_object {
    OPERATION_TARGET,  /* the target */
    OPERATION_FILE,    /* the target if it is a file, otherwise files in the scratch directory */
    OPERATION_SCRATCH, /* files and names in the scratch directory */
};

struct mounted_operation {
    /* Name of the op, as in nfs/procedures/procedures.h; a baseline has a name of its own. */
    const char *op;
    const char *system_call; /* description for messages */
    int procedure;           /* NFSv3 procedure of the (first) RPC, or OPERATION_NO_RPC */
    int second;              /* procedure of the second RPC; 0: only one RPC */
    enum operation_object object;
    const char *baseline; /* name of the operation whose cost is subtracted; NULL: none */
    const char *needs;    /* required mount option; NULL: none */
    /* true: several processes can make the same prepared calls again and again, and each call sends
     * its RPC, if any; false: repeated calls would fail or not send their RPC. */
    bool repeats;
    /* Steps for call NUMBER, in this order. PREPARE: prepare the call; the steps end at the first
     * error. SETTLE: after all COUNT calls' PREPARE, finish preparing them. RENEW: just before the
     * call, change its data or undo the effects of the previous call, without an RPC. MAKE: make
     * the call; only this is timed. CHECK: if requested, verify or note the call's data, without an
     * RPC. CLEAR: remove the call's files, and verify the data that it wrote; all steps are
     * executed, even after an error. All functions but MAKE may be NULL. All but RENEW return 0, a
     * negative errno or -OPERATION_DATA_MISMATCH. */
    int (*prepare[OPERATION_STEPS])(struct operation_objects *objects, size_t number);
    int (*settle)(struct operation_objects *objects, size_t count);
    void (*renew)(struct operation_objects *objects, size_t number);
    int (*make)(struct operation_objects *objects, size_t number);
    int (*check)(struct operation_objects *objects, size_t number);
    int (*clear[OPERATION_STEPS])(struct operation_objects *objects, size_t number);
};

/* Baseline of most operations: attributes from the client's cache, however old. */
#define MOUNTED_CACHED "cached"

/* Baseline of the op "read": a read from the page cache. */
#define MOUNTED_READ_CACHED "read-cached"

/* Table of all operations; ends with an entry whose OP is NULL. */
extern const struct mounted_operation mounted_operations[];

/* Return the stamp of the initial data in area PLACE of the files DATA and CACHED. */
static inline uint64_t operation_first_stamp(uint64_t place)
{
    return place + 1;
}

/* Return the operation called OP, or NULL. */
const struct mounted_operation *mounted_operation_find(const char *op);

/* Open PATH, a directory or a file, as the target. Returns 0 or a negative errno. */
int operation_objects_open(struct operation_objects *objects, const char *path);

/* Make the scratch directory NAME with its two files, for calls that read or write SIZE bytes.
 * Returns 0 or a negative errno. */
int operation_objects_make(struct operation_objects *objects, const char *name, uint32_t size);

/* Open the target, a file of at least SIZE bytes, for calls that read SIZE bytes, and read its
 * beginning into the page cache. Returns 0 or a negative errno. */
int operation_objects_use_file(struct operation_objects *objects, uint32_t size);

/* Remove the scratch directory NAME with its contents, if it was made, and close all descriptors.
 * Returns 0 or a negative errno. */
int operation_objects_remove(struct operation_objects *objects, const char *name);
