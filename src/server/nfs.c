/* NFS version 3 (RFC 1813 section 3): the procedures on one object, on a file's data and on the
 * file system, and the table of all. */
#include <string.h>

#include "server/attributes.h"
#include "server/programs.h"
#include "server/server.h"

enum rpc_outcome serve_null(struct call *call)
{
    return call_decoded(call) ? RPC_OUTCOME_SUCCESS : RPC_OUTCOME_GARBAGE_ARGS;
}

/* One object */

/* RFC 1813 section 3.3.1 */
static enum rpc_outcome serve_getattr(struct call *call)
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
static enum rpc_outcome serve_setattr(struct call *call)
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
static enum rpc_outcome serve_access(struct call *call)
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
static enum rpc_outcome serve_readlink(struct call *call)
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

/* A file's data */

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
static enum rpc_outcome serve_read(struct call *call)
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
static enum rpc_outcome serve_write(struct call *call)
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
static enum rpc_outcome serve_commit(struct call *call)
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

/* The file system */

/* Read the call's only argument, a handle, and begin the result as call_begin() does. */
static bool begin(struct call *call, enum rpc_outcome *outcome)
{
    nfsstat3 status;
    const struct tree_node *node = call_get_node(call, &status);

    return call_begin(call, node, status, outcome);
}

/* RFC 1813 section 3.3.18 */
static enum rpc_outcome serve_fsstat(struct call *call)
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
static enum rpc_outcome serve_fsinfo(struct call *call)
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
static enum rpc_outcome serve_pathconf(struct call *call)
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

/* All procedures */

/* What follows the status on failure: nothing; a post_op_attr; a wcc_data; one of each; two
 * wcc_data. */
enum { NONE = 0, POST_OP = 1, WCC = 2, POST_OP_AND_WCC = 3, TWO_WCC = 4 };

/* Function, changes, is remembered, words on failure. WRITE is remembered, too: a late repetition
 * would undo what was written or truncated in the meantime. */
const struct procedure nfs_table[NFS_PROCEDURES] = {
    [NFSPROC3_NULL] = {serve_null, false, false, NONE},
    [NFSPROC3_GETATTR] = {serve_getattr, false, false, NONE},
    [NFSPROC3_SETATTR] = {serve_setattr, true, true, WCC},
    [NFSPROC3_LOOKUP] = {serve_lookup, false, false, POST_OP},
    [NFSPROC3_ACCESS] = {serve_access, false, false, POST_OP},
    [NFSPROC3_READLINK] = {serve_readlink, false, false, POST_OP},
    [NFSPROC3_READ] = {serve_read, false, false, POST_OP},
    [NFSPROC3_WRITE] = {serve_write, true, true, WCC},
    [NFSPROC3_CREATE] = {serve_create, true, true, WCC},
    [NFSPROC3_MKDIR] = {serve_mkdir, true, true, WCC},
    [NFSPROC3_SYMLINK] = {serve_symlink, true, true, WCC},
    [NFSPROC3_MKNOD] = {serve_mknod, true, true, WCC},
    [NFSPROC3_REMOVE] = {serve_remove, true, true, WCC},
    [NFSPROC3_RMDIR] = {serve_rmdir, true, true, WCC},
    [NFSPROC3_RENAME] = {serve_rename, true, true, TWO_WCC},
    [NFSPROC3_LINK] = {serve_link, true, true, POST_OP_AND_WCC},
    [NFSPROC3_READDIR] = {serve_readdir, false, false, POST_OP},
    [NFSPROC3_READDIRPLUS] = {serve_readdirplus, false, false, POST_OP},
    [NFSPROC3_FSSTAT] = {serve_fsstat, false, false, POST_OP},
    [NFSPROC3_FSINFO] = {serve_fsinfo, false, false, POST_OP},
    [NFSPROC3_PATHCONF] = {serve_pathconf, false, false, POST_OP},
    [NFSPROC3_COMMIT] = {serve_commit, false, false, WCC},
};

static const char *const names[NFS_PROCEDURES] = {
    "null",    "getattr",     "setattr", "lookup", "access",   "readlink", "read",   "write",
    "create",  "mkdir",       "symlink", "mknod",  "remove",   "rmdir",    "rename", "link",
    "readdir", "readdirplus", "fsstat",  "fsinfo", "pathconf", "commit",
};

int server_procedure_number(const char *name)
{
    for (int i = 0; i < NFS_PROCEDURES; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

const char *server_procedure_name(unsigned number)
{
    return names[number];
}
