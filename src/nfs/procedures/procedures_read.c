/* The procedures that change nothing. */
#include <string.h>

#include "nfs/objects/visits.h"
#include "nfs/objects/working_set.h"
#include "nfs/procedures/entry.h"
#include "nfs/procedures/items.h"
#include "nfs/status.h"

enum {
    COOKIEVERF_SIZE = NFS3_COOKIEVERFSIZE,
    FSSTAT_FIXED_SIZE = 6 * 8 + 4,
    FSINFO_FIXED_SIZE = 7 * 4 + 8 + 8 + 4,
    PATHCONF_FIXED_SIZE = 6 * 4,
};

/* Check that FOUND has the type, fileid and size that the file had at set-up. Returns 0 or
 * NFS_ATTRIBUTES_MISMATCH. Returns 0 without a check if FOUND has no attributes, if there is no
 * file, or if there is a file set. */
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

static void lookup_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    uint32_t number = variant->place.file;
    bool of_set = objects->files && objects->files->count > 0;

    arguments->lookup.what.dir =
        nfs_handle_argument(of_set ? nfs_file_set_directory(objects, number) : &objects->directory);
    arguments->lookup.what.name =
        (char *)(uintptr_t)(of_set ? nfs_file_set_name(objects, number) : objects->name);
}

static int lookup_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    struct nfs_item_attributes found;

    nfs_item_handle(reader);
    found = nfs_item_post_op_attr(reader);
    nfs_item_post_op_attr(reader);
    return check_file(objects, found);
}

/* LOOKUP of the name "lookup-absent-NUMBER", which does not exist, because no run makes it. */

static void lookup_absent_arguments(const struct nfs_objects *objects,
                                    const struct nfs_variant *variant,
                                    union nfs_arguments *arguments)
{
    arguments->entry.name = (char *)(uintptr_t)variant->name;
}

static void access_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->access.access = ACCESS3_READ | ACCESS3_LOOKUP | ACCESS3_MODIFY | ACCESS3_EXTEND |
                               ACCESS3_DELETE | ACCESS3_EXECUTE;
}

static int access_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    struct nfs_item_attributes found = nfs_item_post_op_attr(reader);

    wire_get_u32(reader);
    return check_file(objects, found);
}

static int readlink_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    uint32_t length;

    nfs_item_post_op_attr(reader);
    wire_get_opaque(reader, NFS3_PATH_MAXIMUM, &length);
    return 0;
}

static void read_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                           union nfs_arguments *arguments)
{
    arguments->read.offset = variant->place.offset;
    arguments->read.count = variant->place.length ? variant->place.length : objects->read.count;
}

/* Return whether READ returned enough bytes (COUNT): the planned number or a captured length. If
 * the plan is `to_end`, fewer bytes are enough at the end of the file (ENDED). */
static bool read_is_whole(const struct nfs_objects *objects, uint32_t count, bool ended)
{
    const struct nfs_read_plan *plan = &objects->read;
    const struct nfs_visits *visits = objects->working_set.visits;

    if (visits && nfs_visit_has_length(&visits->reads, count))
        return true;
    return plan->to_end ? count == plan->count || (ended && count < plan->count)
                        : count == plan->expected;
}

static int read_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    const struct nfs_read_plan *plan = &objects->read;
    struct nfs_item_attributes found = nfs_item_post_op_attr(reader);
    const uint8_t *data;
    uint32_t count, length;
    bool ended;

    count = wire_get_u32(reader);
    ended = wire_get_bool(reader);
    data = wire_get_opaque(reader, plan->count, &length);
    if (!data || length != count) {
        reader->failed = true;
        return 0;
    }
    if (!read_is_whole(objects, count, ended))
        return NFS_SHORT_READ;
    if (plan->data && memcmp(data, plan->data, length) != 0)
        return NFS_DATA_MISMATCH;
    return check_file(objects, found);
}

static int read_check_decoded(const union nfs_result *result, const struct nfs_objects *objects)
{
    const READ3resok *found = &result->read.READ3res_u.resok;
    const struct nfs_read_plan *plan = &objects->read;

    if (!read_is_whole(objects, found->count, found->eof) || found->data.data_len != found->count)
        return NFS_SHORT_READ;
    return plan->data && memcmp(found->data.data_val, plan->data, found->count) != 0
               ? NFS_DATA_MISMATCH
               : 0;
}

/* READ of the file's last byte. Through a mount, this op lets the kernel's client send a single
 * READ without reading ahead; without a mount, nfsbench sends the same READ. */

static void last_byte_arguments(const struct nfs_objects *objects,
                                const struct nfs_variant *variant, union nfs_arguments *arguments)
{
    arguments->read.offset = objects->file_size > 0 ? objects->file_size - 1 : 0;
    arguments->read.count = 1;
}

static int last_byte_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    struct nfs_item_attributes found = nfs_item_post_op_attr(reader);
    uint32_t count = wire_get_u32(reader), length;

    wire_get_bool(reader);
    if (!wire_get_opaque(reader, 1, &length) || length != count) {
        reader->failed = true;
        return 0;
    }
    return count == 1 ? check_file(objects, found) : NFS_SHORT_READ;
}

