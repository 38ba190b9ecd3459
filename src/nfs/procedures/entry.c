#include "nfs/procedures/entry.h"

#include <string.h>

#include "nfs/objects/working_set.h"

int nfs_check_post_op(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_post_op_attr(reader);
    return 0;
}

int nfs_check_wcc(struct wire_reader *reader, const struct nfs_objects *objects)
{
    nfs_item_wcc(reader);
    return 0;
}

/* The procedures of NFS except NULL. OP is the procedure's name in lower case. */
static const struct {
    const char *op;
    struct rpc_procedure rpc;
} procedures[] = {
#define PROCEDURE(lower, UPPER) {#lower, NFS_RPC(UPPER)},
    RPC_EACH_NFS_PROCEDURE(PROCEDURE)};

const struct rpc_procedure *nfs_rpc_find(const char *op)
{
    for (size_t i = 0; i < sizeof procedures / sizeof procedures[0]; i++)
        if (strcmp(procedures[i].op, op) == 0)
            return &procedures[i].rpc;
    return NULL;
}

nfs_fh3 nfs_scratch_file_argument(const struct nfs_objects *objects,
                                  const struct nfs_variant *variant)
{
    const struct nfs_file_set *set = objects->files;

    return nfs_handle_argument(set ? &set->handles[variant->place.file] : &objects->scratch_file);
}
