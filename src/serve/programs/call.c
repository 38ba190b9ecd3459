#include "serve/programs/call.h"

/* First bytes of this server's handles. */
static const char handle_magic[4] = "nfsb";

static const uint64_t file_system_id = 0x6e667362656e6368; /* "nfsbench" */

enum { DIRECTORY_SIZE = 4096 }; /* size in every directory's attributes, bytes */
enum { HOLD_NS = 3 * 1000 * 1000 };

/* With HABIT_OBJECT_LOCKS, delay the reply until earlier calls have released the lock of NODE, and
 * by hold_ns more, in which this call holds the lock. NODE may be NULL. */
static void lock_object(struct call *call, const struct tree_node *node, uint64_t hold_ns)
{
    uint64_t ns;

    if (!node || !(call->habits & HABIT_OBJECT_LOCKS))
        return;
    ns = habit_reserve(&call->locks[node->number % CALL_LOCKS], hold_ns);
    if (ns > call->sync_ns)
        call->sync_ns = ns;
}

/* Who calls */

static bool read_auth_sys(struct wire_reader body, struct caller *caller)
{
    uint32_t length;

    wire_get_u32(&body); /* stamp */
    wire_get_opaque(&body, RPC_AUTH_SYS_NAME_MAXIMUM, &length);
    caller->uid = wire_get_u32(&body);
    caller->gid = wire_get_u32(&body);
    caller->gid_count = wire_get_u32(&body);
    if (caller->gid_count > RPC_AUTH_SYS_GIDS_MAXIMUM)
        return false;
    for (uint32_t i = 0; i < caller->gid_count; i++)
        caller->gids[i] = wire_get_u32(&body);
    return !body.failed && wire_left(&body) == 0;
}

bool caller_read(const struct rpc_call_header *header, struct caller *caller)
{
    if (header->credential_flavor == RPC_FLAVOR_SYS)
        return read_auth_sys(wire_reader(header->credential, header->credential_length), caller);
    caller->uid = caller->gid = CALL_NOBODY;
    caller->gid_count = 0;
    return header->credential_flavor == RPC_FLAVOR_NONE;
}

void caller_squash(struct caller *caller, enum policy_squash how)
{
    if (how == SQUASH_NONE)
        return;
    if (how == SQUASH_ALL || caller->uid == 0)
        caller->uid = CALL_NOBODY;
    if (how == SQUASH_ALL || caller->gid == 0)
        caller->gid = CALL_NOBODY;
    for (uint32_t i = 0; i < caller->gid_count; i++)
        if (caller->gids[i] == 0)
            caller->gids[i] = CALL_NOBODY;
    if (how == SQUASH_ALL)
        caller->gid_count = 0;
}

/* Handles */

void call_put_handle(struct wire_writer *writer, const struct tree_node *node)
{
    wire_put_u32(writer, CALL_HANDLE_SIZE);
    wire_put_fixed(writer, handle_magic, sizeof handle_magic);
    wire_put_u64(writer, node->number);
    wire_put_u64(writer, node->generation);
}

struct tree_node *call_get_node(struct call *call, nfsstat3 *status)
{
    struct wire_reader handle;
    struct tree_node *node;
    uint64_t number;
    uint32_t length;
    const uint8_t *bytes = wire_get_opaque(&call->arguments, CALL_HANDLE_MAXIMUM, &length);

    *status = NFS3ERR_BADHANDLE;
    if (!bytes || length != CALL_HANDLE_SIZE ||
        memcmp(bytes, handle_magic, sizeof handle_magic) != 0)
        return NULL;
    handle = wire_reader(bytes + sizeof handle_magic, length - sizeof handle_magic);
    number = wire_get_u64(&handle);
    node = tree_find(call->tree, number, wire_get_u64(&handle));
    *status = node ? NFS3_OK : NFS3ERR_STALE;
    lock_object(call, node, 0);
    return node;
}

nfsstat3 call_check_type(const struct tree_node *node, enum call_object object)
{
    switch (object) {
    case CALL_FILE:
        return node->type == TREE_FILE        ? NFS3_OK
               : node->type == TREE_DIRECTORY ? NFS3ERR_ISDIR
                                              : NFS3ERR_INVAL;
    case CALL_SYMLINK:
        return node->type == TREE_SYMLINK ? NFS3_OK : NFS3ERR_INVAL;
    case CALL_DIRECTORY:
        return node->type == TREE_DIRECTORY ? NFS3_OK : NFS3ERR_NOTDIR;
    default:
        return NFS3_OK;
    }
}

/* Permissions */

bool call_by_superuser(const struct call *call)
{
    return call->caller.uid == 0;
}

bool call_in_group(const struct call *call, uint32_t gid)
{
    for (uint32_t i = 0; i < call->caller.gid_count; i++)
        if (call->caller.gids[i] == gid)
            return true;
    return call->caller.gid == gid;
}

