/* NFS_ACL version 3 (proto/nfs_acl.x). The ACL of each object is equivalent to its mode bits, as
 * with a server whose file system has no other ACLs. */
#include "nfs_acl.h"
#include "serve/export/attributes.h"
#include "serve/programs/programs.h"

enum { MODE_CLASSES = 3, ALL_CLASSES, PERMISSIONS_OF_CLASS = 7, CLASS_BITS = 3 };

static const uint32_t class_types[ALL_CLASSES] = {NA_USER_OBJ, NA_GROUP_OBJ, NA_OTHER_OBJ,
                                                  NA_CLASS_OBJ};

/* Return the position, from 0, of CLASS's lowest permission bit in a mode. */
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

/* Read the entries of an ACL and convert them to MODE. SEEN gets a bit for the class of each entry.
 * The entry of the class MASK limits the group's permissions. Returns NOTSUPP if any entry is of
 * no class; else INVAL if a class has two entries, or permissions are unknown. */
static nfsstat3 get_entries(struct wire_reader *arguments, uint32_t *mode, uint32_t *seen)
{
    enum { GROUP = 1, MASK = MODE_CLASSES };
    uint32_t permissions[ALL_CLASSES] = {[MASK] = PERMISSIONS_OF_CLASS}, count;
    nfsstat3 status = NFS3_OK;

    wire_get_u32(arguments); /* number of entries, which is repeated below */
    count = wire_get_u32(arguments);
    if (count > NFS_ACL_ENTRIES_MAXIMUM)
        arguments->failed = true;
    *mode = *seen = 0;
    for (uint32_t i = 0; i < count && !arguments->failed; i++) {
        uint32_t type = wire_get_u32(arguments), given;
        unsigned class = 0;

        wire_get_u32(arguments); /* id of the owner or group, ignored */
        given = wire_get_u32(arguments);
        while (class < ALL_CLASSES && type != class_types[class])
            class ++;
        if (class == ALL_CLASSES) {
            status = NFS3ERR_NOTSUPP; /* the entry is for a named user or group, for example */
            continue;
        }
        if ((*seen & 1u << class || given > PERMISSIONS_OF_CLASS) && status == NFS3_OK)
            status = NFS3ERR_INVAL;
        *seen |= 1u << class;
        permissions[class] = given;
    }
    permissions[GROUP] &= permissions[MASK];
    for (unsigned class = 0; class < MODE_CLASSES; class ++)
        *mode |= permissions[class] << class_shift(class);
    return status;
}

static nfsstat3 serve_setacl(struct call *call)
{
    enum { OF_MODE = (1 << MODE_CLASSES) - 1, NOT_PERMISSIONS = ~0777 };
    uint32_t mask = wire_get_u32(&call->arguments), mode, seen, unused, defaults;
    nfsstat3 entries_status = get_entries(&call->arguments, &mode, &seen);
    nfsstat3 defaults_status = get_entries(&call->arguments, &unused, &defaults);
    nfsstat3 status = call_ready(call);
    struct attributes attributes = {
        .set_mode = true, .accessed.valid = true, .modified.valid = true};

    if (status == NFS3_OK && mask & NA_ACL)
        status = entries_status != NFS3_OK     ? entries_status
                 : (seen & OF_MODE) != OF_MODE ? NFS3ERR_INVAL
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
