/* A mix: ops with weights, whose calls come in random order (doc/FORMAT.md has the file's form). */
#ifndef NFSBENCH_NFS_MIX_H
#define NFSBENCH_NFS_MIX_H

#include "common/error.h"
#include "nfs/procedures.h"

enum {
    NFS_MIX_OPS_MAXIMUM = 32,
    NFS_MIX_WEIGHT_MAXIMUM = 1000000,
    NFS_MIX_MISSING_SIZE = NFS_MIX_OPS_MAXIMUM * 24,
};

struct nfs_mix {
    struct {
        const struct nfs_procedure *procedure;
        uint32_t weight; /* more than 0 */
    } ops[NFS_MIX_OPS_MAXIMUM];
    size_t count;
    char missing[NFS_MIX_MISSING_SIZE]; /* ops that were taken out, ", " between them; "" */
};

/* The built-in mix called NAME ("sfs2008", "sfs3"), else the one in the file NAME. 0, or a negative
 * errno with ERROR set (ERROR_USAGE): a file that can't be read (input_read()), a line that is no
 * op with a weight, an op twice, none at all. */
int nfs_mix_load(struct nfs_mix *mix, const char *name, struct error *error);

/* Divide CALLS among the mix's ops, one at least for each: in proportion to their weights as far as
 * whole calls can be. The sum, which is CALLS or a little more. */
uint32_t nfs_mix_divide(const struct nfs_mix *mix, uint32_t calls,
                        uint32_t shares[NFS_MIX_OPS_MAXIMUM]);

/* Take OP out: the others' shares grow in proportion to their weights. Nothing happens where it is
 * not in it. */
void nfs_mix_remove(struct nfs_mix *mix, const char *op);

#endif
