/* Names of statuses: nfsstat3 (RFC 1813 section 2.6), mountstat3 (section 5.1.5), errors of RPC and
 * of the system, and findings of the client about a reply with NFS3_OK. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Findings of the client's check of a reply. The numbers don't collide with nfsstat3. */
enum {
    /* READ returned another number of bytes than expected (procedures/procedures_read.c). */
    NFS_SHORT_READ = 20001,
    /* READ returned other data than set-up read, or than the run wrote, at the same place. */
    NFS_DATA_MISMATCH,
    NFS_ATTRIBUTES_MISMATCH, /* the type, fileid or size of the file has changed */
    NFS_SHORT_WRITE,         /* the server accepted another number of bytes than expected */
    NFS_NOT_STABLE,          /* the data of WRITE are less stable than requested */
    NFS_VERIFIER_CHANGED,    /* the write verifier changed, because the server restarted */
    NFS_COOKIE_REPEATED,     /* the cookies of a directory lead back to an earlier entry */
    NFS_LIST_ENDLESS,        /* the limit on entries of nfs/listing.h was exceeded */
    NFS_LIST_TOO_LARGE, /* the limit on memory of nfs/listing.h was exceeded, or memory is short */
    NFS_LIST_TOO_SLOW,  /* the limit on time of nfs/listing.h was exceeded */
    NFS_NOT_REFUSED,    /* a call that the server was expected to refuse has succeeded */
    NFS_MOUNT_STATUS = 30000, /* this number plus a mountstat3 is a status of MNT */
};

enum { NFS_STATUS_NAME_SIZE = 32 };

/* Return the name of STATUS: an nfsstat3 ("NFS3ERR_STALE"), a finding ("SHORT_READ"), an errno of a
 * system call plus ENGINE_SYSTEM_ERROR ("ESTALE"), a mountstat3 plus NFS_MOUNT_STATUS, a negated
 * rpc_outcome ("RPC_PROCUNAVAIL"), or -EBADMSG ("RPC_CANTDECODERES"); else "nfsstat3" or
 * "mountstat3" and the number. Returns a constant or BUFFER. */
const char *nfs_status_name(int status, char buffer[NFS_STATUS_NAME_SIZE]);

struct error;

/* Return the meaning of STATUS as a clause for people, if STATUS is a finding of the client; NULL
 * for other statuses, whose names come from the server or the system. */
const char *nfs_status_finding(int status);

/* Return the meaning of STATUS if it is NFS_COOKIE_REPEATED or (with advice) an exceeded limit of a
 * listing; else return NULL. */
const char *nfs_listing_finding(int status);

/* Return text to append to the name of STATUS, an nfsstat3, in a message: why servers give this
 * status. "" for most statuses. */
const char *nfs_status_hint(int status);

/* Set ERROR: a call of PROCEDURE had the result STATUS, which is not success. Returns -EIO. */
int nfs_status_describe(int status, const char *procedure, struct error *error);

struct engine_tally;

/* Write the errors of TALLY to TEXT, as "NFS3ERR_NOENT 12, RPC_AUTHERROR 1". TEXT has SIZE bytes,
 * at least 1, and is truncated to fit. Returns TEXT. */
const char *nfs_describe_errors(const struct engine_tally *tally, char *text, size_t size);

/* Return the name of the nfsstat3 with index INDEX, from 0 on, in the order of values without
 * NFS3_OK; NULL after the last. */
const char *nfs_status_name_at(size_t index);

/* Return the nfsstat3 called NAME: "NFS3ERR_STALE", or "nfsstat3 N" if the value N has no name and
 * is less than NFS3ERR_JUKEBOX. Returns -1 for NFS3_OK and for any other name. */
int nfs_status_find(const char *name);

/* Return the name of STATUS, a mountstat3 ("MNT3ERR_NOENT"); else "mountstat3" and the number. */
const char *nfs_mount_status_name(uint32_t status, char buffer[NFS_STATUS_NAME_SIZE]);
