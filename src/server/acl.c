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

static nfsstat3 serve_getacl(struct call *call)
{
    uint32_t mask = wire_get_u32(&call->arguments);
    nfsstat3 status = call_ready(call);

    if (status != NFS3_OK)
        return status;
    call_put_head(call);
    wire_put_u32(&call->results, mask & (NA_ACL | NA_ACLCNT | NA_DFACL | NA_DFACLCNT));
    wire_put_u32(&call->results, mask & (NA_ACL | NA_ACLCNT) ? MODE_CLASSES : 0);
    wire_put_u32(&call->results, mask & NA_ACL ? MODE_CLASSES : 0);
    if (mask & NA_ACL)
        put_entries(&call->results, call->node);
    wire_put_u32(&call->results, 0); /* no default entries */
    wire_put_u32(&call->results, 0);
    return NFS3_OK;
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

static nfsstat3 serve_setacl(struct call *call)
{
    enum { ALL_CLASSES = (1 << MODE_CLASSES) - 1, NOT_PERMISSIONS = ~0777 };
    uint32_t mask = wire_get_u32(&call->arguments), mode, classes, unused, defaults;
    nfsstat3 entries_status = get_entries(&call->arguments, &mode, &classes);
    nfsstat3 defaults_status = get_entries(&call->arguments, &unused, &defaults);
    nfsstat3 status = call_ready(call);
    struct attributes attributes = {
        .set_mode = true, .accessed.valid = true, .modified.valid = true};

    if (status == NFS3_OK && mask & NA_ACL)
        status = entries_status != NFS3_OK ? entries_status
                 : classes != ALL_CLASSES  ? NFS3ERR_INVAL
                                           : NFS3_OK;
    if (status == NFS3_OK && (defaults != 0 || defaults_status != NFS3_OK))
        status = NFS3ERR_NOTSUPP;
    if (status != NFS3_OK || !(mask & NA_ACL))
        return status;
    attributes.mode = (call->node->mode & (uint32_t)NOT_PERMISSIONS) | mode;
    status = attributes_check(call, call->node, &attributes);
    if (status == NFS3_OK)
        attributes_set(call, call->node, &attributes);
    return status;
}

const struct procedure acl_table[ACL_PROCEDURES] = {
    [ACLPROC3_NULL] = {serve_null},
    [ACLPROC3_GETACL] = {serve_getacl, CALL_ANY, HEAD_POST_OP},
    [ACLPROC3_SETACL] = {serve_setacl, CALL_ANY, HEAD_POST_OP, true, true},
};
