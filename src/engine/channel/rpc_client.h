/* Single calls by rpcgen's XDR routines, for work before and after a measurement: mounting, walking
 * a path, trying a procedure once. */
#pragma once

#include "engine/channel/channel.h"
#include "engine/procedure.h"
#include "rpc/credential.h"

struct rpc_client;

/* Connect to ENDPOINT for calls as IDENTITY. Returns 0, or a negative errno with ERROR set. */
int rpc_client_open(struct rpc_client **client, const struct endpoint *endpoint,
                    const struct identity *identity, const struct channel_options *options,
                    struct error *error);
void rpc_client_close(struct rpc_client *client);

/* Make one call and decode its result into RESULT, which is zeroed first. Returns 0, and RESULT
 * must be freed with xdr_free(procedure->xdr_result, result); or, with ERROR set and nothing to
 * free: -EINVAL or -ENOMEM if ARGUMENTS can't be encoded; -EPROTONOSUPPORT if the server doesn't
 * have the program, version or procedure; -EACCES if it rejects the credential; -EPROTO if it
 * refuses for another reason; -EBADMSG if the reply can't be decoded or is too long; -EMSGSIZE if
 * bytes follow the result and are refused; or the error of channel_exchange(). */
int rpc_client_call(struct rpc_client *client, const struct rpc_procedure *procedure,
                    void *arguments, void *result, struct error *error);

/* Set ERROR: LEFT bytes follow the result of PROCEDURE. Returns -EMSGSIZE. */
int rpc_client_refuse_trailing(const struct rpc_procedure *procedure, size_t left,
                               struct error *error);

struct channel *rpc_client_channel(const struct rpc_client *client);

struct rpc_client_reply {
    struct rpc_reply_header header;
    struct wire_reader results; /* set on success; valid until the next call */
    const uint8_t *bytes;       /* complete message from its xid on; valid until the next call */
    size_t length;              /* length of BYTES */
    struct gss_reply sealed;    /* protected reply as received; valid until the next call */
};

/* Make the call in MESSAGE. Returns as rpc_client_call() does, but checks neither the result nor
 * the reply's length. If an RPC reply came, REPLY's header is set, even if the server refused the
 * call. PROCEDURE only gives a name. */
int rpc_client_exchange(struct rpc_client *client, const struct rpc_procedure *procedure,
                        const struct channel_message *message, struct rpc_client_reply *reply,
                        struct error *error);

/* Decode the result at READER's position into RESULT, which is zeroed first. Returns 0, and RESULT
 * must be freed with xdr_free(procedure->xdr_result, result); or -EBADMSG with nothing to free. */
int rpc_result_decode(const struct rpc_procedure *procedure, const struct wire_reader *reader,
                      void *result);

/* Encode a call into the ROOM bytes at BYTES: space for the record mark, the header with IDENTITY's
 * credential, and ARGUMENTS. *LENGTH is the message's length without the mark. Returns 0, or
 * -EINVAL if the arguments can't be encoded or don't fit. */
int rpc_message_encode(uint8_t *bytes, size_t room, const struct rpc_procedure *procedure,
                       const struct identity *identity, void *arguments, size_t *length);

/* Encode a call into MESSAGE, whose bytes the caller frees. Returns 0, or a negative errno with
 * ERROR set. */
int rpc_message_make(struct channel_message *message, const struct rpc_procedure *procedure,
                     const struct identity *identity, void *arguments, struct error *error);
