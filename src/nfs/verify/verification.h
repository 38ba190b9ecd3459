/* What is known of the calls of a block that are verified (nfs/verify/verify.h), and the parts of
 * it that are READ's and WRITE's. */
#pragma once

#include <stdatomic.h>

#include "common/hash.h"
#include "nfs/verify/verify.h"

/* How many WRITEs of the block go to the same place. */
struct nfs_claim {
    uint32_t file, writes; /* WRITES 0: the entry is free */
    uint64_t offset;
};

/* What a READ brought. */
struct nfs_brought {
    uint64_t hash;
    uint32_t length; /* bytes */
};

struct nfs_verification {
    struct nfs_unacknowledged unacknowledged;
    bool *acknowledged;    /* by number in the block: the server said that it was done */
    size_t room;           /* of ACKNOWLEDGED */
    uint32_t pass;         /* of the block */
    atomic_bool is_wrong;  /* a READ of the block brought wrong data, */
    struct error mismatch; /* as this says of the first one */
    /* READs of files that were there, by their number in the block, if they are acknowledged. */
    struct nfs_brought *brought;
    size_t brought_room;
    struct hash_key key; /* of the hashes */
    /* Files of the calls' own, where the run has no file set: one for each call or, of WRITEs, one
     * for all. */
    struct nfs_handle *files;
    size_t file_count, file_room;
    uint32_t first_file; /* the number in the name of the first */
    /* WRITEs to a file of their own: by slot, a range of as many bytes as a WRITE has, the pass
     * that wrote it last. 0: none; SLOT_UNKNOWN: a WRITE that was not acknowledged. */
    uint32_t *slots;
    size_t slot_room;
    /* WRITEs to the file set: a hash table of the places that they go to in this block. */
    struct nfs_claim *claims;
    size_t claim_room; /* a power of 2 */
};

/* Is PROCEDURE a READ whose data are verified here, and not by the plan's data? */
bool nfs_verify_has_reads(const struct nfs_procedure *procedure, const struct nfs_objects *objects);

/* Make room for what COUNT READs of CALL bring. Returns 0 or -ENOMEM. */
int nfs_verify_begin_reads(struct nfs_call *call, size_t count);

/* Check or keep what READ number NUMBER of the block brought: DATA, LENGTH bytes. Returns 0 or
 * NFS_DATA_MISMATCH. */
int nfs_verify_read(const struct nfs_call *call, size_t number, const void *data, uint32_t length);

/* Compare what the acknowledged of COUNT READs brought. Returns as nfs_verify_effects(). */
int nfs_verify_reads(const struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error);

/* Choose the places of the next COUNT WRITEs of CALL, whose variants are there. 0 or -ENOMEM. */
int nfs_verify_place_writes(struct nfs_call *call, size_t count);

/* Write the data of call NUMBER, which is encoded, into its message, and have its arguments point
 * at them. */
void nfs_verify_stamp(struct nfs_call *call, size_t number);

/* COMMIT what the acknowledged of COUNT WRITEs wrote, and read it back. Returns as
 * nfs_verify_effects(). */
int nfs_verify_writes(const struct nfs_call *call, size_t count, struct rpc_client *client,
                      struct error *error);