static void readdir_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                              union nfs_arguments *arguments)
{
    arguments->readdir.count = NFS_DIRECTORY_REPLY_SIZE;
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

static void readdirplus_arguments(const struct nfs_objects *objects,
                                  const struct nfs_variant *variant, union nfs_arguments *arguments)
{
    arguments->readdirplus.dircount = NFS_DIRECTORY_NAMES_SIZE;
    arguments->readdirplus.maxcount = NFS_DIRECTORY_REPLY_SIZE;
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

/* Define OP's check (FSSTAT, FSINFO, PATHCONF). After the attributes, the result has SIZE bytes. */
#define FIXED_OF(op, size)                                                                         \
    static int op##_check(struct wire_reader *reader, const struct nfs_objects *objects)           \
    {                                                                                              \
        nfs_item_post_op_attr(reader);                                                             \
        wire_skip(reader, size);                                                                   \
        return 0;                                                                                  \
    }

FIXED_OF(fsstat, FSSTAT_FIXED_SIZE)
FIXED_OF(fsinfo, FSINFO_FIXED_SIZE)
FIXED_OF(pathconf, PATHCONF_FIXED_SIZE)

const struct nfs_procedure nfs_procedures_read[] = {
    {.op = "null",
     .rpc = {.name = "NULL",
             .program = NFS_PROGRAM,
             .version = NFS_V3,
             .number = NFSPROC3_NULL,
             .xdr_arguments = (xdrproc_t)rpc_xdr_nothing,
             .xdr_result = (xdrproc_t)rpc_xdr_nothing},
     .object = NFS_OBJECT_NONE},
    {NFS_ENTRY("getattr", GETATTR), .places = NFS_PLACES_FILES, .check = getattr_check,
     .object = NFS_OBJECT_ANY},
    {NFS_ENTRY("lookup", LOOKUP), .places = NFS_PLACES_NAMES, .arguments = lookup_arguments,
     .check = lookup_check, .object = NFS_OBJECT_NAME},
    {NFS_ENTRY("lookup-absent", LOOKUP), .varies = true, .arguments = lookup_absent_arguments,
     .check = nfs_check_post_op, .object = NFS_OBJECT_DIRECTORY, .refusal = NFS3ERR_NOENT,
     .by_name_only = true},
    {NFS_ENTRY("access", ACCESS), .places = NFS_PLACES_FILES, .arguments = access_arguments,
     .check = access_check, .object = NFS_OBJECT_ANY},
    {NFS_ENTRY("readlink", READLINK), .places = NFS_PLACES_SYMLINKS, .check = readlink_check,
     .object = NFS_OBJECT_SYMLINK},
    {NFS_ENTRY("read", READ), .places = NFS_PLACES_RANGES, .arguments = read_arguments,
     .check = read_check, .check_decoded = read_check_decoded, .object = NFS_OBJECT_FILE,
     .transfer = NFS_TRANSFER_READ, .fits_cost_model = true},
    {NFS_ENTRY("read-last-byte", READ), .arguments = last_byte_arguments, .check = last_byte_check,
     .object = NFS_OBJECT_FILE, .by_name_only = true},
    {NFS_ENTRY("readdir", READDIR), .places = NFS_PLACES_DIRECTORIES,
     .arguments = readdir_arguments, .check = readdir_check, .object = NFS_OBJECT_DIRECTORY},
    {NFS_ENTRY("readdirplus", READDIRPLUS), .places = NFS_PLACES_DIRECTORIES,
     .arguments = readdirplus_arguments, .check = readdirplus_check,
     .object = NFS_OBJECT_DIRECTORY},
    {NFS_ENTRY("readdir-all", READDIR), .places = NFS_PLACES_DIRECTORIES,
     .arguments = readdir_arguments, .check = readdir_check, .object = NFS_OBJECT_DIRECTORY,
     .sequence = &nfs_sequence_listing, .by_name_only = true},
    {NFS_ENTRY("readdirplus-all", READDIRPLUS), .places = NFS_PLACES_DIRECTORIES,
     .arguments = readdirplus_arguments, .check = readdirplus_check, .object = NFS_OBJECT_DIRECTORY,
     .sequence = &nfs_sequence_listing, .by_name_only = true},
    {NFS_ENTRY("walk", READDIRPLUS), .arguments = readdirplus_arguments, .check = readdirplus_check,
     .object = NFS_OBJECT_TARGET, .sequence = &nfs_sequence_walk, .by_name_only = true},
    {NFS_ENTRY("fsstat", FSSTAT), .check = fsstat_check, .object = NFS_OBJECT_ROOT},
    {NFS_ENTRY("fsinfo", FSINFO), .check = fsinfo_check, .object = NFS_OBJECT_ROOT},
    {NFS_ENTRY("pathconf", PATHCONF), .places = NFS_PLACES_FILES, .check = pathconf_check,
     .object = NFS_OBJECT_ANY},
    {NFS_ENTRY("open", GETATTR), .check = getattr_check, .object = NFS_OBJECT_ANY,
     .by_name_only = true, .on_mount_only = true},
    {NFS_ENTRY("stat-new", LOOKUP), .arguments = lookup_arguments, .check = lookup_check,
     .object = NFS_OBJECT_NAME, .by_name_only = true, .on_mount_only = true},
};

const size_t nfs_procedures_read_count = sizeof nfs_procedures_read / sizeof nfs_procedures_read[0];