uint32_t call_permissions(const struct call *call, const struct tree_node *node)
{
    uint32_t any_execute = (node->mode | node->mode >> 3 | node->mode >> 6) & 1;

    if (call_by_superuser(call))
        return node->type == TREE_DIRECTORY ? 7 : 6 | any_execute;
    if (call->caller.uid == node->uid)
        return node->mode >> 6 & 7;
    return (call_in_group(call, node->gid) ? node->mode >> 3 : node->mode) & 7;
}

bool call_by_owner(const struct call *call, const struct tree_node *node)
{
    return call->caller.uid == node->uid;
}

nfsstat3 call_check_writable(const struct call *call, const struct tree_node *node)
{
    if (call->read_only)
        return NFS3ERR_ROFS;
    return call_by_owner(call, node) || call_permissions(call, node) & 2 ? NFS3_OK : NFS3ERR_ACCES;
}

/* Attributes */

static void put_time(struct wire_writer *writer, uint64_t ns)
{
    wire_put_u32(writer, (uint32_t)(ns / 1000000000));
    wire_put_u32(writer, (uint32_t)(ns % 1000000000));
}

static uint64_t size_of(const struct tree_node *node)
{
    return node->type == TREE_DIRECTORY ? DIRECTORY_SIZE : node->size;
}

static uint64_t used_by(const struct tree_node *node)
{
    return node->type == TREE_FILE ? node->pages.count * PAGES_SIZE : size_of(node);
}

void call_put_attributes(struct wire_writer *writer, const struct tree_node *node)
{
    wire_put_u32(writer, node->type);
    wire_put_u32(writer, node->mode);
    wire_put_u32(writer, node->links);
    wire_put_u32(writer, node->uid);
    wire_put_u32(writer, node->gid);
    wire_put_u64(writer, size_of(node));
    wire_put_u64(writer, used_by(node));
    wire_put_u32(writer, node->device[0]);
    wire_put_u32(writer, node->device[1]);
    wire_put_u64(writer, file_system_id);
    wire_put_u64(writer, node->number);
    put_time(writer, atomic_load_explicit(&node->accessed, memory_order_relaxed));
    put_time(writer, node->modified);
    put_time(writer, node->changed);
}

void call_put_post_op(struct call *call, const struct tree_node *node)
{
    const bool given = node && !(call->habits & HABIT_NO_ATTRIBUTES);

    wire_put_u32(&call->results, given);
    if (given)
        call_put_attributes(&call->results, node);
}

struct call_before call_remember(struct tree_node *node)
{
    if (!node)
        return (struct call_before){NULL, 0, 0, 0};
    return (struct call_before){node, size_of(node), node->modified, node->changed};
}

void call_put_wcc(struct call *call, const struct call_before *before)
{
    struct wire_writer *writer = &call->results;
    const bool given = before->node && !(call->habits & HABIT_NO_ATTRIBUTES);

    wire_put_u32(writer, given);
    if (given) {
        wire_put_u64(writer, before->size);
        put_time(writer, before->modified);
        put_time(writer, before->changed);
    }
    lock_object(call, before->node, HOLD_NS);
    call_put_post_op(call, before->node);
}

/* Results */

static bool is_decoded(const struct call *call)
{
    return !call->arguments.failed && wire_left(&call->arguments) == 0;
}

nfsstat3 call_ready(const struct call *call)
{
    return is_decoded(call) ? call->status : NFS3ERR_SERVERFAULT;
}

static void put_head(struct call *call, nfsstat3 status)
{
    if (call->head != HEAD_NOTHING)
        wire_put_u32(&call->results, status);
    if (call->head == HEAD_POST_OP || call->head == HEAD_POST_OP_AND_WCC)
        call_put_post_op(call, call->node);
    if (call->head == HEAD_WCC || call->head == HEAD_TWO_WCC)
        call_put_wcc(call, &call->before[0]);
    if (call->head == HEAD_TWO_WCC || call->head == HEAD_POST_OP_AND_WCC)
        call_put_wcc(call, &call->before[1]);
}

void call_put_head(struct call *call)
{
    put_head(call, NFS3_OK);
}

static void find_object(struct call *call, enum call_object object)
{
    call->node = call_get_node(call, &call->status);
    call->before[0] = call_remember(call->node);
    if (call->node)
        call->status = call_check_type(call->node, object);
}

enum rpc_outcome call_serve(struct call *call, const struct procedure *procedure)
{
    uint8_t *start = call->results.at;
    nfsstat3 status;

    call->head = procedure->head;
    call->status = NFS3_OK;
    if (procedure->object != CALL_NO_OBJECT)
        find_object(call, procedure->object);
    status = procedure->serve(call);
    if (!is_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (status != NFS3_OK || call->results.at == start) {
        call->results.at = start;
        put_head(call, status);
    }
    return RPC_OUTCOME_SUCCESS;
}
