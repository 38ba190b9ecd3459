/* The procedures that change nothing. */
#include <string.h>

#include "nfs/entry.h"
#include "nfs/items.h"
#include "nfs/status.h"
#include "nfs/working_set.h"

enum {
    COOKIEVERF_SIZE = NFS3_COOKIEVERFSIZE,
    FSSTAT_FIXED_SIZE = 6 * 8 + 4,
    FSINFO_FIXED_SIZE = 7 * 4 + 8 + 8 + 4,
    PATHCONF_FIXED_SIZE = 6 * 4,
    DIRECTORY_REPLY_SIZE = 8192, /* what READDIR and READDIRPLUS ask for, in bytes */
    DIRECTORY_NAMES_SIZE = 2048, /* READDIRPLUS: of that, names and cookies */
};

static nfs_fh3 file_object(const struct nfs_objects *objects, const struct nfs_variant *variant)
{
    const struct nfs_file_set *set = objects->files;

    return nfs_handle_argument(set ? &set->handles[variant->place.file] : &objects->file);
}

static nfs_fh3 any_object(const struct nfs_objects *objects, const struct nfs_variant *variant)
{
    return objects->files || objects->has_file ? file_object(objects, variant)
                                               : nfs_handle_argument(&objects->directory);
}

/* GETATTR */

static void getattr_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              union nfs_arguments *arguments)
{
    arguments->getattr.object = any_object(objects, variant);
}

/* Is it still the same file, of the same size? An object's type and fileid never change. */
static int check_file(const struct nfs_objects *objects, struct nfs_item_attributes found)
{
    if (!found.given || !objects->has_file || objects->files)
        return 0;
    return found.type == NF3REG && found.file_id == objects->file_id &&
                   found.size == objects->file_size
               ? 0
               : NFS_ATTRIBUTES_MISMATCH;
}

static int getattr_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    return check_file(objects, nfs_item_attributes(reader));
}

/* LOOKUP */

static void lookup_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    const struct nfs_handle *directory = objects->files ? &objects->scratch : &objects->directory;

    arguments->lookup.what.dir = nfs_handle_argument(directory);
    arguments->lookup.what.name =
        (char *)(uintptr_t)(objects->files ? objects->files->names[variant->place.file]
                                           : objects->name);
}

static int lookup_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    struct nfs_item_attributes found;

    nfs_item_handle(reader);
    found = nfs_item_post_op_attr(reader);
    nfs_item_post_op_attr(reader);
    return check_file(objects, found);
}

/* ACCESS */

static void access_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->access.object = any_object(objects, variant);
    arguments->access.access = ACCESS3_READ | ACCESS3_LOOKUP | ACCESS3_MODIFY | ACCESS3_EXTEND |
                               ACCESS3_DELETE | ACCESS3_EXECUTE;
}

static int access_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    struct nfs_item_attributes found = nfs_item_post_op_attr(reader);

    wire_get_u32(reader);
    return check_file(objects, found);
}

/* READLINK */

static void readlink_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                               union nfs_arguments *arguments)
{
    arguments->readlink.symlink = nfs_handle_argument(&objects->symlink);
}

static int readlink_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    uint32_t length;

    nfs_item_post_op_attr(reader);
    wire_get_opaque(reader, NFS3_PATH_MAXIMUM, &length);
    return 0;
}

/* READ */

static void read_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                           union nfs_arguments *arguments)
{
    arguments->read.file = file_object(objects, variant);
    arguments->read.offset = variant->place.offset;
    arguments->read.count = objects->read.count;
}

static int read_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    const struct nfs_read_plan *plan = &objects->read;
    struct nfs_item_attributes found = nfs_item_post_op_attr(reader);
    const uint8_t *data;
    uint32_t count, length;

    count = wire_get_u32(reader);
    wire_get_bool(reader);
    data = wire_get_opaque(reader, plan->count, &length);
    if (!data || length != count) {
        reader->failed = true;
        return 0;
    }
    if (count != plan->expected)
        return NFS_SHORT_READ;
    if (plan->data && memcmp(data, plan->data, length) != 0)
        return NFS_DATA_MISMATCH;
    return check_file(objects, found);
}

static int read_check_decoded(const union nfs_result *result, const struct nfs_objects *objects)
{
    const READ3resok *found = &result->read.READ3res_u.resok;
    const struct nfs_read_plan *plan = &objects->read;

    if (found->count != plan->expected || found->data.data_len != plan->expected)
        return NFS_SHORT_READ;
    return plan->data && memcmp(found->data.data_val, plan->data, plan->expected) != 0
               ? NFS_DATA_MISMATCH
               : 0;
}

/* READDIR */

static void readdir_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              union nfs_arguments *arguments)
{
    arguments->readdir.dir = nfs_handle_argument(&objects->directory);
    arguments->readdir.count = DIRECTORY_REPLY_SIZE;
}

static int readdir_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    wire_skip(reader, COOKIEVERF_SIZE);
    while (wire_get_bool(reader))
        nfs_item_entry(reader);
    wire_get_bool(reader);
    return 0;
}

