#include "nfs/procedures.h"

#include <string.h>

#include "nfs/status.h"

enum {
    FATTR3_SIZE = 84, /* bytes on the wire, RFC 1813 section 2.6 */
    COOKIEVERF_SIZE = NFS3_COOKIEVERFSIZE,
    FSSTAT_FIXED_SIZE = 6 * 8 + 4,
    FSINFO_FIXED_SIZE = 7 * 4 + 8 + 8 + 4,
    PATHCONF_FIXED_SIZE = 6 * 4,
    DIRECTORY_REPLY_SIZE = 8192, /* what READDIR and READDIRPLUS ask for, in bytes */
    DIRECTORY_NAMES_SIZE = 2048, /* READDIRPLUS: of that, names and cookies */
};

nfs_fh3 nfs_handle_argument(const struct nfs_handle *handle)
{
    nfs_fh3 argument;

    argument.data.data_len = handle->length;
    /* XDR encoding only reads it. */
    argument.data.data_val = (char *)(uintptr_t)handle->bytes;
    return argument;
}

static nfs_fh3 any_object(const struct nfs_subject *subject)
{
    return nfs_handle_argument(subject->has_file ? &subject->file : &subject->directory);
}

static char *name_argument(const struct nfs_subject *subject)
{
    return (char *)(uintptr_t)subject->name;
}

/* Items that several results share. */

static void skip_post_op_attr(struct wire_reader *reader)
{
    if (wire_get_bool(reader))
        wire_skip(reader, FATTR3_SIZE);
}

static void skip_handle(struct wire_reader *reader)
{
    uint32_t length;

    wire_get_opaque(reader, NFS_HANDLE_MAXIMUM, &length);
    if (length == 0)
        reader->failed = true;
}

static void skip_post_op_handle(struct wire_reader *reader)
{
    if (wire_get_bool(reader))
        skip_handle(reader);
}

/* A directory entry without what READDIRPLUS adds. */
static void skip_entry(struct wire_reader *reader)
{
    uint32_t length;

    wire_get_u64(reader);
    wire_get_opaque(reader, UINT32_MAX, &length);
    wire_get_u64(reader);
}

/* GETATTR */

static void getattr_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->getattr.object = any_object(subject);
}

static int getattr_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    wire_skip(reader, FATTR3_SIZE);
    return 0;
}

/* LOOKUP */

static void lookup_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->lookup.what.dir = nfs_handle_argument(&subject->directory);
    arguments->lookup.what.name = name_argument(subject);
}

static int lookup_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    skip_handle(reader);
    skip_post_op_attr(reader);
    skip_post_op_attr(reader);
    return 0;
}

/* ACCESS */

static void access_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->access.object = any_object(subject);
    arguments->access.access = ACCESS3_READ | ACCESS3_LOOKUP | ACCESS3_MODIFY | ACCESS3_EXTEND |
                               ACCESS3_DELETE | ACCESS3_EXECUTE;
}

static int access_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    skip_post_op_attr(reader);
    wire_get_u32(reader);
    return 0;
}

/* READLINK */

static void readlink_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->readlink.symlink = nfs_handle_argument(&subject->symlink);
}

static int readlink_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    uint32_t length;

    skip_post_op_attr(reader);
    wire_get_opaque(reader, UINT32_MAX, &length);
    return 0;
}

/* READ */

static void read_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->read.file = nfs_handle_argument(&subject->file);
    arguments->read.offset = subject->read.offset;
    arguments->read.count = subject->read.count;
}

static int read_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    const struct nfs_read_plan *plan = &subject->read;
    const uint8_t *data;
    uint32_t count, length;

    skip_post_op_attr(reader);
    count = wire_get_u32(reader);
    wire_get_bool(reader);
    data = wire_get_opaque(reader, plan->count, &length);
    if (!data || length != count) {
        reader->failed = true;
        return 0;
    }
    if (count != plan->expected)
        return NFS_SHORT_READ;
    return plan->data && memcmp(data, plan->data, length) != 0 ? NFS_DATA_MISMATCH : 0;
}

/* READDIR */

static void readdir_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->readdir.dir = nfs_handle_argument(&subject->directory);
    arguments->readdir.count = DIRECTORY_REPLY_SIZE;
}

static int readdir_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    skip_post_op_attr(reader);
    wire_skip(reader, COOKIEVERF_SIZE);
    while (wire_get_bool(reader))
        skip_entry(reader);
    wire_get_bool(reader);
    return 0;
}

/* READDIRPLUS */

static void readdirplus_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->readdirplus.dir = nfs_handle_argument(&subject->directory);
    arguments->readdirplus.dircount = DIRECTORY_NAMES_SIZE;
    arguments->readdirplus.maxcount = DIRECTORY_REPLY_SIZE;
}

