/* A remote procedure: its numbers, and the XDR routines that rpcgen generates for it. */
#pragma once

#include <rpc/rpc.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum length of replies, in bytes. */
enum {
    RPC_REPLY_USUAL = 64 * 1024,      /* replies without file data */
    RPC_REPLY_LIST = 4 * 1024 * 1024, /* lists of a server's exports or clients */
};

struct rpc_procedure {
    const char *name; /* name for error messages, such as "MOUNT3 MNT" */
    uint32_t program, version, number;
    xdrproc_t xdr_arguments;
    xdrproc_t xdr_result;
    size_t result_size;   /* size of the decoded result, in bytes */
    size_t reply_maximum; /* longest reply to rpc_client_call(), in bytes; 0: RPC_REPLY_USUAL */
};

/* XDR routine of empty arguments and results: xdr_void(), but callable as an xdrproc_t. */
static inline bool_t rpc_xdr_nothing(XDR *xdr, void *nothing)
{
    return TRUE;
}
