/* Macros and functions for entries of the table of procedures. */
#pragma once

#include "nfs/procedures/procedures.h"

/* The struct rpc_procedure of an NFS procedure, by the names that rpcgen gives. */
#define NFS_RPC(UPPER)                                                                             \
    {                                                                                              \
        .name = #UPPER, .program = NFS_PROGRAM, .version = NFS_V3, .number = NFSPROC3_##UPPER,     \
        .xdr_arguments = (xdrproc_t)xdr_##UPPER##3args,                                            \
        .xdr_result = (xdrproc_t)xdr_##UPPER##3res, .result_size = sizeof(UPPER##3res),            \
        .reply_maximum =                                                                           \
            NFSPROC3_##UPPER == NFSPROC3_READ ? RPC_REPLY_USUAL + NFS3_DATA_MAXIMUM : 0            \
    }

/* The first members of an entry of the table, for the op NAME_. */
#define NFS_ENTRY(name_, UPPER) .op = name_, .rpc = NFS_RPC(UPPER)

/* Return the RPC procedure called OP ("getattr"); NULL for any other op. */
const struct rpc_procedure *nfs_rpc_find(const char *op);

/* Check a result that contains only a post_op_attr, or only a wcc_data. */
int nfs_check_post_op(struct wire_reader *reader, const struct nfs_objects *objects);
int nfs_check_wcc(struct wire_reader *reader, const struct nfs_objects *objects);

/* Return the handle of the run's own file that VARIANT's place is in, or of the scratch file if
 * there is no file set. Used by procedures whose first object is another one. */
nfs_fh3 nfs_scratch_file_argument(const struct nfs_objects *objects,
                                  const struct nfs_variant *variant);

/* Ops that are several calls: the listing of a directory from beginning to end; a walk through a
 * tree in the order of find, with up to objects->width directories at a time; and one call repeated
 * as often as the op of another call made calls (nfs_call_repeat()). */
extern const struct engine_sequence nfs_sequence_listing, nfs_sequence_walk, nfs_sequence_repeated;

/* The parts of the table of procedures. */
extern const struct nfs_procedure nfs_procedures_read[], nfs_procedures_data[],
    nfs_procedures_names[];
extern const size_t nfs_procedures_read_count, nfs_procedures_data_count,
    nfs_procedures_names_count;
