/* The engine on local files. It makes each READ, WRITE or COMMIT without NFS, as one system call of
 * the calling thread. It is not a choice of --engine. A run that compares NFS with local files
 * measures both in the same rounds. */
#pragma once

#include "engine/engine.h"
#include "local/files.h"

enum local_kind {
    LOCAL_READ,   /* pread(2) */
    LOCAL_WRITE,  /* pwritev2(2) */
    LOCAL_COMMIT, /* fsync(2) */
    LOCAL_KINDS,
};

/* One kind of call. If a call has a place (engine/patch.h), the place names the file and the
 * offset. Otherwise the first file and OFFSET are used. */
struct local_call {
    /* If a block mixes several kinds of calls, call NUMBER is PARTS[ORDER[NUMBER]], and the members
     * below equal those of PARTS[0]. NULL: all calls are of this kind. */
    const struct local_call *parts;
    const size_t *order;
    enum local_kind kind;
    int flags; /* flags of pwritev2(2): 0, RWF_DSYNC or RWF_SYNC */
    const struct local_files *files;
    uint64_t offset;
    uint32_t size;       /* bytes that each call reads or writes */
    const uint8_t *data; /* SIZE bytes to be written */
};

extern const struct engine_type engine_local;
