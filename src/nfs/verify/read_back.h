/* Read written data back, and compare them with the expected data. */
#pragma once

#include "nfs/client.h"
#include "nfs/verify/stamp.h"

/* A verification returns -NFS_NOT_AS_WRITTEN if the server lacks what it acknowledged. */
enum { NFS_NOT_AS_WRITTEN = 84 /* EILSEQ */ };

/* A range of a file of the scratch directory, and its expected contents. */
struct nfs_written {
    const struct nfs_objects *objects;
    const struct nfs_handle *handle;
    const char *name; /* name of the file in the scratch directory */
    uint32_t length;
    struct nfs_stamp stamp; /* expected contents; pass 0 if the range was never written */
};

/* Check that the file contains WRITTEN; for pass 0, only zeros or nothing. ACTION is the
 * acknowledged call, for the message: "WRITE"; NULL if several calls may have written it. Returns
 * 0, -NFS_NOT_AS_WRITTEN or another negative errno, with ERROR set. */
int nfs_read_back(struct rpc_client *client, const struct nfs_written *written, const char *action,
                  struct error *error);

/* Check the range of WRITTEN. Each record may be of any pass from 1 to WRITTEN's stamp.pass. If
 * MAY_BE_EMPTY, a record may also be unwritten: zeros, or beyond the end of the file. Returns what
 * nfs_read_back() returns. */
int nfs_read_back_any(struct rpc_client *client, const struct nfs_written *written,
                      bool may_be_empty, struct error *error);

/* Set ERROR: the file has other data than WRITTEN. DATA are the GOT bytes that were read; only the
 * first SAME bytes are right. ACTION is as in nfs_read_back(). Returns -NFS_NOT_AS_WRITTEN. */
int nfs_read_back_refuse(const struct nfs_written *written, const char *action, const uint8_t *data,
                         uint32_t got, size_t same, struct error *error);

/* Return the name of file FILE in the scratch directory. FILE is a file's number in stamps
 * (nfs/verify/stamp.h). The result is a constant or NAME. */
enum { NFS_WRITTEN_NAME_SIZE = NFS_VARIANT_NAME_SIZE };
const char *nfs_written_name(uint32_t file, char name[NFS_WRITTEN_NAME_SIZE]);
