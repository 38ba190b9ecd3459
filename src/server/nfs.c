#include "server/programs.h"

#include <string.h>

#include "server/server.h"

enum rpc_outcome serve_null(struct call *call)
{
    return call_decoded(call) ? RPC_OUTCOME_SUCCESS : RPC_OUTCOME_GARBAGE_ARGS;
}

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
