/* Macros and functions for entries of the table of procedures. */
#pragma once

#include "nfs/procedures/procedures.h"

/* The struct rpc_procedure of the NFS procedure UPPER ("GETATTR"), with rpcgen's names. */
#define NFS_RPC(UPPER)                                                                             \
    {                                                                                              \
        .name = #UPPER, .program = NFS_PROGRAM, .version = NFS_V3, .number = NFSPROC3_##UPPER,     \
        .xdr_arguments = (xdrproc_t)xdr_##UPPER##3args,                                            \
        .xdr_result = (xdrproc_t)xdr_##UPPER##3res, .result_size = sizeof(UPPER##3res),            \
        .reply_maximum =                                                                           \
            NFSPROC3_##UPPER == NFSPROC3_READ ? RPC_REPLY_USUAL + NFS3_DATA_MAXIMUM : 0            \
    }

/* The first members of an entry of the table: the op NAME_, a call of the NFS procedure UPPER. */
#define NFS_ENTRY(name_, UPPER) .op = name_, .rpc = NFS_RPC(UPPER)

/* Return the NFS procedure with the lower-case name OP ("getattr"). Returns NULL if OP is unknown
 * or "null". */
const struct rpc_procedure *nfs_rpc_find(const char *op);

/* nfs_check_post_op() checks a result that contains only a post_op_attr, nfs_check_wcc() one that
 * contains only a wcc_data. A malformed result marks READER as failed. Both return 0. */
int nfs_check_post_op(struct wire_reader *reader, const struct nfs_objects *objects);
int nfs_check_wcc(struct wire_reader *reader, const struct nfs_objects *objects);

/* Return the handle of the file at VARIANT's place in the file set, or of the scratch file if there
 * is no file set: the file that LINK links to. */
nfs_fh3 nfs_scratch_file_argument(const struct nfs_objects *objects,
                                  const struct nfs_variant *variant);

/* Ops that consist of several calls. nfs_sequence_listing lists a directory from beginning to end.
 * nfs_sequence_walk traverses a tree in the order of find, up to objects->width directories at a
 * time. nfs_sequence_repeated repeats one call, as many times as an op of another struct nfs_call
 * made calls (nfs_call_repeat()). */
extern const struct engine_sequence nfs_sequence_listing, nfs_sequence_walk, nfs_sequence_repeated;

/* The parts of the table of procedures, and their numbers of entries. */
extern const struct nfs_procedure nfs_procedures_read[], nfs_procedures_data[],
    nfs_procedures_names[];
extern const size_t nfs_procedures_read_count, nfs_procedures_data_count,
    nfs_procedures_names_count;
