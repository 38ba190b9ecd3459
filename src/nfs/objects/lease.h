/* The lease in a scratch directory: a file that says which run made the directory, and whose time
 * of last change is when that run was last known to be alive. Only nfsbench writes such files. All
 * times are the server's; no other machine's clock is read. */
#pragma once

#include <stdbool.h>

#include "common/system_clock.h"
#include "nfs/client.h"
#include "nfs/objects/scratch_name.h"

#define NFS_LEASE_FILE ".nfsbench-lease"

enum {
    NFS_LEASE_RENEWAL_S = 30,  /* a run renews it at this interval */
    NFS_LEASE_EXPIRED_S = 180, /* and counts as dead when it has not for this long */

    /* Of two looks so far apart the second sees what a live run has renewed, which takes a second
     * at most. */
    NFS_LEASE_LOOKS_S = NFS_LEASE_RENEWAL_S + 2,

    NFS_LEASE_TEXT_SIZE = 640,
};

/* The contents of the file. */
struct nfs_lease {
    uint64_t nonce; /* random: no two runs have the same */
    char host[NFS_HOST_NAME_SIZE];
    long process;
    char started[SYSTEM_CLOCK_TEXT_SIZE];
    uint64_t directory_id;    /* fileid3 of the directory: a copy of it has another one */
    char name[NFS_NAME_SIZE]; /* the directory's */
};

/* Write the lease to TEXT and return the length, or read it from TEXT. Reading is strict: false for
 * anything that writing does not produce. */
size_t nfs_lease_print(const struct nfs_lease *lease, char text[NFS_LEASE_TEXT_SIZE]);
bool nfs_lease_parse(struct nfs_lease *lease, const char *text, size_t length);

/* Fill in a lease of this process for DIRECTORY, which is called NAME, starting now. */
void nfs_lease_begin(struct nfs_lease *lease, const struct nfs_node *directory, const char *name);

/* Every function below returns 0 or a negative errno with ERROR set, as nfs/client.h says. PATH is
 * the directory's. */

/* Make the file in DIRECTORY, on stable storage, and take its handle. */
int nfs_lease_write(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                    const struct nfs_lease *lease, struct nfs_handle *file, struct error *error);

/* Record that the run is alive, or that it has ended. Neither tries again after NFS3ERR_JUKEBOX. */
int nfs_lease_renew(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                    struct error *error);
int nfs_lease_end(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  struct error *error);

/* Find the file in DIRECTORY and read it: -ENOENT where there is none or it is empty, -EBADMSG
 * where it is not one that nfsbench wrote for DIRECTORY and NAME. */
int nfs_lease_read(struct rpc_client *client, const struct nfs_node *directory, const char *path,
                   const char *name, struct nfs_lease *lease, struct nfs_handle *file,
                   struct error *error);

/* As nfs_lease_read(), but the lease must be the one with NONCE, this run's own, whatever fileid
 * DIRECTORY has: some servers give other fileids to all objects when they start again. */
int nfs_lease_find(struct rpc_client *client, const struct nfs_node *directory, const char *path,
                   const char *name, uint64_t nonce, struct nfs_handle *file, struct error *error);

/* When was it renewed, in seconds of the server's clock (0: its run has ended), and how many
 * seconds ago? The server's current time is found by renewing it; it is then set back. -EBADMSG if
 * the times that come back are invalid. */
int nfs_lease_age(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  uint32_t *renewed, uint64_t *seconds, struct error *error);
