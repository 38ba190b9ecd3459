/* The engine for files on this machine: what a READ, WRITE or COMMIT is without NFS, one system
 * call by the thread that asks for it. No --engine chooses it: its calls are compared with another
 * engine's, in the same rounds. */
#pragma once

#include "engine/engine.h"
#include "local/files.h"

enum local_kind {
    LOCAL_READ,   /* pread(2) */
    LOCAL_WRITE,  /* pwritev2(2) */
    LOCAL_COMMIT, /* fsync(2) */
    LOCAL_KINDS,
};

/* Where a call has a place, that names one of the files and the offset; else it is the first file.
 */
struct local_call {
    /* Of a mix: call NUMBER of a block is PARTS[ORDER[NUMBER]], and the members below are those of
     * the first part. NULL: all calls are this one. */
    const struct local_call *parts;
    const size_t *order;
    enum local_kind kind;
    int flags; /* of pwritev2(2): 0, RWF_DSYNC or RWF_SYNC */
    const struct local_files *files;
    uint64_t offset;
    uint32_t size;       /* bytes that each call moves */
    const uint8_t *data; /* so many, to be written */
};

extern const struct engine_type engine_local;
