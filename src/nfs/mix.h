/* A mix: ops with weights. The calls come in random order, or in an order in which each op depends
 * on the one before it. doc/FORMAT.md describes the file. */
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
        uint32_t weight; /* weight of the op, at least 1 */
    } ops[NFS_MIX_OPS_MAXIMUM];
    size_t count;
    bool ordered;          /* AFTER describes the order of the calls; false: the order is random */
    op_order_counts after; /* how often one op followed another: [op][the next op] */
    char missing[NFS_MIX_MISSING_SIZE]; /* ops that were removed, separated by ", "; "" if none */
};

/* Load a mix. NAME is a built-in mix ("sfs2008", "sfs3"), the ops with their weights
 * ("read=70,write=30"), or a file. A file with = in its name is written ./NAME. Returns 0, or a
 * negative errno with ERROR set (ERROR_USAGE): for a file that can't be read (input_read()) or is
 * JSON, a line that is no op with a weight or that nfs_mix_add() refuses, and a mix without ops. */
int nfs_mix_load(struct nfs_mix *mix, const char *name, struct error *error);

/* Return the name of built-in mix INDEX, from 0 on; NULL after the last. */
const char *nfs_mix_name_at(size_t index);

/* Add PROCEDURE (NULL if the op is unknown) to MIX with WEIGHT. Returns NULL if PROCEDURE was
 * added, else the reason why it can't be added. */
const char *nfs_mix_add(struct nfs_mix *mix, const struct nfs_procedure *procedure,
                        unsigned weight);

/* Divide CALLS among the ops of MIX in proportion to their weights, as nearly as integers allow,
 * with at least one call for each op. Returns the sum of SHARES: CALLS or more. */
uint32_t nfs_mix_divide(const struct nfs_mix *mix, uint32_t calls,
                        uint32_t shares[NFS_MIX_OPS_MAXIMUM]);

/* Remove OP, if MIX has it, and add it to MIX's `missing`. The shares of the other ops grow. */
void nfs_mix_remove(struct nfs_mix *mix, const char *op);
