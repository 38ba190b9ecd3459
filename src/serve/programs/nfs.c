/* NFS version 3 (RFC 1813 section 3): the procedures on one object, on a file's data and on the
 * file system, and the table of all procedures. Section 3.3.N of the RFC specifies procedure N. */
#include <string.h>

#include "common/system_clock.h"
#include "rpc/procedures.h"
#include "serve/export/attributes.h"
#include "serve/programs/programs.h"
#include "serve/server.h"

nfsstat3 serve_null(struct call *call)
{
    return call_ready(call);
}

/* One object */

static nfsstat3 serve_getattr(struct call *call)
{
    call_put_head(call);
    if (call->node)
        call_put_attributes(&call->results, call->node);
    return call_ready(call);
}

/* Read the guard of a SETATTR (sattrguard3): the ctime that the object must still have. Returns
 * whether there is a guard. */
static bool get_guard(struct wire_reader *reader, uint64_t *guard)
{
    bool guarded = wire_get_bool(reader);
    uint64_t seconds = guarded ? wire_get_u32(reader) : 0;

    *guard = seconds * 1000000000 + (guarded ? wire_get_u32(reader) : 0);
    return guarded;
}

static nfsstat3 serve_setattr(struct call *call)
{
    struct attributes attributes = attributes_get(call);
    uint64_t guard;
    bool guarded = get_guard(&call->arguments, &guard);
    nfsstat3 status = call_ready(call);

    if (status == NFS3_OK && guarded && guard != call->node->changed)
        status = NFS3ERR_NOT_SYNC;
    if (status == NFS3_OK)
        status = attributes_check(call, call->node, &attributes);
    if (status == NFS3_OK)
        attributes_set(call, call->node, &attributes);
    return status;
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

static nfsstat3 serve_access(struct call *call)
{
    uint32_t asked = wire_get_u32(&call->arguments);
    nfsstat3 status = call_ready(call);

    if (status != NFS3_OK)
        return status;
    call_put_head(call);
    wire_put_u32(&call->results, asked & allowed_accesses(call, call->node));
    return NFS3_OK;
}

static nfsstat3 serve_readlink(struct call *call)
{
    nfsstat3 status = call_ready(call);

    if (status != NFS3_OK)
        return status;
    tree_note_access(call->tree, call->node);
    call_put_head(call);
    wire_put_opaque(&call->results, call->node->text, call->node->size);
    return NFS3_OK;
}

/* A file's data */

/* May the caller read the file's data? Clients read programs to execute them, so execute permission
 * allows reading (RFC 1813 section 4.4). */
static bool is_readable(const struct call *call)
{
    return call_by_owner(call, call->node) || call_permissions(call, call->node) & 5;
}

/* The disk that habits simulate: its delay, in ns, and its block size, in bytes. */
enum { DISK_NS = 5 * 1000 * 1000, DISK_BLOCK = 4096 };

static void sync_data(struct call *call)
{
    call->use.is_stable = true;
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

/* HABIT_SMALL_MEMORY: delay a READ at OFFSET of NODE unless its piece is cached or read ahead. */
static void find_data(struct call *call, const struct tree_node *node, uint64_t offset)
{
    if (call->habits & HABIT_SMALL_MEMORY &&
        habit_waits_for_disk(call->memory, node->number, offset / HABIT_PIECE + 1))
        call->sync_ns += DISK_NS;
}

/* Write COUNT bytes of NODE, from OFFSET on, to the results as an opaque. */
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

/* Return the offset of the COUNT bytes of NODE after those at OFFSET, or, if NODE ends earlier, of
 * the COUNT bytes before OFFSET. Returns OFFSET if NODE has neither. */
static uint64_t other_offset(const struct tree_node *node, uint64_t offset, uint32_t count)
{
    if (node->size - offset >= 2 * (uint64_t)count)
        return offset + count;
    return offset >= count ? offset - count : offset;
}

/* Write the data of a READ with a fault. With FAULT_TORN, only the second half is from another
 * offset than OFFSET; with another fault, all data are. */
static void put_faulty_data(struct call *call, const struct tree_node *node, uint64_t offset,
                            uint32_t count)
{
    const uint32_t right = call->fault == FAULT_TORN ? count / 2 : 0;
    uint8_t *into;

    wire_put_u32(&call->results, count);
    into = wire_reserve(&call->results, wire_padded(count));
    if (!into)
        return;
    pages_read(&node->pages, offset, into, right);
    pages_read(&node->pages, other_offset(node, offset, count) + right, into + right,
               count - right);
    memset(into + count, 0, wire_padded(count) - count);
}

static nfsstat3 serve_read(struct call *call)
{
    struct tree_node *node = call->node;
    uint64_t offset = wire_get_u64(&call->arguments), left;
    uint32_t count = wire_get_u32(&call->arguments);
    nfsstat3 status = call_ready(call);

    if (status != NFS3_OK)
        return status;
    if (!is_readable(call))
        return NFS3ERR_ACCES;
    find_place(call, offset, count);
    find_data(call, node, offset);
    tree_note_access(call->tree, node);
    left = offset < node->size ? node->size - offset : 0;
    if (count > call->data_maximum)
        count = call->data_maximum;
    if (count > left)
        count = (uint32_t)left;
    call->use.bytes = count;
    call_put_head(call);
    wire_put_u32(&call->results, count);
    wire_put_u32(&call->results, count == left); /* eof */
    (call->fault ? put_faulty_data : put_data)(call, node, offset, count);
    return NFS3_OK;
}

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

static nfsstat3 write_faulty(struct call *call, struct tree_node *node, uint64_t offset,
                             const uint8_t *data, uint32_t count)
{
    nfsstat3 status = NFS3_OK;

    if (call->fault == FAULT_TORN)
        return write_data(call, node, offset, data, count / 2);
    if (call->fault == FAULT_DUPLICATED || call->fault == FAULT_LATE)
        status = write_data(call, node, offset, data, count);
    if (call->fault == FAULT_LATE)
        fault_keep(call->kept, node->number, node->generation, offset, data, count);
    else if (status == NFS3_OK && call->fault != FAULT_LOST)
        status = write_data(call, node, offset + count, data, count);
    return status;
}

/* Write DATA. If the kept WRITE has the same file and offset, carry out that WRITE afterwards. */
static nfsstat3 write_again(struct call *call, struct tree_node *node, uint64_t offset,
                            const uint8_t *data, uint32_t count)
{
    struct fault_kept kept = *call->kept;
    nfsstat3 status = write_data(call, node, offset, data, count);

    if (status != NFS3_OK || kept.node != node->number || kept.generation != node->generation ||
        kept.offset != offset)
        return status;
    *call->kept = (struct fault_kept){.data = NULL};
    status = write_data(call, node, offset, kept.data, kept.count);
    free(kept.data);
    return status;
}

static uint64_t write_verifier(const struct call *call)
{
    return call->tree->boot +
           (call->habits & HABIT_NEW_VERIFIER ? system_clock_ns(CLOCK_REALTIME) : 0);
}

/* Data in memory do not become more stable later, so the reply says that they are as stable as
 * requested, unless a habit says otherwise. */
static nfsstat3 serve_write(struct call *call)
{
    uint64_t offset = wire_get_u64(&call->arguments);
    uint32_t count = wire_get_u32(&call->arguments);
    uint32_t stable = wire_get_u32(&call->arguments), length;
    const uint8_t *data = wire_get_opaque(&call->arguments, UINT32_MAX, &length);
    nfsstat3 status;

    if (stable > FILE_SYNC)
        call->arguments.failed = true;
    status = call_ready(call);
    if (status == NFS3_OK)
        status = call_check_writable(call, call->node);
    if (status == NFS3_OK && length != count)
        status = NFS3ERR_INVAL;
    if (count > call->data_maximum)
        count = call->data_maximum;
    find_place(call, offset, count);
    if (status == NFS3_OK)
        status = (call->fault        ? write_faulty
                  : call->kept->data ? write_again
                                     : write_data)(call, call->node, offset, data, count);
    if (status != NFS3_OK)
        return status;
    call->use.bytes = count;
    call_put_head(call);
    wire_put_u32(&call->results, count);
    wire_put_u32(&call->results, call->habits & HABIT_ALWAYS_SYNC ? FILE_SYNC : stable);
    wire_put_u64(&call->results, write_verifier(call));
    if (stable != UNSTABLE)
        sync_data(call);
    return NFS3_OK;
}

static nfsstat3 serve_commit(struct call *call)
{
    nfsstat3 status;

    wire_get_u64(&call->arguments); /* offset */
    wire_get_u32(&call->arguments); /* count */
    status = call_ready(call);
    if (status == NFS3_OK)
        status = call_check_writable(call, call->node);
    if (status != NFS3_OK)
        return status;
    call_put_head(call);
    wire_put_u64(&call->results, write_verifier(call));
    sync_data(call);
    return NFS3_OK;
}

/* The file system */

static nfsstat3 serve_fsstat(struct call *call)
{
    uint64_t total = call->tree->memory.limit;
    uint64_t left = total - call->tree->memory.used;
    uint64_t files_left = left / (sizeof(struct tree_node) + sizeof(struct directory_entry));

    call_put_head(call);
    wire_put_u64(&call->results, total);
    wire_put_u64(&call->results, left);
    wire_put_u64(&call->results, left); /* bytes available to the caller */
    wire_put_u64(&call->results, call->tree->count + files_left);
    wire_put_u64(&call->results, files_left);
    wire_put_u64(&call->results, files_left);
    wire_put_u32(&call->results, 0); /* invarsec: the values may change at once */
    return call_ready(call);
}

static nfsstat3 serve_fsinfo(struct call *call)
{
    const bool small = call->habits & HABIT_SMALL_LIMITS;
    const uint32_t maximum = small ? HABIT_MAXIMUM : call->data_maximum;
    const bool prefers = call->habits & HABIT_SLOW_LARGE && HABIT_PREFERRED < maximum;
    const uint32_t preferred = prefers ? HABIT_PREFERRED : maximum;

    call_put_head(call);
    for (int i = 0; i < 2; i++) { /* rtmax, rtpref, rtmult; wtmax, wtpref, wtmult */
        wire_put_u32(&call->results, maximum);
        wire_put_u32(&call->results, preferred);
        wire_put_u32(&call->results, 4096);
    }
    wire_put_u32(&call->results, small ? HABIT_LIST : 8192); /* dtpref */
    wire_put_u64(&call->results, TREE_SIZE_MAXIMUM);
    wire_put_u32(&call->results, 0); /* time_delta: 1 ns */
    wire_put_u32(&call->results, 1);
    wire_put_u32(&call->results, FSF3_LINK | FSF3_SYMLINK | FSF3_HOMOGENEOUS | FSF3_CANSETTIME);
    return call_ready(call);
}

static nfsstat3 serve_pathconf(struct call *call)
{
    call_put_head(call);
    wire_put_u32(&call->results, TREE_LINKS_MAXIMUM);
    wire_put_u32(&call->results, TREE_NAME_MAXIMUM);
    wire_put_u32(&call->results, 1); /* no_trunc */
    wire_put_u32(&call->results, 1); /* chown_restricted */
    wire_put_u32(&call->results, 0); /* case_insensitive */
    wire_put_u32(&call->results, 1); /* case_preserving */
    return call_ready(call);
}

/* All procedures */

/* The members of each entry: function, object, head of the result, changes, remembered. WRITE is
 * remembered, too, because a late repetition would undo what was written or truncated in the
 * meantime. */
const struct procedure nfs_table[NFS_PROCEDURES] = {
    [NFSPROC3_NULL] = {serve_null},
    [NFSPROC3_GETATTR] = {serve_getattr, CALL_ANY, HEAD_STATUS},
    [NFSPROC3_SETATTR] = {serve_setattr, CALL_ANY, HEAD_WCC, true, true},
    [NFSPROC3_LOOKUP] = {serve_lookup, CALL_DIRECTORY, HEAD_POST_OP},
    [NFSPROC3_ACCESS] = {serve_access, CALL_ANY, HEAD_POST_OP},
    [NFSPROC3_READLINK] = {serve_readlink, CALL_SYMLINK, HEAD_POST_OP},
    [NFSPROC3_READ] = {serve_read, CALL_FILE, HEAD_POST_OP},
    [NFSPROC3_WRITE] = {serve_write, CALL_FILE, HEAD_WCC, true, true},
    [NFSPROC3_CREATE] = {serve_create, CALL_DIRECTORY, HEAD_WCC, true, true},
    [NFSPROC3_MKDIR] = {serve_mkdir, CALL_DIRECTORY, HEAD_WCC, true, true},
    [NFSPROC3_SYMLINK] = {serve_symlink, CALL_DIRECTORY, HEAD_WCC, true, true},
    [NFSPROC3_MKNOD] = {serve_mknod, CALL_DIRECTORY, HEAD_WCC, true, true},
    [NFSPROC3_REMOVE] = {serve_remove, CALL_DIRECTORY, HEAD_WCC, true, true},
    [NFSPROC3_RMDIR] = {serve_rmdir, CALL_DIRECTORY, HEAD_WCC, true, true},
    [NFSPROC3_RENAME] = {serve_rename, CALL_DIRECTORY, HEAD_TWO_WCC, true, true},
    [NFSPROC3_LINK] = {serve_link, CALL_ANY, HEAD_POST_OP_AND_WCC, true, true},
    [NFSPROC3_READDIR] = {serve_readdir, CALL_DIRECTORY, HEAD_POST_OP},
    [NFSPROC3_READDIRPLUS] = {serve_readdirplus, CALL_DIRECTORY, HEAD_POST_OP},
    [NFSPROC3_FSSTAT] = {serve_fsstat, CALL_ANY, HEAD_POST_OP},
    [NFSPROC3_FSINFO] = {serve_fsinfo, CALL_ANY, HEAD_POST_OP},
    [NFSPROC3_PATHCONF] = {serve_pathconf, CALL_ANY, HEAD_POST_OP},
    [NFSPROC3_COMMIT] = {serve_commit, CALL_FILE, HEAD_WCC},
};

#define NAME(lower, UPPER) #lower,
static const char *const names[NFS_PROCEDURES] = {"null", RPC_EACH_NFS_PROCEDURE(NAME)};

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
