#include "server/nfs.h"

#include <string.h>

#include "server/server.h"

static enum rpc_outcome serve_null(struct call *call)
{
    return call_decoded(call) ? RPC_OUTCOME_SUCCESS : RPC_OUTCOME_GARBAGE_ARGS;
}

const call_procedure nfs_table[SERVER_NFS_PROCEDURES] = {
    [0] = serve_null,     [1] = serve_getattr, [3] = serve_lookup,    [4] = serve_access,
    [5] = serve_readlink, [6] = serve_read,    [16] = serve_readdir,  [17] = serve_readdirplus,
    [18] = serve_fsstat,  [19] = serve_fsinfo, [20] = serve_pathconf,
};

const size_t nfs_table_size = SERVER_NFS_PROCEDURES;

static const char *const names[SERVER_NFS_PROCEDURES] = {
    "null",    "getattr",     "setattr", "lookup", "access",   "readlink", "read",   "write",
    "create",  "mkdir",       "symlink", "mknod",  "remove",   "rmdir",    "rename", "link",
    "readdir", "readdirplus", "fsstat",  "fsinfo", "pathconf", "commit",
};

int server_procedure_number(const char *name)
{
    for (int i = 0; i < SERVER_NFS_PROCEDURES; i++)
        if (strcmp(names[i], name) == 0)
            return nfs_table[i] ? i : -1;
    return -1;
}

const char *server_procedure_name(unsigned number)
{
    return names[number];
}
