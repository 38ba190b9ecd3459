/* MOUNT's procedures (RFC 1813 section 5) and the port mapper's NULL (RFC 1833). */
#include <rpc/rpc.h>

#include <rpc/pmap_prot.h>

#include "nfs/entry.h"
#include "nfs/status.h"

static void mnt_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          union nfs_arguments *arguments)
{
    arguments->mount_path = (char *)(uintptr_t)objects->export;
}

/* A mountstat3 as a status of its own kind; the largest stands for all that are larger. */
static int status_of(uint32_t status)
{
    enum { LARGEST = 0xffff };

    return status == MNT3_OK ? 0 : NFS_MOUNT_STATUS + (int)(status < LARGEST ? status : LARGEST);
}

/* A status and, if it is MNT3_OK, a handle and flavours. */
static int mnt_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    uint32_t status = wire_get_u32(reader), length, flavors;

    if (status != MNT3_OK)
        return status_of(status);
    wire_get_opaque(reader, FHSIZE3, &length);
    flavors = wire_get_u32(reader);
    if (length == 0 || flavors > MNTFLAVORS || flavors > wire_left(reader) / 4)
        reader->failed = true;
    else
        wire_skip(reader, 4 * (size_t)flavors);
    return 0;
}

static int mnt_check_decoded(const union nfs_result *result, const struct nfs_objects *objects)
{
    return status_of((uint32_t)result->mnt.fhs_status);
}

static int dump_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    uint32_t length;

    while (wire_get_bool(reader)) {
        wire_get_opaque(reader, MNTNAMLEN, &length);
        wire_get_opaque(reader, MNTPATHLEN, &length);
    }
    return 0;
}

static int export_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    uint32_t length;

    while (wire_get_bool(reader)) {
        wire_get_opaque(reader, MNTPATHLEN, &length);
        while (wire_get_bool(reader))
            wire_get_opaque(reader, MNTNAMLEN, &length);
    }
    return 0;
}

static enum clnt_stat null_stub(void *arguments, void *result, CLIENT *client)
{
    return mountproc3_null_3(result, client);
}

static enum clnt_stat mnt_stub(void *arguments, void *result, CLIENT *client)
{
    return mountproc3_mnt_3(*(dirpath *)arguments, result, client);
}

static enum clnt_stat dump_stub(void *arguments, void *result, CLIENT *client)
{
    return mountproc3_dump_3(result, client);
}

static enum clnt_stat umnt_stub(void *arguments, void *result, CLIENT *client)
{
    return mountproc3_umnt_3(*(dirpath *)arguments, result, client);
}

static enum clnt_stat umntall_stub(void *arguments, void *result, CLIENT *client)
{
    return mountproc3_umntall_3(result, client);
}

static enum clnt_stat export_stub(void *arguments, void *result, CLIENT *client)
{
    return mountproc3_export_3(result, client);
}

static enum clnt_stat portmap_null_stub(void *arguments, void *result, CLIENT *client)
{
    struct timeval unused = {25, 0}; /* as in rpcgen's stubs: what clnt_control() set counts */

    return clnt_call(client, PMAPPROC_NULL, (xdrproc_t)rpc_xdr_nothing, arguments,
                     (xdrproc_t)rpc_xdr_nothing, result, unused);
}

#define NOTHING (xdrproc_t) rpc_xdr_nothing

#define MOUNT_ENTRY(lower, UPPER, xdr_in, xdr_out, size)                                           \
    .op = "mount-" #lower,                                                                         \
    .rpc = {.name = "MOUNT " #UPPER,                                                               \
            .program = MOUNT_PROGRAM,                                                              \
            .version = MOUNT_V3,                                                                   \
            .number = MOUNTPROC3_##UPPER,                                                          \
            .xdr_arguments = xdr_in,                                                               \
            .xdr_result = xdr_out,                                                                 \
            .result_size = size,                                                                   \
            .stub = lower##_stub},                                                                 \
    .service = SERVICE_MOUNT, .without_status = true, .object = NFS_OBJECT_NONE

const struct nfs_procedure nfs_procedures_mount[] = {
    {MOUNT_ENTRY(null, NULL, NOTHING, NOTHING, 0)},
    {MOUNT_ENTRY(mnt, MNT, (xdrproc_t)xdr_dirpath, (xdrproc_t)xdr_mountres3, sizeof(mountres3)),
     .arguments = mnt_arguments, .check = mnt_check, .check_decoded = mnt_check_decoded},
    {MOUNT_ENTRY(dump, DUMP, NOTHING, (xdrproc_t)xdr_mountlist, sizeof(mountlist)),
     .check = dump_check},
    {MOUNT_ENTRY(umnt, UMNT, (xdrproc_t)xdr_dirpath, NOTHING, 0), .arguments = mnt_arguments},
    {MOUNT_ENTRY(umntall, UMNTALL, NOTHING, NOTHING, 0), .by_name_only = true},
    {MOUNT_ENTRY(export, EXPORT, NOTHING, (xdrproc_t)xdr_exports, sizeof(exports)),
     .check = export_check},
    {.op = "portmap-null",
     .rpc = {.name = "PORTMAP NULL",
             .program = PMAPPROG,
             .version = PMAPVERS,
             .number = PMAPPROC_NULL,
             .xdr_arguments = NOTHING,
             .xdr_result = NOTHING,
             .stub = portmap_null_stub},
     .service = SERVICE_PORTMAP,
     .without_status = true,
     .object = NFS_OBJECT_NONE},
};

const size_t nfs_procedures_mount_count =
    sizeof nfs_procedures_mount / sizeof nfs_procedures_mount[0];
