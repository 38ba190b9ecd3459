/* The lease: a file in a scratch directory that names the run that made the directory. The run
 * renews the lease by setting its time of last change (mtime) to now. Ages are measured by the
 * server's clock, so the clocks of different clients need not agree. */
#pragma once

#include <stdbool.h>

#include "common/system_clock.h"
#include "nfs/client.h"
#include "nfs/objects/scratch_name.h"

#define NFS_LEASE_FILE ".nfsbench-lease"

enum {
    NFS_LEASE_RENEWAL_S = 30,  /* interval at which a run renews its lease, in seconds */
    NFS_LEASE_EXPIRED_S = 180, /* age in seconds after which the run counts as dead */

    /* Interval between two checks of a lease, in seconds. A live run renews its lease between them,
     * because a renewal takes at most one second. */
    NFS_LEASE_CHECK_INTERVAL_S = NFS_LEASE_RENEWAL_S + 2,

    NFS_LEASE_TEXT_SIZE = 640,
};

struct nfs_lease {
    uint64_t nonce; /* random number, different for every run */
    char host[NFS_HOST_NAME_SIZE];
    long process;
    char started[SYSTEM_CLOCK_TEXT_SIZE];
    /* Fileid3 of the scratch directory. A copy of the directory has a different fileid3. */
    uint64_t directory_id;
    char name[NFS_NAME_SIZE]; /* name of the directory */
};

/* nfs_lease_print() writes LEASE to TEXT and returns the length. nfs_lease_parse() reads LEASE from
 * TEXT, and returns false for any text that nfs_lease_print() does not produce. */
size_t nfs_lease_print(const struct nfs_lease *lease, char text[NFS_LEASE_TEXT_SIZE]);
bool nfs_lease_parse(struct nfs_lease *lease, const char *text, size_t length);

/* Set LEASE for this process and for DIRECTORY, which is called NAME, starting now. */
void nfs_lease_begin(struct nfs_lease *lease, const struct nfs_node *directory, const char *name);

/* The functions below return 0 or a negative errno with ERROR set, as nfs/client.h says. PATH is
 * the path of the directory. */

/* Make the lease file in DIRECTORY on stable storage, and store its handle in *FILE. */
int nfs_lease_write(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                    const struct nfs_lease *lease, struct nfs_handle *file, struct error *error);

/* nfs_lease_renew() records that the run is alive, nfs_lease_end() that it has ended. After
 * NFS3ERR_JUKEBOX, both return -EAGAIN. */
int nfs_lease_renew(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                    struct error *error);
int nfs_lease_end(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  struct error *error);

/* Read the lease in DIRECTORY, which is called NAME, into *LEASE, and store the lease's handle in
 * *FILE. Returns -ENOENT if there is no lease or it is empty, -EBADMSG if nfsbench did not write it
 * for DIRECTORY and NAME. */
int nfs_lease_read(struct rpc_client *client, const struct nfs_node *directory, const char *path,
                   const char *name, struct nfs_lease *lease, struct nfs_handle *file,
                   struct error *error);

/* Store in *FILE the handle of the lease in DIRECTORY, which is called NAME, if its nonce is NONCE.
 * The fileid of DIRECTORY is not compared, because some servers give all objects new fileids when
 * they restart. Returns as nfs_lease_read(), and -EBADMSG for another nonce. */
int nfs_lease_find(struct rpc_client *client, const struct nfs_node *directory, const char *path,
                   const char *name, uint64_t nonce, struct nfs_handle *file, struct error *error);

/* Set *RENEWED to the time of the last renewal of the lease FILE, in seconds of the server's clock,
 * and *SECONDS to the number of seconds since then. To learn the server's current time, the lease
 * is renewed, and its earlier time is restored. If the run of the lease has ended, *RENEWED is 0,
 * *SECONDS is UINT64_MAX, and the lease is not renewed. Returns -EBADMSG if the server returns
 * invalid times, and -EAGAIN if setting a time got NFS3ERR_JUKEBOX. */
int nfs_lease_age(struct rpc_client *client, const struct nfs_handle *file, const char *path,
                  uint32_t *renewed, uint64_t *seconds, struct error *error);