static int readdirplus_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    skip_post_op_attr(reader);
    wire_skip(reader, COOKIEVERF_SIZE);
    while (wire_get_bool(reader)) {
        skip_entry(reader);
        skip_post_op_attr(reader);
        skip_post_op_handle(reader);
    }
    wire_get_bool(reader);
    return 0;
}

/* FSSTAT, FSINFO, PATHCONF: attributes, then words of fixed number */

static void fsstat_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->fsstat.fsroot = nfs_handle_argument(&subject->root);
}

static int fsstat_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    skip_post_op_attr(reader);
    wire_skip(reader, FSSTAT_FIXED_SIZE);
    return 0;
}

static void fsinfo_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->fsinfo.fsroot = nfs_handle_argument(&subject->root);
}

static int fsinfo_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    skip_post_op_attr(reader);
    wire_skip(reader, FSINFO_FIXED_SIZE);
    return 0;
}

static void pathconf_arguments(const struct nfs_subject *subject, union nfs_arguments *arguments)
{
    arguments->pathconf.object = any_object(subject);
}

static int pathconf_check(struct wire_reader *reader, const struct nfs_subject *subject)
{
    skip_post_op_attr(reader);
    wire_skip(reader, PATHCONF_FIXED_SIZE);
    return 0;
}

/* rpcgen's stubs, each with types of its own, behind the one type of the table. */
#define STUB(op, type)                                                                             \
    static enum clnt_stat op##_stub(void *arguments, void *result, CLIENT *client)                 \
    {                                                                                              \
        return nfsproc3_##op##_3(*(type##3args *)arguments, result, client);                       \
    }

static enum clnt_stat null_stub(void *arguments, void *result, CLIENT *client)
{
    return nfsproc3_null_3(result, client);
}

STUB(getattr, GETATTR)
STUB(lookup, LOOKUP)
STUB(access, ACCESS)
STUB(readlink, READLINK)
STUB(read, READ)
STUB(readdir, READDIR)
STUB(readdirplus, READDIRPLUS)
STUB(fsstat, FSSTAT)
STUB(fsinfo, FSINFO)
STUB(pathconf, PATHCONF)

/* What rpcgen's naming gives; the procedure's own part follows at the entry. */
#define ENTRY(lower, UPPER)                                                                        \
    .op = #lower,                                                                                  \
    .rpc = {.name = #UPPER,                                                                        \
            .program = NFS_PROGRAM,                                                                \
            .version = NFS_V3,                                                                     \
            .number = NFSPROC3_##UPPER,                                                            \
            .xdr_arguments = (xdrproc_t)xdr_##UPPER##3args,                                        \
            .xdr_result = (xdrproc_t)xdr_##UPPER##3res,                                            \
            .result_size = sizeof(UPPER##3res),                                                    \
            .stub = lower##_stub},                                                                 \
    .arguments = lower##_arguments, .check = lower##_check

const struct nfs_procedure nfs_procedures[] = {
    {.op = "null",
     .rpc = {.name = "NULL",
             .program = NFS_PROGRAM,
             .version = NFS_V3,
             .number = NFSPROC3_NULL,
             .xdr_arguments = (xdrproc_t)rpc_xdr_nothing,
             .xdr_result = (xdrproc_t)rpc_xdr_nothing,
             .stub = null_stub},
     .object = NFS_OBJECT_NONE,
     .read_only = true},
    {ENTRY(getattr, GETATTR), .object = NFS_OBJECT_ANY, .read_only = true},
    {ENTRY(lookup, LOOKUP), .object = NFS_OBJECT_NAME, .read_only = true},
    {ENTRY(access, ACCESS), .object = NFS_OBJECT_ANY, .read_only = true},
    {ENTRY(readlink, READLINK), .object = NFS_OBJECT_SYMLINK, .read_only = true},
    {ENTRY(read, READ), .object = NFS_OBJECT_FILE, .read_only = true},
    {ENTRY(readdir, READDIR), .object = NFS_OBJECT_DIRECTORY, .read_only = true},
    {ENTRY(readdirplus, READDIRPLUS), .object = NFS_OBJECT_DIRECTORY, .read_only = true},
    {ENTRY(fsstat, FSSTAT), .object = NFS_OBJECT_ROOT, .read_only = true},
    {ENTRY(fsinfo, FSINFO), .object = NFS_OBJECT_ROOT, .read_only = true},
    {ENTRY(pathconf, PATHCONF), .object = NFS_OBJECT_ANY, .read_only = true},
    {.op = NULL},
};

const struct nfs_procedure *nfs_procedure_find(const char *op)
{
    for (const struct nfs_procedure *procedure = nfs_procedures; procedure->op; procedure++)
        if (strcmp(procedure->op, op) == 0)
            return procedure;
    return NULL;
}
