/* Data types that several results share (RFC 1813 section 2.6). A malformed item marks READER as
 * failed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nfs3.h"
#include "rpc/wire.h"

enum { NFS_HANDLE_MAXIMUM = 64 /* NFS3_FHSIZE and FHSIZE3, in bytes */ };

/* A file handle (nfs_fh3). */
struct nfs_handle {
    uint32_t length;
    char bytes[NFS_HANDLE_MAXIMUM];
};

/* Copy LENGTH BYTES to HANDLE. Returns true, or false if LENGTH is 0 or above
 * NFS_HANDLE_MAXIMUM. */
bool nfs_handle_set(struct nfs_handle *handle, const char *bytes, size_t length);

static inline bool nfs_handle_equal(const struct nfs_handle *one, const struct nfs_handle *other)
{
    return one->length == other->length && memcmp(one->bytes, other->bytes, one->length) == 0;
}

/* Return HANDLE as rpcgen's structure, which points into HANDLE. */
nfs_fh3 nfs_handle_argument(const struct nfs_handle *handle);

/* The members of a fattr3 that the checks need. */
struct nfs_item_attributes {
    bool given; /* false: the server sent no attributes */
    ftype3 type;
    uint64_t size, file_id;
    uint64_t modified; /* mtime: seconds in the upper half, nanoseconds in the lower half */
    uint64_t fsid;     /* in wire byte order, because it is only compared */
};

/* nfs_item_attributes() reads a fattr3, nfs_item_post_op_attr() a post_op_attr. */
struct nfs_item_attributes nfs_item_attributes(struct wire_reader *reader);
struct nfs_item_attributes nfs_item_post_op_attr(struct wire_reader *reader);

/* nfs_item_handle() skips an nfs_fh3 (an empty one fails); nfs_item_post_op_handle() a
 * post_op_fh3. */
void nfs_item_handle(struct wire_reader *reader);
void nfs_item_post_op_handle(struct wire_reader *reader);

void nfs_item_wcc(struct wire_reader *reader);

/* Skip a directory entry of READDIR, or fileid, name and cookie of an entry of READDIRPLUS. */
void nfs_item_entry(struct wire_reader *reader);
