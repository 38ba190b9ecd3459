/* Leftovers: scratch directories of runs that were killed. They are recognised by name and by an
 * expired lease that does not change between two checks. If a run was killed before it had written
 * its lease, the empty directory is recognised by its name and mode. */
#pragma once

#include "nfs/objects/lease.h"
#include "nfs/objects/scratch.h"

struct nfs_leftover {
    struct nfs_scratch scratch; /* the directory; the caller sets the names and paths */
    struct nfs_lease lease;     /* all zeros if the lease was never written completely */
    /* Seconds of the server's clock: when the lease was renewed, or 0 if its run has ended; without
     * a lease, when the directory changed. */
    uint32_t renewed;
};

/* Decide whether the directory that LEFTOVER's scratch names may be removed. Returns 0 with the
 * rest of LEFTOVER set, or a negative errno with ERROR set: why it must stay (-ENOENT: it is gone),
 * or (ERROR_UNREACHABLE) that the server is unreachable. Only the times of a lease are changed. */
int nfs_leftover_check(struct rpc_client *client, struct nfs_leftover *leftover,
                       struct error *error);

/* Return whether the run of LEFTOVER, which was judged removable, may still be alive: the server's
 * clock was set forward, or the run has just started. A check NFS_LEASE_CHECK_INTERVAL_S later
 * decides. */
bool nfs_leftover_needs_another_look(const struct nfs_leftover *leftover);

/* Judge LEFTOVER again, and remove it if nothing has changed. Returns 0, or a negative errno with
 * ERROR set, like nfs_leftover_check(). */
int nfs_leftover_remove(struct rpc_client *client, const struct nfs_leftover *leftover,
                        struct error *error);
