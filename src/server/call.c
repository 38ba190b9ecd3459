#include "server/call.h"

#include "server/spin.h"

/* Says whose a handle is. */
static const char handle_magic[8] = "nfsbench";

static const uint64_t file_system_id = 0x6e667362656e6368; /* "nfsbench" */

bool call_decoded(struct call *call)
{
    if (call->arguments.failed || wire_left(&call->arguments) != 0)
        return false;
    spin_for(call->cost_ns);
    return true;
}

void call_put_handle(struct wire_writer *writer, const struct tree_node *node)
{
    wire_put_u32(writer, CALL_HANDLE_SIZE);
    wire_put_fixed(writer, handle_magic, sizeof handle_magic);
    wire_put_u64(writer, node->number);
    wire_put_u32(writer, node->generation);
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
    node = tree_find(call->tree, number, wire_get_u32(&handle));
    *status = node ? NFS3_OK : NFS3ERR_STALE;
    return node;
}

struct tree_node *call_get_directory(struct call *call, nfsstat3 *status)
{
    struct tree_node *node = call_get_node(call, status);

    if (node && node->type != TREE_DIRECTORY)
        *status = NFS3ERR_NOTDIR;
    return node;
}

static bool in_group(const struct caller *caller, uint32_t gid)
{
    for (uint32_t i = 0; i < caller->gid_count; i++)
        if (caller->gids[i] == gid)
            return true;
    return caller->gid == gid;
}

uint32_t call_permissions(const struct call *call, const struct tree_node *node)
{
    uint32_t any_execute = (node->mode | node->mode >> 3 | node->mode >> 6) & 1;

    if (call->caller.uid == 0)
        return node->type == TREE_DIRECTORY ? 7 : 6 | any_execute;
    if (call->caller.uid == node->uid)
        return node->mode >> 6 & 7;
    return (in_group(&call->caller, node->gid) ? node->mode >> 3 : node->mode) & 7;
}

bool call_by_owner(const struct call *call, const struct tree_node *node)
{
    return call->caller.uid == node->uid;
}

static void put_time(struct wire_writer *writer, const struct timespec *time)
{
    wire_put_u32(writer, (uint32_t)time->tv_sec);
    wire_put_u32(writer, (uint32_t)time->tv_nsec);
}

void call_put_attributes(struct wire_writer *writer, const struct tree_node *node)
{
    uint64_t size = node->type == TREE_DIRECTORY ? 4096 : node->size;

    wire_put_u32(writer, node->type);
    wire_put_u32(writer, node->mode);
    wire_put_u32(writer, node->links);
    wire_put_u32(writer, node->uid);
    wire_put_u32(writer, node->gid);
    wire_put_u64(writer, size);
    wire_put_u64(writer, (size + 4095) & ~UINT64_C(4095)); /* used */
    wire_put_u64(writer, 0);                               /* rdev */
    wire_put_u64(writer, file_system_id);
    wire_put_u64(writer, node->number);
    put_time(writer, &node->accessed);
    put_time(writer, &node->modified);
    put_time(writer, &node->changed);
}

void call_put_post_op(struct wire_writer *writer, const struct tree_node *node)
{
    wire_put_u32(writer, node != NULL);
    if (node)
        call_put_attributes(writer, node);
}

enum rpc_outcome call_fail(struct call *call, nfsstat3 status, const struct tree_node *node)
{
    wire_put_u32(&call->results, status);
    call_put_post_op(&call->results, node);
    return RPC_OUTCOME_SUCCESS;
}
