/* A call without a socket: encoded as a client encodes it that goes by rpcgen's routines, and a
 * reply that the server once gave to it decoded, header and all. */
#ifndef NFSBENCH_ENGINE_XDR_CALL_H
#define NFSBENCH_ENGINE_XDR_CALL_H

#include "engine/engine.h"
#include "engine/rpc_client.h"

struct xdr_call {
    const struct engine_call *call;
    uint8_t *message; /* where calls are encoded */
    size_t room;
    uint8_t *reply; /* from its xid on */
    size_t reply_length;
};

/* Make it of CALL, which must outlive it, and of the reply that REPLY tells of, which is copied.
 * Free it with xdr_call_close(); a zeroed one may be, too. 0 or -ENOMEM with ERROR set. */
int xdr_call_open(struct xdr_call *xdr_call, const struct engine_call *call,
                  const struct rpc_client_reply *reply, struct error *error);
void xdr_call_close(struct xdr_call *xdr_call);

/* Encode the call's variant of that NUMBER (they are taken in turn), and decode the reply. Writes
 * to the call's result, and frees what it takes. 0, or -EBADMSG. */
int xdr_call_make(const struct xdr_call *xdr_call, size_t number);

#endif
