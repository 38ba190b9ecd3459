/* State of the verification of an op's blocks (nfs/verify/verify.h), and functions for READ and
 * WRITE. */
#pragma once

#include <stdatomic.h>

#include "common/hash.h"
#include "nfs/verify/verify.h"

/* Number of the block's WRITEs whose place is at OFFSET of FILE. With captured lengths, number of
 * the block's WRITEs to FILE; OFFSET is 0. */
struct nfs_claim {
    uint32_t file, writes; /* WRITES is 0 in a free entry */
    uint64_t offset;
};

struct nfs_read_hash {
    uint64_t hash;
    uint32_t length; /* length in bytes */
};

struct nfs_verification {
    struct nfs_unacknowledged unacknowledged;
    bool *acknowledged;    /* for each call of the block: true if the server reported success */
    size_t room;           /* number of elements allocated in ACKNOWLEDGED */
    uint32_t pass;         /* pass of the block; 0 for READs */
    atomic_bool is_wrong;  /* a READ returned data with wrong stamps */
    struct error mismatch; /* describes the first READ of wrong stamps */
    /* READs of existing files: length and hash of the data of each acknowledged READ. */
    struct nfs_read_hash *brought;
    size_t brought_room;
    struct hash_key key; /* key of the hashes */
    /* Files that were made for calls without a file set: one for each SETATTR of a block, or one
     * for all WRITEs. */
    struct nfs_handle *files;
    size_t file_count, file_room;
    uint32_t first_file; /* number in the name of the first of FILES */
    /* WRITEs without a file set: for each slot (a range of a WRITE's length) of their file, the
     * pass that last wrote it; 0 if none did; SLOT_UNKNOWN after an unacknowledged WRITE. */
    uint32_t *slots;
    size_t slot_room;
    /* WRITEs to the file set: a hash table of the places of this block's WRITEs. */
    struct nfs_claim *claims;
    size_t claim_room; /* number of elements allocated in CLAIMS, a power of 2 */
};

/* Return whether PROCEDURE is a READ whose data these functions verify. False for other procedures,
 * and for READs whose data are compared with the read plan's (struct nfs_read_plan). */
bool nfs_verify_has_reads(const struct nfs_procedure *procedure, const struct nfs_objects *objects);

/* Allocate the hashes of COUNT READs of CALL. Returns 0 or -ENOMEM. */
int nfs_verify_begin_reads(struct nfs_call *call, size_t count);

/* Handle the DATA that READ NUMBER of the block returned: check stamps, or record the hash of an
 * existing file's data. Returns 0 or NFS_DATA_MISMATCH. */
int nfs_verify_read(const struct nfs_call *call, size_t number, const void *data, uint32_t length);

/* Verify the data of each of COUNT READs that was acknowledged. Returns as nfs_verify_effects(). */
int nfs_verify_reads(const struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error);

/* Choose the places of CALL's next COUNT WRITEs, whose variants are set. Returns 0 or -ENOMEM. */
int nfs_verify_place_writes(struct nfs_call *call, size_t count);

/* Write the stamped data of WRITE NUMBER into its encoded message, and let its arguments point to
 * these data. */
void nfs_verify_stamp(struct nfs_call *call, size_t number);

/* COMMIT unstable data (rewrite them if the server has restarted), read back each of COUNT WRITEs
 * that was acknowledged, and check the slots between them. Returns as nfs_verify_effects(). */
int nfs_verify_writes(const struct nfs_call *call, size_t count, struct rpc_client *client,
                      struct error *error);
