#include "nfs/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/append.h"
#include "engine/engine.h"
#include "mount3.h"
#include "nfs3.h"
#include "rpc/message.h"

#define NAMED(status)                                                                              \
    case status:                                                                                   \
        return #status

static const char *rpc_outcome_name(int outcome, char buffer[NFS_STATUS_NAME_SIZE])
{
    struct rpc_reply_header header = {.outcome = (enum rpc_outcome)outcome};

    if (outcome == RPC_OUTCOME_AUTH_ERROR)
        return "RPC_AUTHERROR";
    return rpc_reply_describe(&header, buffer, NFS_STATUS_NAME_SIZE);
}

#define FINDING(finding)                                                                           \
    case NFS_##finding:                                                                            \
        return #finding

static const char *own_status_name(int status)
{
    switch (status) {
        FINDING(SHORT_READ);
        FINDING(ATTRIBUTES_MISMATCH);
        FINDING(SHORT_WRITE);
        FINDING(NOT_STABLE);
        FINDING(VERIFIER_CHANGED);
        FINDING(COOKIE_REPEATED);
        FINDING(LIST_ENDLESS);
        FINDING(LIST_TOO_LARGE);
        FINDING(LIST_TOO_SLOW);
        FINDING(NOT_REFUSED);
    case ENGINE_DATA_MISMATCH:
        FINDING(DATA_MISMATCH);
    default:
        return NULL;
    }
}

const char *nfs_status_name(int status, char buffer[NFS_STATUS_NAME_SIZE])
{
    switch (status) {
        NAMED(NFS3_OK);
        NAMED(NFS3ERR_PERM);
        NAMED(NFS3ERR_NOENT);
        NAMED(NFS3ERR_IO);
        NAMED(NFS3ERR_NXIO);
        NAMED(NFS3ERR_ACCES);
        NAMED(NFS3ERR_EXIST);
        NAMED(NFS3ERR_XDEV);
        NAMED(NFS3ERR_NODEV);
        NAMED(NFS3ERR_NOTDIR);
        NAMED(NFS3ERR_ISDIR);
        NAMED(NFS3ERR_INVAL);
        NAMED(NFS3ERR_FBIG);
        NAMED(NFS3ERR_NOSPC);
        NAMED(NFS3ERR_ROFS);
        NAMED(NFS3ERR_MLINK);
        NAMED(NFS3ERR_NAMETOOLONG);
        NAMED(NFS3ERR_NOTEMPTY);
        NAMED(NFS3ERR_DQUOT);
        NAMED(NFS3ERR_STALE);
        NAMED(NFS3ERR_REMOTE);
        NAMED(NFS3ERR_BADHANDLE);
        NAMED(NFS3ERR_NOT_SYNC);
        NAMED(NFS3ERR_BAD_COOKIE);
        NAMED(NFS3ERR_NOTSUPP);
        NAMED(NFS3ERR_TOOSMALL);
        NAMED(NFS3ERR_SERVERFAULT);
        NAMED(NFS3ERR_BADTYPE);
        NAMED(NFS3ERR_JUKEBOX);
    case -EBADMSG:
        return "RPC_CANTDECODERES";
    }
    if (own_status_name(status))
        return own_status_name(status);
    if (status > ENGINE_SYSTEM_ERROR && strerrorname_np(status - ENGINE_SYSTEM_ERROR))
        return strerrorname_np(status - ENGINE_SYSTEM_ERROR);
    if (status >= NFS_MOUNT_STATUS && status <= NFS_MOUNT_STATUS + 0xffff)
        return nfs_mount_status_name((uint32_t)(status - NFS_MOUNT_STATUS), buffer);
    /* excludes INT_MIN, which can't be negated */
    if (status < 0 && status >= -(int)RPC_OUTCOME_AUTH_ERROR)
        return rpc_outcome_name(-status, buffer);
    snprintf(buffer, NFS_STATUS_NAME_SIZE, "nfsstat3 %d", status);
    return buffer;
}

