/* Procedures on a file's data: READ, WRITE, COMMIT. */
#include "server/attributes.h"
#include "server/programs.h"

static nfsstat3 check_readable(const struct call *call, const struct tree_node *node)
{
    nfsstat3 status = call_check_file(node);

    if (status != NFS3_OK)
        return status;
    /* Clients read programs to execute them, so execute permission allows reading (section 4.4). */
    return call_by_owner(call, node) || call_permissions(call, node) & 5 ? NFS3_OK : NFS3ERR_ACCES;
}

/* What data that are to be stable, or at odd places, wait for where the server is to be as slow as
 * with a disk. */
enum { DISK_NS = 5 * 1000 * 1000, DISK_BLOCK = 4096 };

static void sync_data(struct call *call)
{
    if (call->habits & HABIT_SLOW_SYNC)
        call->sync_ns += DISK_NS;
}

static void find_place(struct call *call, uint64_t offset, uint32_t count)
{
    if (call->habits & HABIT_SLOW_LARGE && count > HABIT_PREFERRED)
        call->sync_ns += DISK_NS;
    if (call->habits & HABIT_ODD_PLACES && offset % DISK_BLOCK != 0)
        call->sync_ns += DISK_NS;
}

/* Data that are read come from memory, or else from the disk. */
static void find_data(struct call *call, const struct tree_node *node, uint64_t offset)
{
    if (call->habits & HABIT_SMALL_MEMORY &&
        habit_waits_for_disk(call->memory, node->number, offset / HABIT_PIECE + 1))
        call->sync_ns += DISK_NS;
}

/* Write COUNT bytes of NODE at OFFSET as an opaque. */
static void put_data(struct call *call, const struct tree_node *node, uint64_t offset,
                     uint32_t count)
{
    uint8_t *into;

    wire_put_u32(&call->results, count);
    into = wire_reserve(&call->results, wire_padded(count));
    if (!into)
        return;
    if (!call->gather || !gather_add(call->gather, &node->pages, offset, into, count))
        pages_read(&node->pages, offset, into, count);
    memset(into + count, 0, wire_padded(count) - count);
}

/* RFC 1813 section 3.3.6 */
enum rpc_outcome serve_read(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);
    uint64_t offset = wire_get_u64(&call->arguments);
    uint32_t count = wire_get_u32(&call->arguments);
    uint64_t left;

    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (node)
        status = check_readable(call, node);
    if (status != NFS3_OK)
        return call_fail(call, status, node);
    find_place(call, offset, count);
    find_data(call, node, offset);
    tree_note_access(node);
    left = offset < node->size ? node->size - offset : 0;
    if (count > call->data_maximum)
        count = call->data_maximum;
    if (count > left)
        count = (uint32_t)left;
    wire_put_u32(&call->results, NFS3_OK);
    call_put_post_op(call, node);
    wire_put_u32(&call->results, count);
    wire_put_u32(&call->results, count == left); /* eof */
    put_data(call, node, offset, count);
    return RPC_OUTCOME_SUCCESS;
}

/* Write COUNT bytes of DATA to NODE. */
static nfsstat3 write_data(struct call *call, struct tree_node *node, uint64_t offset,
                           const uint8_t *data, uint32_t count)
{
    if (offset > TREE_SIZE_MAXIMUM || count > TREE_SIZE_MAXIMUM - offset)
        return NFS3ERR_FBIG;
    if (tree_write(call->tree, node, offset, data, count) != 0)
        return NFS3ERR_NOSPC;
    if (count == 0)
        return NFS3_OK;
    attributes_drop_privileges(call, node);
    node->modified = node->changed = tree_now(call->tree);
    return NFS3_OK;
}

static uint64_t write_verifier(const struct call *call)
{
    return tree_write_verifier(call->tree) +
           (call->habits & HABIT_NEW_VERIFIER ? tree_now(call->tree) : 0);
}

/* RFC 1813 section 3.3.7. Memory does not become more stable later, so data count as stable at
 * once, as requested. */
enum rpc_outcome serve_write(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);
    uint64_t offset = wire_get_u64(&call->arguments);
    uint32_t count = wire_get_u32(&call->arguments);
    uint32_t stable = wire_get_u32(&call->arguments), length;
    const uint8_t *data = wire_get_opaque(&call->arguments, UINT32_MAX, &length);
    struct call_before before = call_remember(node);

    if (!call_decoded(call) || stable > FILE_SYNC)
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (status == NFS3_OK)
        status = call_check_file(node);
    if (status == NFS3_OK)
        status = call_check_writable(call, node);
    if (status == NFS3_OK && length != count)
        status = NFS3ERR_INVAL;
    if (count > call->data_maximum)
        count = call->data_maximum;
    find_place(call, offset, count);
    if (status == NFS3_OK)
        status = write_data(call, node, offset, data, count);
    if (status != NFS3_OK)
        return call_fail_wcc(call, status, &before);
    wire_put_u32(&call->results, NFS3_OK);
    call_put_wcc(call, &before);
    wire_put_u32(&call->results, count);
    wire_put_u32(&call->results, call->habits & HABIT_ALWAYS_SYNC ? FILE_SYNC : stable);
    wire_put_u64(&call->results, write_verifier(call));
    if (stable != UNSTABLE)
        sync_data(call);
    return RPC_OUTCOME_SUCCESS;
}

/* RFC 1813 section 3.3.21 */
enum rpc_outcome serve_commit(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);
    struct call_before before = call_remember(node);

    wire_get_u64(&call->arguments); /* offset */
    wire_get_u32(&call->arguments); /* count */
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (status == NFS3_OK)
        status = call_check_file(node);
    if (status == NFS3_OK)
        status = call_check_writable(call, node);
    if (status != NFS3_OK)
        return call_fail_wcc(call, status, &before);
    wire_put_u32(&call->results, NFS3_OK);
    call_put_wcc(call, &before);
    wire_put_u64(&call->results, write_verifier(call));
    sync_data(call);
    return RPC_OUTCOME_SUCCESS;
}
