/* Procedures on the file system: FSSTAT, FSINFO, PATHCONF. */
#include "server/programs.h"

/* Read the call's only argument, a handle, and begin the result as call_begin() does. */
static bool begin(struct call *call, enum rpc_outcome *outcome)
{
    nfsstat3 status;
    const struct tree_node *node = call_get_node(call, &status);

    return call_begin(call, node, status, outcome);
}

/* RFC 1813 section 3.3.18 */
enum rpc_outcome serve_fsstat(struct call *call)
{
    uint64_t total = tree_memory_limit(call->tree);
    uint64_t left = total - tree_memory_used(call->tree);
    uint64_t files_left = left / tree_node_memory();
    enum rpc_outcome outcome;

    if (!begin(call, &outcome))
        return outcome;
    wire_put_u64(&call->results, total);
    wire_put_u64(&call->results, left);
    wire_put_u64(&call->results, left); /* available to the caller */
    wire_put_u64(&call->results, tree_node_count(call->tree) + files_left);
    wire_put_u64(&call->results, files_left);
    wire_put_u64(&call->results, files_left);
    wire_put_u32(&call->results, 0); /* invarsec: it may change at once */
    return outcome;
}

/* RFC 1813 section 3.3.19 */
enum rpc_outcome serve_fsinfo(struct call *call)
{
    const uint32_t preferred =
        call->habits & HABIT_SLOW_LARGE ? HABIT_PREFERRED : call->data_maximum;
    enum rpc_outcome outcome;

    if (!begin(call, &outcome))
        return outcome;
    for (int i = 0; i < 2; i++) { /* rtmax, rtpref, rtmult; wtmax, wtpref, wtmult */
        wire_put_u32(&call->results, call->data_maximum);
        wire_put_u32(&call->results, preferred);
        wire_put_u32(&call->results, 4096);
    }
    wire_put_u32(&call->results, 8192); /* dtpref */
    wire_put_u64(&call->results, TREE_SIZE_MAXIMUM);
    wire_put_u32(&call->results, 0); /* time_delta: a nanosecond */
    wire_put_u32(&call->results, 1);
    wire_put_u32(&call->results, FSF3_LINK | FSF3_SYMLINK | FSF3_HOMOGENEOUS | FSF3_CANSETTIME);
    return outcome;
}

/* RFC 1813 section 3.3.20 */
enum rpc_outcome serve_pathconf(struct call *call)
{
    enum rpc_outcome outcome;

    if (!begin(call, &outcome))
        return outcome;
    wire_put_u32(&call->results, TREE_LINKS_MAXIMUM);
    wire_put_u32(&call->results, TREE_NAME_MAXIMUM);
    wire_put_u32(&call->results, 1); /* no_trunc */
    wire_put_u32(&call->results, 1); /* chown_restricted */
    wire_put_u32(&call->results, 0); /* case_insensitive */
    wire_put_u32(&call->results, 1); /* case_preserving */
    return outcome;
}
