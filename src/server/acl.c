/* NFS_ACL version 3 (proto/nfs_acl.x): ACLs that are equivalent to an object's mode bits, as from a
 * server whose file system has no others. */
#include "nfs_acl.h"
#include "server/attributes.h"
#include "server/programs.h"

enum { MODE_CLASSES = 3, PERMISSIONS_OF_CLASS = 7, CLASS_BITS = 3 };

static const uint32_t class_types[MODE_CLASSES] = {NA_USER_OBJ, NA_GROUP_OBJ, NA_OTHER_OBJ};

/* Where the permissions of a class are in the mode. */
static unsigned class_shift(unsigned class)
{
    return CLASS_BITS * (MODE_CLASSES - 1 - class);
}

static void put_entries(struct wire_writer *results, const struct tree_node *node)
{
    for (unsigned i = 0; i < MODE_CLASSES; i++) {
        wire_put_u32(results, class_types[i]);
        wire_put_u32(results, i == 0 ? node->uid : i == 1 ? node->gid : 0);
        wire_put_u32(results, node->mode >> class_shift(i) & PERMISSIONS_OF_CLASS);
    }
}

static enum rpc_outcome serve_getacl(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);
    uint32_t mask = wire_get_u32(&call->arguments);
    enum rpc_outcome outcome;

    if (!call_begin(call, node, status, &outcome))
        return outcome;
    wire_put_u32(&call->results, mask & (NA_ACL | NA_ACLCNT | NA_DFACL | NA_DFACLCNT));
    wire_put_u32(&call->results, mask & (NA_ACL | NA_ACLCNT) ? MODE_CLASSES : 0);
    wire_put_u32(&call->results, mask & NA_ACL ? MODE_CLASSES : 0);
    if (mask & NA_ACL)
        put_entries(&call->results, node);
    wire_put_u32(&call->results, 0); /* no default entries */
    wire_put_u32(&call->results, 0);
    return outcome;
}

/* Read the entries to set, and convert them to MODE; NOTSUPP if no mode is equivalent to them. */
static nfsstat3 get_entries(struct wire_reader *arguments, uint32_t *mode, uint32_t *classes)
{
    uint32_t count;

    wire_get_u32(arguments); /* the number of entries, which is repeated below */
    count = wire_get_u32(arguments);
    if (count > NFS_ACL_ENTRIES_MAXIMUM)
        arguments->failed = true;
    *mode = *classes = 0;
    for (uint32_t i = 0; i < count && !arguments->failed; i++) {
        uint32_t type = wire_get_u32(arguments);
        uint32_t permissions;

        wire_get_u32(
            arguments); /* the id, which for the owner and the group is that of the object */
        permissions = wire_get_u32(arguments) & PERMISSIONS_OF_CLASS;
        for (unsigned class = 0; class < MODE_CLASSES; class ++)
            if (type == class_types[class]) {
                *mode |= permissions << class_shift(class);
                *classes |= 1u << class;
                type = NA_CLASS_OBJ; /* the mask: it limits named users and groups, which are not
                                        supported */
            }
        if (type != NA_CLASS_OBJ)
            *classes = UINT32_MAX;
    }
    return *classes == UINT32_MAX ? NFS3ERR_NOTSUPP : NFS3_OK;
}

static enum rpc_outcome serve_setacl(struct call *call)
{
    enum { ALL_CLASSES = (1 << MODE_CLASSES) - 1, NOT_PERMISSIONS = ~0777 };
    nfsstat3 status, entries_status, defaults_status;
    struct tree_node *node = call_get_node(call, &status);
    uint32_t mask = wire_get_u32(&call->arguments), mode, classes, unused, defaults;
    struct attributes attributes = {
        .set_mode = true, .accessed.valid = true, .modified.valid = true};

    entries_status = get_entries(&call->arguments, &mode, &classes);
    defaults_status = get_entries(&call->arguments, &unused, &defaults);
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (!node)
        return call_fail(call, status, NULL);
    if (mask & NA_ACL)
        status = entries_status != NFS3_OK ? entries_status
                 : classes != ALL_CLASSES  ? NFS3ERR_INVAL
                                           : NFS3_OK;
    if (status == NFS3_OK && (defaults != 0 || defaults_status != NFS3_OK))
        status = NFS3ERR_NOTSUPP;
    attributes.mode = (node->mode & (uint32_t)NOT_PERMISSIONS) | mode;
    if (status == NFS3_OK && mask & NA_ACL)
        status = attributes_check(call, node, &attributes);
    if (status != NFS3_OK)
        return call_fail(call, status, node);
    if (mask & NA_ACL)
        attributes_set(call, node, &attributes);
    wire_put_u32(&call->results, NFS3_OK);
    call_put_post_op(call, node);
    return RPC_OUTCOME_SUCCESS;
}

const struct procedure acl_table[ACL_PROCEDURES] = {
    [ACLPROC3_NULL] = {serve_null, false, false, 0},
    [ACLPROC3_GETACL] = {serve_getacl, false, false, 1},
    [ACLPROC3_SETACL] = {serve_setacl, true, true, 1},
};
