/* Statuses by name: nfsstat3 (RFC 1813 section 2.6), mountstat3 (section 5.1.5), and what is wrong
 * with a reply that says NFS3_OK. */
#ifndef NFSBENCH_NFS_STATUS_H
#define NFSBENCH_NFS_STATUS_H

/* Findings of a reply's check that are no nfsstat3. */
enum {
    NFS_SHORT_READ = 20001,   /* READ returned another number of bytes than at first */
    NFS_DATA_MISMATCH,        /* READ returned other bytes than at first, or than were written */
    NFS_ATTRIBUTES_MISMATCH,  /* an object's type, fileid or size is not what it was */
    NFS_SHORT_WRITE,          /* WRITE took fewer bytes than it was given */
    NFS_NOT_STABLE,           /* WRITE's data is less stable than was asked for */
    NFS_VERIFIER_CHANGED,     /* the write verifier: the server has started again */
    NFS_MOUNT_STATUS = 30000, /* plus a mountstat3, for MNT */
};

enum { NFS_STATUS_NAME_SIZE = 32 };

/* The name of an nfsstat3, of a finding above, or, for a negative one, of minus an rpc_outcome:
 * "NFS3ERR_STALE", "SHORT_READ", "RPC_PROCUNAVAIL"; a number where it has none. Returns a constant
 * or BUFFER. */
const char *nfs_status_name(int status, char buffer[NFS_STATUS_NAME_SIZE]);

/* The nfsstat3 called NAME ("NFS3ERR_STALE"), other than NFS3_OK; -1: there is none. */
int nfs_status_find(const char *name);

/* The name of a mountstat3: "MNT3ERR_NOENT". */
const char *nfs_mount_status_name(int status, char buffer[NFS_STATUS_NAME_SIZE]);

#endif
