/* Procedures on one object: GETATTR, SETATTR, ACCESS, READLINK. */
#include "server/attributes.h"
#include "server/programs.h"

/* RFC 1813 section 3.3.1 */
enum rpc_outcome serve_getattr(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);

    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    wire_put_u32(&call->results, status);
    if (node)
        call_put_attributes(&call->results, node);
    return RPC_OUTCOME_SUCCESS;
}

/* The guard of a SETATTR: the ctime that the object must still have (sattrguard3). */
static bool get_guard(struct wire_reader *reader, uint64_t *guard)
{
    bool guarded = wire_get_bool(reader);
    uint64_t seconds = guarded ? wire_get_u32(reader) : 0;

    *guard = seconds * 1000000000 + (guarded ? wire_get_u32(reader) : 0);
    return guarded;
}

/* RFC 1813 section 3.3.2 */
enum rpc_outcome serve_setattr(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);
    struct attributes attributes = attributes_get(call);
    struct call_before before = call_remember(node);
    uint64_t guard;
    bool guarded = get_guard(&call->arguments, &guard);

    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (status == NFS3_OK && guarded && guard != node->changed)
        status = NFS3ERR_NOT_SYNC;
    if (status == NFS3_OK)
        status = attributes_check(call, node, &attributes);
    if (status == NFS3_OK)
        attributes_set(call, node, &attributes);
    return call_fail_wcc(call, status, &before);
}

static uint32_t allowed_accesses(const struct call *call, const struct tree_node *node)
{
    uint32_t permissions = call_permissions(call, node);
    bool directory = node->type == TREE_DIRECTORY;
    uint32_t allowed = 0;

    if (call->read_only)
        permissions &= ~(uint32_t)2;
    if (permissions & 4)
        allowed |= ACCESS3_READ;
    if (permissions & 2)
        allowed |= ACCESS3_MODIFY | ACCESS3_EXTEND | (directory ? ACCESS3_DELETE : 0);
    if (permissions & 1)
        allowed |= directory ? ACCESS3_LOOKUP : ACCESS3_EXECUTE;
    return allowed;
}

/* RFC 1813 section 3.3.4 */
enum rpc_outcome serve_access(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);
    uint32_t asked = wire_get_u32(&call->arguments);
    enum rpc_outcome outcome;

    if (call_begin(call, node, status, &outcome))
        wire_put_u32(&call->results, asked & allowed_accesses(call, node));
    return outcome;
}

/* RFC 1813 section 3.3.5 */
enum rpc_outcome serve_readlink(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);

    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (node && node->type != TREE_SYMLINK)
        status = NFS3ERR_INVAL;
    if (status != NFS3_OK)
        return call_fail(call, status, node);
    tree_note_access(node);
    wire_put_u32(&call->results, NFS3_OK);
    call_put_post_op(call, node);
    wire_put_opaque(&call->results, node->text, node->size);
    return RPC_OUTCOME_SUCCESS;
}
