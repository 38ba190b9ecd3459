#include "serve/export/attributes.h"

enum {
    MODE_BITS = 07777,
    SET_USER_ID = 04000,
    SET_GROUP_ID = 02000,
    GROUP_EXECUTE = 010,
};

/* Reading */

static bool get_optional(struct wire_reader *reader, uint32_t *value)
{
    bool given = wire_get_bool(reader);

    *value = given ? wire_get_u32(reader) : 0;
    return given;
}

static struct attribute_time get_time(struct wire_reader *reader)
{
    struct attribute_time time = {.how = (time_how)wire_get_u32(reader), .valid = true};
    uint32_t seconds, nanoseconds;

    if (time.how > SET_TO_CLIENT_TIME)
        reader->failed = true;
    if (time.how != SET_TO_CLIENT_TIME)
        return time;
    seconds = wire_get_u32(reader);
    nanoseconds = wire_get_u32(reader);
    time.valid = nanoseconds < 1000000000;
    time.ns = (uint64_t)seconds * 1000000000 + nanoseconds;
    return time;
}

struct attributes attributes_get(struct call *call)
{
    struct wire_reader *reader = &call->arguments;
    struct attributes attributes;

    attributes.set_mode = get_optional(reader, &attributes.mode);
    attributes.set_uid = get_optional(reader, &attributes.uid);
    attributes.set_gid = get_optional(reader, &attributes.gid);
    attributes.set_size = wire_get_bool(reader);
    attributes.size = attributes.set_size ? wire_get_u64(reader) : 0;
    attributes.accessed = get_time(reader);
    attributes.modified = get_time(reader);
    attributes.mode &= MODE_BITS;
    return attributes;
}

/* Checking */

static nfsstat3 check_size(const struct call *call, const struct tree_node *node, uint64_t size)
{
    nfsstat3 status = call_check_type(node, CALL_FILE);

    if (status == NFS3_OK && size > TREE_SIZE_MAXIMUM)
        status = NFS3ERR_INVAL;
    return status == NFS3_OK ? call_check_writable(call, node) : status;
}

/* May the caller set the owner and group in ATTRIBUTES? Only the superuser may change the owner. A
 * caller who owns NODE may change the group to one of the caller's groups. */
static bool may_give(const struct call *call, const struct tree_node *node,
                     const struct attributes *attributes)
{
    bool owner = call_by_owner(call, node);

    if (call_by_superuser(call))
        return true;
    if (attributes->set_uid && (!owner || attributes->uid != node->uid))
        return false;
    return !attributes->set_gid ||
           (owner && (attributes->gid == node->gid || call_in_group(call, attributes->gid)));
}

/* NODE's owner and the superuser may set any time; callers who may write, only the current time. */
static nfsstat3 check_times(const struct call *call, const struct tree_node *node,
                            const struct attributes *attributes)
{
    bool to_client = attributes->accessed.how == SET_TO_CLIENT_TIME ||
                     attributes->modified.how == SET_TO_CLIENT_TIME;
    bool to_server = attributes->accessed.how == SET_TO_SERVER_TIME ||
                     attributes->modified.how == SET_TO_SERVER_TIME;

    if (!attributes->accessed.valid || !attributes->modified.valid)
        return NFS3ERR_INVAL;
    if (call_by_owner(call, node) || call_by_superuser(call))
        return NFS3_OK;
    if (to_client)
        return NFS3ERR_PERM;
    return to_server && !(call_permissions(call, node) & 2) ? NFS3ERR_ACCES : NFS3_OK;
}

nfsstat3 attributes_check(const struct call *call, const struct tree_node *node,
                          const struct attributes *attributes)
{
    nfsstat3 status = call->read_only ? NFS3ERR_ROFS : NFS3_OK;

    if (status == NFS3_OK && attributes->set_mode && !call_by_owner(call, node) &&
        !call_by_superuser(call))
        status = NFS3ERR_PERM;
    if (status == NFS3_OK && !may_give(call, node, attributes))
        status = NFS3ERR_PERM;
    if (status == NFS3_OK)
        status = check_times(call, node, attributes);
    if (status == NFS3_OK && attributes->set_size)
        status = check_size(call, node, attributes->size);
    return status;
}

/* Setting */

void attributes_drop_privileges(const struct call *call, struct tree_node *node)
{
    if (node->type != TREE_FILE || call_by_superuser(call))
        return;
    node->mode &= ~(uint32_t)SET_USER_ID;
    if (node->mode & GROUP_EXECUTE)
        node->mode &= ~(uint32_t)SET_GROUP_ID;
}

/* Set owner and group. Unless NODE is a directory, this clears its set-user-id bit and, if the
 * group may execute NODE, its set-group-id bit (POSIX, chown). */
static void set_owner(struct tree_node *node, const struct attributes *attributes)
{
    if (!attributes->set_uid && !attributes->set_gid)
        return;
    if (attributes->set_uid)
        node->uid = attributes->uid;
    if (attributes->set_gid)
        node->gid = attributes->gid;
    if (node->type != TREE_DIRECTORY)
        node->mode &= ~(uint32_t)(SET_USER_ID | (node->mode & GROUP_EXECUTE ? SET_GROUP_ID : 0));
}

/* Set NODE's mode; set-group-id only if the caller is the superuser or in NODE's group (chmod). */
static void set_mode(const struct call *call, struct tree_node *node, uint32_t mode)
{
    if (!call_by_superuser(call) && !call_in_group(call, node->gid))
        mode &= ~(uint32_t)SET_GROUP_ID;
    node->mode = mode;
}

static void set_size(const struct call *call, struct tree_node *node, uint64_t size, uint64_t now)
{
    tree_resize(call->tree, node, size);
    attributes_drop_privileges(call, node);
    node->modified = now;
}

static uint64_t chosen_time(const struct attribute_time *time, uint64_t now)
{
    return time->how == SET_TO_CLIENT_TIME ? time->ns : now;
}

void attributes_set(const struct call *call, struct tree_node *node,
                    const struct attributes *attributes)
{
    uint64_t now = tree_now(call->tree);

    set_owner(node, attributes);
    if (attributes->set_size)
        set_size(call, node, attributes->size, now);
    if (attributes->set_mode)
        set_mode(call, node, attributes->mode);
    if (attributes->accessed.how != DONT_CHANGE)
        node->accessed = chosen_time(&attributes->accessed, now);
    if (attributes->modified.how != DONT_CHANGE)
        node->modified = chosen_time(&attributes->modified, now);
    node->changed = now;
}

void attributes_set_first(const struct call *call, struct tree_node *node,
                          const struct tree_node *directory, const struct attributes *attributes,
                          uint32_t mode)
{
    struct attributes first = *attributes;
    bool group_is_inherited = (directory->mode & SET_GROUP_ID) != 0;

    node->uid = call->caller.uid;
    node->gid = group_is_inherited ? directory->gid : call->caller.gid;
    if (!call_by_superuser(call))
        first.set_uid = first.set_gid = false;
    if (!first.set_mode)
        first.mode = mode;
    first.set_mode = true;
    first.set_size = first.set_size && node->type == TREE_FILE && first.size <= TREE_SIZE_MAXIMUM;
    if (!first.accessed.valid)
        first.accessed.how = DONT_CHANGE;
    if (!first.modified.valid)
        first.modified.how = DONT_CHANGE;
    attributes_set(call, node, &first);
    if (group_is_inherited && node->type == TREE_DIRECTORY)
        node->mode |= SET_GROUP_ID;
}
