/* How an entry of the table of procedures is written. */
#pragma once

#include "nfs/procedures/procedures.h"

/* A procedure of NFS as RPC has it, which follows from rpcgen's naming. */
#define NFS_RPC(UPPER)                                                                             \
    {                                                                                              \
        .name = #UPPER, .program = NFS_PROGRAM, .version = NFS_V3, .number = NFSPROC3_##UPPER,     \
        .xdr_arguments = (xdrproc_t)xdr_##UPPER##3args,                                            \
        .xdr_result = (xdrproc_t)xdr_##UPPER##3res, .result_size = sizeof(UPPER##3res),            \
        .reply_maximum =                                                                           \
            NFSPROC3_##UPPER == NFSPROC3_READ ? RPC_REPLY_USUAL + NFS3_DATA_MAXIMUM : 0            \
    }

/* The members of a procedure's entry that follow from rpcgen's naming, for the op NAME_. */
#define NFS_ENTRY(name_, UPPER) .op = name_, .rpc = NFS_RPC(UPPER)

/* The procedure called OP ("getattr") as RPC has it; NULL for any other op. */
const struct rpc_procedure *nfs_rpc_find(const char *op);

/* The checks of results that show nothing but a post_op_attr, or a wcc_data. */
int nfs_check_post_op(struct wire_reader *reader, const struct nfs_objects *objects);
int nfs_check_wcc(struct wire_reader *reader, const struct nfs_objects *objects);

/* The handle of an object that is not the procedure's first: the file that VARIANT's place is in,
 * of those that a run has made; without places, the only one. */
nfs_fh3 nfs_scratch_file_argument(const struct nfs_objects *objects,
                                  const struct nfs_variant *variant);

/* The ops that are several calls: a directory from its beginning to its end; a tree, in find's
 * order, with as many directories at the same time as its objects say; and a call as many times as
 * the op of another call was one (nfs_call_repeat()). */
extern const struct engine_sequence nfs_sequence_listing, nfs_sequence_walk, nfs_sequence_repeated;

/* The parts of the table. */
extern const struct nfs_procedure nfs_procedures_read[], nfs_procedures_data[],
    nfs_procedures_names[];
extern const size_t nfs_procedures_read_count, nfs_procedures_data_count,
    nfs_procedures_names_count;
