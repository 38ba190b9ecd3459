/* Single calls, for what comes before and after a measurement: mounting, walking a path, trying a
 * procedure out. Arguments and results go through rpcgen's XDR routines; nothing is timed but the
 * whole. */
#ifndef NFSBENCH_ENGINE_RPC_CLIENT_H
#define NFSBENCH_ENGINE_RPC_CLIENT_H

#include "engine/channel.h"
#include "engine/identity.h"
#include "engine/procedure.h"

struct rpc_client;

/* Connect. 0, or a negative errno with ERROR set. */
int rpc_client_open(struct rpc_client **client, const struct endpoint *endpoint,
                    const struct identity *identity, const struct channel_options *options,
                    struct error *error);
void rpc_client_close(struct rpc_client *client);

/* Make one call and decode its result into RESULT (zeroed before; free it with
 * xdr_free(procedure->xdr_result, result)). 0; -EPROTONOSUPPORT when the server has not the
 * program, version or procedure, -EACCES when it rejects the credential, -EPROTO for its other
 * refusals, -EBADMSG for a result that can't be decoded, or what channel_exchange() returned; with
 * ERROR set. */
int rpc_client_call(struct rpc_client *client, const struct rpc_procedure *procedure,
                    void *arguments, void *result, struct error *error);

/* As channel_packets(). */
unsigned rpc_client_packets(const struct rpc_client *client, size_t length);

struct rpc_client_reply {
    struct rpc_reply_header header;
    struct wire_reader results; /* on success; valid until the next call */
    const uint8_t *bytes;       /* the whole reply message, from its xid on; likewise */
    size_t length;              /* of it */
};

/* Make the call that MESSAGE holds. Returns as above; REPLY's header is set, too, when the server
 * refused. PROCEDURE's name goes into messages. */
int rpc_client_exchange(struct rpc_client *client, const struct rpc_procedure *procedure,
                        const struct channel_message *message, struct rpc_client_reply *reply,
                        struct error *error);

/* Decode a reply's result, from where READER is, into RESULT (zeroed before), which is to be freed
 * as above. 0, or -EBADMSG when it can't be decoded; there is then nothing to free. */
int rpc_result_decode(const struct rpc_procedure *procedure, const struct wire_reader *reader,
                      void *result);

/* Encode a call into BYTES, of which there are ROOM: space for the record mark, header with the
 * credential of IDENTITY, then ARGUMENTS. *LENGTH is that of the message, without the mark. 0, or
 * -EINVAL when the arguments can't be encoded or don't fit. */
int rpc_message_encode(uint8_t *bytes, size_t room, const struct rpc_procedure *procedure,
                       const struct identity *identity, void *arguments, size_t *length);

/* The same, into bytes that are allocated; free() those of MESSAGE. 0, or a negative errno with
 * ERROR set. */
int rpc_message_make(struct channel_message *message, const struct rpc_procedure *procedure,
                     const struct identity *identity, void *arguments, struct error *error);

#endif
