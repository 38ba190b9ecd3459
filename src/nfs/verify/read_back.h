/* Reading back what was written, to compare it. */
#pragma once

#include "nfs/client.h"
#include "nfs/verify/stamp.h"

/* What a verification returns, negated, where the server does not have what it acknowledged. */
enum { NFS_NOT_AS_WRITTEN = 84 /* EILSEQ */ };

/* A range of a file of the scratch directory, and what it is to hold. */
struct nfs_written {
    const struct nfs_objects *objects;
    const struct nfs_handle *handle;
    const char *name; /* of the file, in the scratch directory */
    uint32_t length;
    struct nfs_stamp stamp; /* pass 0: nothing was ever written there */
};

/* Is that what the file has there? 0, -NFS_NOT_AS_WRITTEN or another negative errno, with ERROR
 * set. ACTION is what was acknowledged, for the message: "WRITE". */
int nfs_read_back(struct rpc_client *client, const struct nfs_written *written, const char *action,
                  struct error *error);

/* The same for a range whose parts may be of any pass up to that of the stamp or, if MAY_BE_EMPTY,
 * may have never been written. */
int nfs_read_back_any(struct rpc_client *client, const struct nfs_written *written,
                      bool may_be_empty, struct error *error);

/* Set ERROR: of WRITTEN, GOT bytes were read, DATA, of which only the first SAME are right. ACTION
 * may be NULL, if the data are not those of one call. Returns -NFS_NOT_AS_WRITTEN. */
int nfs_read_back_refuse(const struct nfs_written *written, const char *action, const uint8_t *data,
                         uint32_t got, size_t same, struct error *error);

/* The name that messages give to a file with the number FILE in stamps. */
enum { NFS_WRITTEN_NAME_SIZE = NFS_VARIANT_NAME_SIZE };
const char *nfs_written_name(uint32_t file, char name[NFS_WRITTEN_NAME_SIZE]);