/* READDIRPLUS */

static void readdirplus_arguments(const struct nfs_objects *objects,
                                  const struct nfs_variant *variant, union nfs_arguments *arguments)
{
    arguments->readdirplus.dir = nfs_handle_argument(&objects->directory);
    arguments->readdirplus.dircount = DIRECTORY_NAMES_SIZE;
    arguments->readdirplus.maxcount = DIRECTORY_REPLY_SIZE;
}

static int readdirplus_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    wire_skip(reader, COOKIEVERF_SIZE);
    while (wire_get_bool(reader)) {
        nfs_item_entry(reader);
        nfs_item_post_op_attr(reader);
        nfs_item_post_op_handle(reader);
    }
    wire_get_bool(reader);
    return 0;
}

/* FSSTAT, FSINFO, PATHCONF: attributes, then words of fixed number */

static void fsstat_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->fsstat.fsroot = nfs_handle_argument(&objects->root);
}

static int fsstat_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    wire_skip(reader, FSSTAT_FIXED_SIZE);
    return 0;
}

static void fsinfo_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->fsinfo.fsroot = nfs_handle_argument(&objects->root);
}

static int fsinfo_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    wire_skip(reader, FSINFO_FIXED_SIZE);
    return 0;
}

static void pathconf_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                               union nfs_arguments *arguments)
{
    arguments->pathconf.object = any_object(objects, variant);
}

static int pathconf_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    wire_skip(reader, PATHCONF_FIXED_SIZE);
    return 0;
}

static enum clnt_stat null_stub(void *arguments, void *result, CLIENT *client)
{
    return nfsproc3_null_3(result, client);
}

NFS_STUB(getattr, GETATTR)
NFS_STUB(lookup, LOOKUP)
NFS_STUB(access, ACCESS)
NFS_STUB(readlink, READLINK)
NFS_STUB(read, READ)
NFS_STUB(readdir, READDIR)
NFS_STUB(readdirplus, READDIRPLUS)
NFS_STUB(fsstat, FSSTAT)
NFS_STUB(fsinfo, FSINFO)
NFS_STUB(pathconf, PATHCONF)

const struct nfs_procedure nfs_procedures_read[] = {
    {.op = "null",
     .rpc = {.name = "NULL",
             .program = NFS_PROGRAM,
             .version = NFS_V3,
             .number = NFSPROC3_NULL,
             .xdr_arguments = (xdrproc_t)rpc_xdr_nothing,
             .xdr_result = (xdrproc_t)rpc_xdr_nothing,
             .stub = null_stub},
     .object = NFS_OBJECT_NONE},
    {NFS_ENTRY("getattr", getattr, GETATTR), .places = NFS_PLACES_FILES,
     .arguments = getattr_arguments, .check = getattr_check, .object = NFS_OBJECT_ANY},
    {NFS_ENTRY("lookup", lookup, LOOKUP), .places = NFS_PLACES_NAMES, .arguments = lookup_arguments,
     .check = lookup_check, .object = NFS_OBJECT_NAME},
    {NFS_ENTRY("access", access, ACCESS), .places = NFS_PLACES_FILES, .arguments = access_arguments,
     .check = access_check, .object = NFS_OBJECT_ANY},
    {NFS_ENTRY("readlink", readlink, READLINK), .arguments = readlink_arguments,
     .check = readlink_check, .object = NFS_OBJECT_SYMLINK},
    {NFS_ENTRY("read", read, READ), .rpc.reply_maximum = RPC_REPLY_USUAL + NFS3_DATA_MAXIMUM,
     .places = NFS_PLACES_RANGES, .arguments = read_arguments, .check = read_check,
     .check_decoded = read_check_decoded, .object = NFS_OBJECT_FILE, .transfer = NFS_TRANSFER_READ,
     .fits_cost_model = true},
    {NFS_ENTRY("readdir", readdir, READDIR), .arguments = readdir_arguments, .check = readdir_check,
     .object = NFS_OBJECT_DIRECTORY},
    {NFS_ENTRY("readdirplus", readdirplus, READDIRPLUS), .arguments = readdirplus_arguments,
     .check = readdirplus_check, .object = NFS_OBJECT_DIRECTORY},
    {NFS_ENTRY("fsstat", fsstat, FSSTAT), .arguments = fsstat_arguments, .check = fsstat_check,
     .object = NFS_OBJECT_ROOT},
    {NFS_ENTRY("fsinfo", fsinfo, FSINFO), .arguments = fsinfo_arguments, .check = fsinfo_check,
     .object = NFS_OBJECT_ROOT},
    {NFS_ENTRY("pathconf", pathconf, PATHCONF), .places = NFS_PLACES_FILES,
     .arguments = pathconf_arguments, .check = pathconf_check, .object = NFS_OBJECT_ANY},
};

const size_t nfs_procedures_read_count = sizeof nfs_procedures_read / sizeof nfs_procedures_read[0];
