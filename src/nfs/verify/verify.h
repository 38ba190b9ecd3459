/* Verification of what calls did (--verify): after a block, and untimed, each change that the
 * server acknowledged is looked for. A WRITE of a verified call has data of its own
 * (nfs/verify/stamp.h) at a place that no other WRITE of the block has; it is read back after
 * COMMIT. Made and removed names, and attributes that were set, are looked up one by one (the
 * procedures' own verify()). READs of the run's files are compared with the file and the offset
 * that was asked for; those of several places in files that were there with an untimed READ of the
 * same range after the block. (READs of one place are compared with an untimed one that set-up
 * makes: nfs/objects/data_plan.h.) */
#pragma once

#include "nfs/call.h"

/* Is there anything to verify in calls of PROCEDURE on OBJECTS? */
bool nfs_verify_has(const struct nfs_procedure *procedure, const struct nfs_objects *objects);

/* Have CALL, which is made, verify its calls. Returns 0 or -ENOMEM. */
int nfs_verify_open(struct nfs_call *call);
void nfs_verify_close(struct nfs_call *call);

/* Begin the next COUNT calls, whose places are drawn: nothing is acknowledged yet. Returns 0, or a
 * negative errno with ERROR set. */
int nfs_verify_begin(struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error);

/* Encode these calls, where each has a message of its own. Returns as above. */
int nfs_verify_encode(struct nfs_call *call, size_t count, struct error *error);

/* Read the run's file set of OBJECTS back, if there is one and calls are verified: each part must
 * be data of its own place, of whatever pass. Beyond NFS_VERIFY_BYTES, or what can be read until
 * the DEADLINE, only some parts are read, evenly spread: *READ of *ALL bytes. Returns as
 * nfs_verify_effects(). */
#define NFS_VERIFY_BYTES (UINT64_C(1) << 30)
int nfs_verify_files(const struct nfs_objects *objects, struct rpc_client *client,
                     const struct deadline *deadline, uint64_t *read, uint64_t *all,
                     struct error *error);

/* Look for the effects of those of the COUNT calls that were acknowledged, and count those of the
 * others that can be seen, in calls of names and of SETATTR. Returns 0; -NFS_NOT_AS_WRITTEN with
 * ERROR set, if one is not what it should be; or another negative errno. */
int nfs_verify_effects(const struct nfs_call *call, size_t count, struct rpc_client *client,
                       struct error *error);

/* The calls of the run that had an error or no reply at all until now. */
struct nfs_unacknowledged {
    uint64_t done, undone; /* the server has carried them out all the same; or has not */
};
struct nfs_unacknowledged nfs_verify_unacknowledged(const struct nfs_call *call);
