/* The table of procedures, and its entries for programs other than NFS: MOUNT (RFC 1813 section 5),
 * the port mapper's NULL (RFC 1833), and NFS_ACL (proto/nfs_acl.x), served on NFS's port. */
#include "nfs/procedures/procedures.h"

#include <rpc/rpc.h>

#include <rpc/pmap_prot.h>
#include <string.h>

#include "nfs/procedures/entry.h"
#include "nfs/procedures/items.h"
#include "nfs/status.h"

#define NOTHING (xdrproc_t) rpc_xdr_nothing

static void mnt_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                          union nfs_arguments *arguments)
{
    arguments->mount_path = (char *)(uintptr_t)objects->export;
}

/* Return a mountstat3 as a status (nfs/status.h). Values above LARGEST are reported as LARGEST. */
static int mount_status_of(uint32_t status)
{
    enum { LARGEST = 0xffff };

    return status == MNT3_OK ? 0 : NFS_MOUNT_STATUS + (int)(status < LARGEST ? status : LARGEST);
}

static int mnt_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    uint32_t status = wire_get_u32(reader), length, flavors;

    if (status != MNT3_OK)
        return mount_status_of(status);
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
    return mount_status_of((uint32_t)result->mnt.fhs_status);
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

#define MOUNT_ENTRY(lower, UPPER, xdr_in, xdr_out, size)                                           \
    .op = "mount-" #lower,                                                                         \
    .rpc = {.name = "MOUNT " #UPPER,                                                               \
            .program = MOUNT_PROGRAM,                                                              \
            .version = MOUNT_V3,                                                                   \
            .number = MOUNTPROC3_##UPPER,                                                          \
            .xdr_arguments = xdr_in,                                                               \
            .xdr_result = xdr_out,                                                                 \
            .result_size = size},                                                                  \
    .service = SERVICE_MOUNT, .without_status = true, .object = NFS_OBJECT_NONE

static const struct nfs_procedure procedures_mount[] = {
    {MOUNT_ENTRY(null, NULL, NOTHING, NOTHING, 0)},
    {MOUNT_ENTRY(mnt, MNT, (xdrproc_t)xdr_dirpath, (xdrproc_t)xdr_mountres3, sizeof(mountres3)),
     .arguments = mnt_arguments, .check = mnt_check, .check_decoded = mnt_check_decoded},
    {MOUNT_ENTRY(dump, DUMP, NOTHING, (xdrproc_t)xdr_mountlist, sizeof(mountlist)),
     .rpc.reply_maximum = RPC_REPLY_LIST, .check = dump_check},
    {MOUNT_ENTRY(umnt, UMNT, (xdrproc_t)xdr_dirpath, NOTHING, 0), .arguments = mnt_arguments},
    {MOUNT_ENTRY(umntall, UMNTALL, NOTHING, NOTHING, 0), .by_name_only = true},
    {MOUNT_ENTRY(export, EXPORT, NOTHING, (xdrproc_t)xdr_exports, sizeof(exports)),
     .rpc.reply_maximum = RPC_REPLY_LIST, .check = export_check},
    {.op = "portmap-null",
     .rpc = {.name = "PORTMAP NULL",
             .program = PMAPPROG,
             .version = PMAPVERS,
             .number = PMAPPROC_NULL,
             .xdr_arguments = NOTHING,
             .xdr_result = NOTHING},
     .service = SERVICE_PORTMAP,
     .without_status = true,
     .object = NFS_OBJECT_NONE},
};

enum { ENTRY_SIZE = 3 * 4, ENTRIES = 4 };

/* The ACL that corresponds to mode 0600, the mode of the scratch file. It has a mask, because
 * Solaris accepts no ACL without one. */
static nfs_acl_entry mode_entries[ENTRIES] = {{.type = NA_USER_OBJ, .permissions = 6},
                                              {.type = NA_GROUP_OBJ},
                                              {.type = NA_CLASS_OBJ},
                                              {.type = NA_OTHER_OBJ}};

