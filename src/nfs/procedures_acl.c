/* NFS_ACL's procedures (proto/nfs_acl.x), which NFS's port answers. */
#include "nfs/entry.h"
#include "nfs/items.h"

enum { ENTRY_SIZE = 3 * 4, ENTRIES = 4 };

/* The entries that correspond to mode 0600, which the scratch file has; and the mask, without which
 * Solaris accepts no ACL. */
static nfs_acl_entry mode_entries[ENTRIES] = {{.type = NA_USER_OBJ, .permissions = 6},
                                              {.type = NA_GROUP_OBJ},
                                              {.type = NA_CLASS_OBJ},
                                              {.type = NA_OTHER_OBJ}};

static void getacl_arguments(const struct nfs_objects *objects, const struct nfs_variant *variant,
                             union nfs_arguments *arguments)
{
    arguments->getacl.object =
        nfs_handle_argument(objects->has_file ? &objects->file : &objects->directory);
    arguments->getacl.mask = NA_ACL | NA_ACLCNT | NA_DFACL | NA_DFACLCNT;
}

static void skip_entries(struct wire_reader *reader)
{
    uint32_t given;

    wire_get_u32(reader); /* how many there are */
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
    arguments->setacl.object = nfs_handle_argument(&objects->scratch_file);
    arguments->setacl.acl.mask = NA_ACL | NA_ACLCNT;
    arguments->setacl.acl.count = ENTRIES;
    arguments->setacl.acl.entries.entries_len = ENTRIES;
    arguments->setacl.acl.entries.entries_val = mode_entries;
}

static int setacl_check(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    return 0;
}

static enum clnt_stat null_stub(void *arguments, void *result, CLIENT *client)
{
    return aclproc3_null_3(result, client);
}

static enum clnt_stat getacl_stub(void *arguments, void *result, CLIENT *client)
{
    return aclproc3_getacl_3(*(GETACL3args *)arguments, result, client);
}

static enum clnt_stat setacl_stub(void *arguments, void *result, CLIENT *client)
{
    return aclproc3_setacl_3(*(SETACL3args *)arguments, result, client);
}

#define ACL_ENTRY(name_, lower, UPPER, xdr_in, xdr_out, size)                                      \
    .op = name_,                                                                                   \
    .rpc = {.name = "NFS_ACL " #UPPER,                                                             \
            .program = NFS_ACL_PROGRAM,                                                            \
            .version = NFS_ACL_V3,                                                                 \
            .number = ACLPROC3_##UPPER,                                                            \
            .xdr_arguments = (xdrproc_t)xdr_in,                                                    \
            .xdr_result = (xdrproc_t)xdr_out,                                                      \
            .result_size = size,                                                                   \
            .stub = lower##_stub},                                                                 \
    .by_name_only = true

const struct nfs_procedure nfs_procedures_acl[] = {
    {ACL_ENTRY("acl-null", null, NULL, rpc_xdr_nothing, rpc_xdr_nothing, 0)},
    {ACL_ENTRY("getacl", getacl, GETACL, xdr_GETACL3args, xdr_GETACL3res, sizeof(GETACL3res)),
     .arguments = getacl_arguments, .check = getacl_check, .object = NFS_OBJECT_ANY},
    {ACL_ENTRY("setacl", setacl, SETACL, xdr_SETACL3args, xdr_SETACL3res, sizeof(SETACL3res)),
     .arguments = setacl_arguments, .check = setacl_check, .object = NFS_OBJECT_SCRATCH_FILE,
     .changes = true},
};

const size_t nfs_procedures_acl_count = sizeof nfs_procedures_acl / sizeof nfs_procedures_acl[0];
