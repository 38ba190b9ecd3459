/* Verification of the effects of calls (--verify), untimed and mostly after each block. Each
 * change that the server acknowledged must be there:
 * - WRITE: each call writes different data (nfs/verify/stamp.h) to a place that no other WRITE of
 *   the block uses. The data are read back after COMMIT.
 * - Names, attributes and the data of COMMIT are checked one by one by the procedures' verify().
 * - READ of files that the run made: the data state their file and offset, which are checked when
 *   the reply arrives.
 * - READ of several places in existing files: the data are compared with an untimed READ of the
 *   same range after the block. (Data of one place are compared with a READ of set-up:
 *   nfs/objects/data_plan.h.) */
#pragma once

#include "nfs/call.h"

bool nfs_verify_has(const struct nfs_procedure *procedure, const struct nfs_objects *objects);

/* Set up the verification of CALL, which nfs_call_make() has filled. Returns 0 or -ENOMEM. */
int nfs_verify_open(struct nfs_call *call);
void nfs_verify_close(struct nfs_call *call);

/* Begin the verification of the next COUNT calls, whose places are drawn, and make the files that
 * they need. No call is acknowledged yet. Returns 0, or a negative errno with ERROR set. */
int nfs_verify_begin(struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error);

/* Encode the next COUNT calls anew, if CALL's procedure is `renewed`. Returns 0, or a negative
 * errno with ERROR set. */
int nfs_verify_encode(struct nfs_call *call, size_t count, struct error *error);

/* If calls on OBJECTS are verified, read back the file set that the run made. Each record must
 * state its place, and any pass. If the files exceed NFS_VERIFY_BYTES, or can't be read until
 * DEADLINE, only evenly spaced ranges are read. *READ: number of bytes read. *ALL: number of bytes
 * in all files (0 if calls are not verified). Returns what nfs_verify_effects() returns. */
#define NFS_VERIFY_BYTES (UINT64_C(1) << 30)
int nfs_verify_files(const struct nfs_objects *objects, struct rpc_client *client,
                     const struct deadline *deadline, uint64_t *read, uint64_t *all,
                     struct error *error);

/* Check the effect of each of COUNT calls that was acknowledged. Of the calls on names and SETATTRs
 * that were not acknowledged, count those that had an effect and those that had none. Returns 0;
 * -NFS_NOT_AS_WRITTEN if an effect is missing or wrong; or another negative errno; each with ERROR
 * set. */
int nfs_verify_effects(const struct nfs_call *call, size_t count, struct rpc_client *client,
                       struct error *error);

/* Numbers of an op's calls so far that were not acknowledged and whose effects were looked up. */
struct nfs_unacknowledged {
    uint64_t done, undone; /* calls that had their effect nevertheless, and calls that had none */
};
struct nfs_unacknowledged nfs_verify_unacknowledged(const struct nfs_call *call);
