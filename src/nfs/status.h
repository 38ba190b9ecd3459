/* Statuses by name: nfsstat3 (RFC 1813 section 2.6), mountstat3 (section 5.1.5), and the findings
 * about a reply with NFS3_OK. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Findings of a reply's check, beyond nfsstat3. */
enum {
    NFS_SHORT_READ = 20001, /* READ returned a different number of bytes from the first one */
    NFS_DATA_MISMATCH, /* READ returned different bytes from the first one, or from those written */
    NFS_ATTRIBUTES_MISMATCH,  /* an object's type, fileid or size has changed */
    NFS_SHORT_WRITE,          /* WRITE wrote fewer bytes than requested */
    NFS_NOT_STABLE,           /* WRITE's data are less stable than requested */
    NFS_VERIFIER_CHANGED,     /* the write verifier changed: the server has restarted */
    NFS_COOKIE_REPEATED,      /* a directory's list goes round: a cookie came a second time */
    NFS_LIST_ENDLESS,         /* bounds of nfs/listing.h were met: of entries, */
    NFS_LIST_TOO_LARGE,       /* of memory, */
    NFS_LIST_TOO_SLOW,        /* and of time */
    NFS_NOT_REFUSED,          /* a call that the server was to refuse has succeeded */
    NFS_MOUNT_STATUS = 30000, /* plus a mountstat3, for MNT */
};

enum { NFS_STATUS_NAME_SIZE = 32 };

/* The name of an nfsstat3, of a finding above, of an errno of a system call (ENGINE_SYSTEM_ERROR),
 * or, for a negative one, of minus an rpc_outcome, or of -EBADMSG: "NFS3ERR_STALE", "SHORT_READ",
 * "ESTALE", "RPC_PROCUNAVAIL", "RPC_CANTDECODERES"; a number where it has none. Returns a constant
 * or BUFFER. */
const char *nfs_status_name(int status, char buffer[NFS_STATUS_NAME_SIZE]);

struct error;

/* What STATUS, a finding above, means, as a clause for people; NULL if STATUS is a protocol's or a
 * system call's, which has a name that the server or the system gave. */
const char *nfs_status_finding(int status);

/* What STATUS means, and what to do, if it is NFS_COOKIE_REPEATED or a bound of a directory's list
 * that was met; else NULL. */
const char *nfs_listing_finding(int status);

/* What may follow the name of STATUS, an nfsstat3, in a message: why servers give it, if its name
 * does not say; else "". */
const char *nfs_status_hint(int status);

/* Set ERROR: a call of PROCEDURE had the result STATUS, which is not success. Returns -EIO. */
int nfs_status_describe(int status, const char *procedure, struct error *error);

struct engine_tally;

/* The errors of TALLY, "NFS3ERR_NOENT 12, RPC_AUTHERROR 1", in TEXT, which has SIZE bytes (1 at
 * least), cut there. */
const char *nfs_describe_errors(const struct engine_tally *tally, char *text, size_t size);

/* The name of the nfsstat3 that comes after INDEX others and NFS3_OK, or NULL after the last. */
const char *nfs_status_name_at(size_t index);

/* The nfsstat3 called NAME ("NFS3ERR_STALE"), other than NFS3_OK; -1: there is none. */
int nfs_status_find(const char *name);

/* The name of a mountstat3: "MNT3ERR_NOENT"; a number as it came where it has none. */
const char *nfs_mount_status_name(uint32_t status, char buffer[NFS_STATUS_NAME_SIZE]);
