/* A remote procedure, as rpcgen's output describes it. */
#pragma once

#include <rpc/rpc.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes; a longer reply is refused. */
enum {
    RPC_REPLY_USUAL = 64 * 1024,      /* without file data */
    RPC_REPLY_LIST = 4 * 1024 * 1024, /* the exports of a server, or its clients */
};

struct rpc_procedure {
    const char *name; /* for messages: "MOUNT3 MNT" */
    uint32_t program, version, number;
    xdrproc_t xdr_arguments;
    xdrproc_t xdr_result;
    size_t result_size;   /* of the decoded result, in bytes */
    size_t reply_maximum; /* of a single call's reply message, in bytes; 0: RPC_REPLY_USUAL */
};

/* The XDR routine of empty arguments and of an empty result: xdr_void(), with a type that may be
 * called as an xdrproc_t. */
static inline bool_t rpc_xdr_nothing(XDR *xdr, void *nothing)
{
    return TRUE;
}