const char *nfs_listing_finding(int finding)
{
    switch (finding) {
    case NFS_COOKIE_REPEATED:
        return "the listing makes no progress: its cookies lead back to an earlier place";
    case NFS_LIST_ENDLESS:
        return "the directory has more than 10,000,000 entries, or the listing has no end; choose "
               "a smaller directory";
    case NFS_LIST_TOO_LARGE:
        return "the listing needs more than 512 MiB of memory; choose a smaller directory";
    case NFS_LIST_TOO_SLOW:
        return "the listing was not complete in time (half of --max-time for an op without COUNT, "
               "else two minutes); choose a smaller directory";
    default:
        return NULL;
    }
}

const char *nfs_status_finding(int status)
{
    switch (status) {
    case NFS_SHORT_READ:
        return "READ returned fewer bytes than requested, or than the first READ, which RFC 1813 "
               "section 3.3.6 allows; try a smaller --size";
    case NFS_SHORT_WRITE:
        return "WRITE took fewer bytes than sent, or than the first WRITE, which RFC 1813 section "
               "3.3.7 allows; try a smaller --size";
    case NFS_ATTRIBUTES_MISMATCH:
        return "the file's type, fileid or size has changed";
    case NFS_NOT_STABLE:
        return "the server wrote the data less stably than requested";
    case NFS_VERIFIER_CHANGED:
        return "the write verifier changed, which means that the server restarted";
    case NFS_NOT_REFUSED:
        return "a call succeeded that the server should have refused";
    case ENGINE_DATA_MISMATCH:
    case NFS_DATA_MISMATCH:
        return "the data differ from those that were read or written before";
    default:
        return nfs_listing_finding(status);
    }
}

const char *nfs_status_hint(int status)
{
    switch (status) {
    case NFS3ERR_BAD_COOKIE:
        return ": the directory was changed during the listing, or this server does not keep its "
               "cookies valid";
    case NFS3ERR_ACCES:
    case NFS3ERR_PERM:
        return ": this user has no permission (with --sec none: nobody); see --sec and --uid";
    default:
        return "";
    }
}

int nfs_status_describe(int status, const char *procedure, struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];

    if (nfs_status_finding(status))
        return error_set(error, ERROR_FAILED, -EIO, "%s: %s", procedure,
                         nfs_status_finding(status));
    return error_set(error, ERROR_FAILED, -EIO, "%s was answered by %s", procedure,
                     nfs_status_name(status, name));
}

const char *nfs_describe_errors(const struct engine_tally *tally, char *text, size_t size)
{
    char name[NFS_STATUS_NAME_SIZE];

    text[0] = '\0';
    for (size_t i = 0; i < tally->error_kinds; i++)
        append_item(text, size, "%s %" PRIu64, nfs_status_name(tally->errors[i].status, name),
                    tally->errors[i].count);
    return text;
}

const char *nfs_status_name_at(size_t index)
{
    char buffer[NFS_STATUS_NAME_SIZE];

    for (int status = NFS3ERR_PERM; status <= NFS3ERR_JUKEBOX; status++) {
        const char *name = nfs_status_name(status, buffer);

        if (name != buffer && index-- == 0) /* values without a name are skipped */
            return name;
    }
    return NULL;
}

int nfs_status_find(const char *name)
{
    char buffer[NFS_STATUS_NAME_SIZE];

    for (int status = NFS3ERR_PERM; status <= NFS3ERR_JUKEBOX; status++)
        if (strcmp(nfs_status_name(status, buffer), name) == 0)
            return status;
    return -1;
}

const char *nfs_mount_status_name(uint32_t status, char buffer[NFS_STATUS_NAME_SIZE])
{
    switch (status) {
        NAMED(MNT3_OK);
        NAMED(MNT3ERR_PERM);
        NAMED(MNT3ERR_NOENT);
        NAMED(MNT3ERR_IO);
        NAMED(MNT3ERR_ACCES);
        NAMED(MNT3ERR_NOTDIR);
        NAMED(MNT3ERR_INVAL);
        NAMED(MNT3ERR_NAMETOOLONG);
        NAMED(MNT3ERR_NOTSUPP);
        NAMED(MNT3ERR_SERVERFAULT);
    }
    snprintf(buffer, NFS_STATUS_NAME_SIZE, "mountstat3 %" PRIu32, status);
    return buffer;
}
