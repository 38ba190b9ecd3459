/* The scratch directories that killed runs left: recognised by name and by their lease, if it has
 * expired and does not move between two looks. One that was killed before its lease was whole has
 * made an empty directory, which is recognised by its name and mode. */
#pragma once

#include "nfs/objects/lease.h"
#include "nfs/objects/scratch.h"

struct nfs_leftover {
    struct nfs_scratch scratch; /* its names and paths are the caller's */
    struct nfs_lease lease;     /* all zeros: it was never whole */
    /* Seconds of the server's clock: when the lease was renewed, 0: its run has ended; without a
     * lease, when the directory changed. */
    uint32_t renewed;
};

/* May the directory that LEFTOVER's scratch names by base and name be removed? 0 with the rest of
 * LEFTOVER set; or a negative errno with ERROR set, which says why it stays (-ENOENT: it is gone),
 * or (ERROR_UNREACHABLE) that the server is unreachable. Nothing changes but the lease's times, and
 * those only where the lease is a run's. */
int nfs_leftover_judge(struct rpc_client *client, struct nfs_leftover *leftover,
                       struct error *error);

/* May the run of LEFTOVER, which was judged, be alive all the same, as the server's clock was set
 * forward, or it has only begun? A look NFS_LEASE_LOOKS_S later decides. */
bool nfs_leftover_needs_another_look(const struct nfs_leftover *leftover);

/* Check LEFTOVER, which was checked before, once more, and remove it if nothing has moved. 0, or a
 * negative errno with ERROR set, as above. */
int nfs_leftover_remove(struct rpc_client *client, const struct nfs_leftover *leftover,
                        struct error *error);
