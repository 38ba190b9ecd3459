/* Leftovers: scratch directories of runs that were killed. The lease in a leftover names the
 * directory. The lease says that the run has ended, or two checks find the lease expired and
 * unchanged. If a run was killed before it had written its lease, the empty directory is recognised
 * by its name and mode. */
#pragma once

#include "nfs/objects/lease.h"
#include "nfs/objects/scratch.h"

struct nfs_leftover {
    struct nfs_scratch scratch; /* the directory; the caller sets `name`, `base` and `base_path` */
    struct nfs_lease lease;     /* the caller sets zeros; a complete lease replaces them */
    /* Time of the last renewal of the lease, in seconds of the server's clock; 0 if its run has
     * ended. Without a complete lease, the directory's time of last change. */
    uint32_t renewed;
};

/* Decide whether LEFTOVER's directory may be removed. If so, returns 0 and sets the members of
 * LEFTOVER that the caller has not set. Else returns a negative errno with ERROR set to the reason:
 * -ENOENT if the directory is gone; ERROR_UNREACHABLE if the server is unreachable. On the server,
 * only the lease's times are changed. */
int nfs_leftover_check(struct rpc_client *client, struct nfs_leftover *leftover,
                       struct error *error);

/* Return whether LEFTOVER, which was judged removable, must be checked again after
 * NFS_LEASE_CHECK_INTERVAL_S. False only if the lease says that the run has ended. Else the run may
 * be alive: the server's clock may have been set forward, or the run may have just started. */
bool nfs_leftover_needs_another_look(const struct nfs_leftover *leftover);

/* Check LEFTOVER again, and remove it if its lease has not changed. Without a lease, the time of
 * last change of the directory must be the same. Returns -EBUSY if LEFTOVER has changed, else as
 * nfs_leftover_check() and nfs_scratch_remove() do. */
int nfs_leftover_remove(struct rpc_client *client, const struct nfs_leftover *leftover,
                        struct error *error);
