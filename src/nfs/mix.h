/* A mix: ops with weights, whose calls come in random order, or in one where each depends on the
 * one before (doc/FORMAT.md has the file's form). */
#pragma once

#include "common/error.h"
#include "measure/op_order.h"
#include "nfs/procedures/procedures.h"

enum {
    NFS_MIX_OPS_MAXIMUM = OP_ORDER_OPS_MAXIMUM,
    NFS_MIX_WEIGHT_MAXIMUM = 1000000,
    NFS_MIX_MISSING_SIZE = NFS_MIX_OPS_MAXIMUM * 24,
};

struct nfs_mix {
    struct {
        const struct nfs_procedure *procedure;
        uint32_t weight; /* more than 0 */
    } ops[NFS_MIX_OPS_MAXIMUM];
    size_t count;
    bool ordered; /* AFTER has the order of the calls */
    op_order_counts after;
    char missing[NFS_MIX_MISSING_SIZE]; /* removed ops, separated by ", "; or "" */
};

/* Load the built-in mix called NAME ("sfs2008", "sfs3"), the one that NAME spells
 * ("read=70,write=30"), otherwise the one in the file NAME (one with = in its name is ./NAME).
 * Returns 0, or a negative errno with ERROR set (ERROR_USAGE): a file that can't be read
 * (input_read()), a line that is not an op with a weight, a duplicate op, or no op. */
int nfs_mix_load(struct nfs_mix *mix, const char *name, struct error *error);

/* The name of built-in mix INDEX, from 0 on; NULL after the last. */
const char *nfs_mix_name_at(size_t index);

/* Add PROCEDURE (NULL: one that is not known). NULL, or why it can't be. */
const char *nfs_mix_add(struct nfs_mix *mix, const struct nfs_procedure *procedure,
                        unsigned weight);

/* Divide CALLS among the mix's ops, at least one for each, as nearly in proportion to their weights
 * as integers allow. Returns the sum, which is CALLS or slightly more. */
uint32_t nfs_mix_divide(const struct nfs_mix *mix, uint32_t calls,
                        uint32_t shares[NFS_MIX_OPS_MAXIMUM]);

/* Remove OP, if it is in the mix: the others' shares grow in proportion to their weights. */
void nfs_mix_remove(struct nfs_mix *mix, const char *op);
