/* A file handle: opaque to everybody but the server (RFC 1813 section 2.3.3). */
#ifndef NFSBENCH_NFS_HANDLE_H
#define NFSBENCH_NFS_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFS_HANDLE_MAXIMUM = 64 /* NFS3_FHSIZE and FHSIZE3 */ };

struct nfs_handle {
    uint32_t length;
    char bytes[NFS_HANDLE_MAXIMUM];
};

/* Copy a handle off the wire; false when its length is 0 or over the limit. */
bool nfs_handle_set(struct nfs_handle *handle, const char *bytes, size_t length);

#endif