static void getacl_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->getacl.mask = NA_ACL | NA_ACLCNT | NA_DFACL | NA_DFACLCNT;
}

static void skip_entries(struct wire_reader *reader)
{
    uint32_t given;

    wire_get_u32(reader); /* number of entries */
    given = wire_get_u32(reader);
    if (given > NFS_ACL_ENTRIES_MAXIMUM)
        reader->failed = true;
    else
        wire_skip(reader, given * (size_t)ENTRY_SIZE);
}

static int getacl_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    wire_get_u32(reader); /* the mask */
    skip_entries(reader);
    skip_entries(reader);
    return 0;
}

static void setacl_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->setacl.acl.mask = NA_ACL | NA_ACLCNT;
    arguments->setacl.acl.count = ENTRIES;
    arguments->setacl.acl.entries.entries_len = ENTRIES;
    arguments->setacl.acl.entries.entries_val = mode_entries;
}

#define ACL_ENTRY(name_, UPPER, xdr_in, xdr_out, size)                                             \
    .op = name_,                                                                                   \
    .rpc = {.name = "NFS_ACL " #UPPER,                                                             \
            .program = NFS_ACL_PROGRAM,                                                            \
            .version = NFS_ACL_V3,                                                                 \
            .number = ACLPROC3_##UPPER,                                                            \
            .xdr_arguments = (xdrproc_t)xdr_in,                                                    \
            .xdr_result = (xdrproc_t)xdr_out,                                                      \
            .result_size = size},                                                                  \
    .by_name_only = true

static const struct nfs_procedure procedures_acl[] = {
    {ACL_ENTRY("acl-null", NULL, rpc_xdr_nothing, rpc_xdr_nothing, 0)},
    {ACL_ENTRY("getacl", GETACL, xdr_GETACL3args, xdr_GETACL3res, sizeof(GETACL3res)),
     .arguments = getacl_arguments, .check = getacl_check, .object = NFS_OBJECT_ANY},
    {ACL_ENTRY("setacl", SETACL, xdr_SETACL3args, xdr_SETACL3res, sizeof(SETACL3res)),
     .arguments = setacl_arguments, .check = nfs_check_post_op, .object = NFS_OBJECT_SCRATCH_FILE,
     .changes = true},
};

const struct nfs_procedure *nfs_procedure_at(size_t index)
{
    const struct {
        const struct nfs_procedure *procedures;
        size_t count;
    } parts[] = {{nfs_procedures_read, nfs_procedures_read_count},
                 {nfs_procedures_data, nfs_procedures_data_count},
                 {nfs_procedures_names, nfs_procedures_names_count},
                 {procedures_mount, sizeof procedures_mount / sizeof procedures_mount[0]},
                 {procedures_acl, sizeof procedures_acl / sizeof procedures_acl[0]}};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; index -= parts[i++].count)
        if (index < parts[i].count)
            return &parts[i].procedures[index];
    return NULL;
}

const struct nfs_procedure *nfs_procedure_find(const char *op)
{
    const struct nfs_procedure *procedure;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        if (strcmp(procedure->op, op) == 0)
            return procedure;
    return NULL;
}

const struct nfs_procedure *nfs_procedure_succeeding(const struct nfs_procedure *procedure)
{
    const struct nfs_procedure *other;

    for (size_t i = 0; (other = nfs_procedure_at(i)); i++)
        if (other->refusal == 0 && other->check && other->rpc.number == procedure->rpc.number &&
            other->rpc.program == procedure->rpc.program)
            return other;
    return procedure;
}

const struct nfs_procedure *nfs_procedure_refused(const struct nfs_procedure *procedure, int status)
{
    const struct nfs_procedure *other;

    for (size_t i = 0; status > 0 && (other = nfs_procedure_at(i)); i++)
        if (other->refusal == status && other->rpc.number == procedure->rpc.number &&
            other->rpc.program == procedure->rpc.program)
            return other;
    return procedure;
}
