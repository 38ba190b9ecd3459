/* Procedures on one object: GETATTR, ACCESS, READLINK, READ. */
#include "server/nfs.h"

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

static uint32_t allowed_accesses(const struct call *call, const struct tree_node *node)
{
    uint32_t permissions = call_permissions(call, node);
    bool directory = node->type == TREE_DIRECTORY;
    uint32_t allowed = 0;

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

    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (!node)
        return call_fail(call, status, NULL);
    wire_put_u32(&call->results, NFS3_OK);
    call_put_post_op(&call->results, node);
    wire_put_u32(&call->results, asked & allowed_accesses(call, node));
    return RPC_OUTCOME_SUCCESS;
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
    wire_put_u32(&call->results, NFS3_OK);
    call_put_post_op(&call->results, node);
    wire_put_opaque(&call->results, node->data, node->size);
    return RPC_OUTCOME_SUCCESS;
}

static nfsstat3 check_readable(const struct call *call, const struct tree_node *node)
{
    /* A directory is no regular file: of the two errors that RFC 1813 allows for that, knfsd and
     * other servers give ISDIR here, and INVAL for the rest. */
    if (node->type == TREE_DIRECTORY)
        return NFS3ERR_ISDIR;
    if (node->type != TREE_FILE)
        return NFS3ERR_INVAL;
    /* Reading a program in order to run it must be allowed (section 4.4). */
    return call_by_owner(call, node) || call_permissions(call, node) & 5 ? NFS3_OK : NFS3ERR_ACCES;
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
    left = offset < node->size ? node->size - offset : 0;
    if (count > call->read_maximum)
        count = call->read_maximum;
    if (count > left)
        count = (uint32_t)left;
    wire_put_u32(&call->results, NFS3_OK);
    call_put_post_op(&call->results, node);
    wire_put_u32(&call->results, count);
    wire_put_u32(&call->results, count == left); /* eof */
    wire_put_opaque(&call->results, node->data + (count ? offset : 0), count);
    return RPC_OUTCOME_SUCCESS;
}
