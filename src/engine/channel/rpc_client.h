/* Single calls, for what comes before and after a measurement: mounting, walking a path, trying a
 * procedure once. rpcgen's XDR routines encode the arguments and decode the results. Only the call
 * as a whole is timed. */
#pragma once

#include "engine/channel/channel.h"
#include "engine/procedure.h"
#include "rpc/credential.h"

struct rpc_client;

/* Connect. 0, or a negative errno with ERROR set. */
int rpc_client_open(struct rpc_client **client, const struct endpoint *endpoint,
                    const struct identity *identity, const struct channel_options *options,
                    struct error *error);
void rpc_client_close(struct rpc_client *client);

/* Make one call and decode its result into RESULT (zeroed before; free it with
 * xdr_free(procedure->xdr_result, result)). Returns 0; -EPROTONOSUPPORT when the server does not
 * have the program, version or procedure; -EACCES when it rejects the credential; -EPROTO when it
 * refuses for another reason; -EBADMSG for a result that can't be decoded or is too long; -EMSGSIZE
 * for one with trailing bytes, where the options refuse them; or what channel_exchange() returned;
 * with ERROR set. */
int rpc_client_call(struct rpc_client *client, const struct rpc_procedure *procedure,
                    void *arguments, void *result, struct error *error);

/* Set ERROR: LEFT bytes follow the result of PROCEDURE. Returns -EMSGSIZE. */
int rpc_client_refuse_trailing(const struct rpc_procedure *procedure, size_t left,
                               struct error *error);

/* The channel that CLIENT's calls go over. */
struct channel *rpc_client_channel(const struct rpc_client *client);

struct rpc_client_reply {
    struct rpc_reply_header header;
    struct wire_reader results; /* on success; valid until the next call */
    const uint8_t *bytes;       /* the whole reply message, from its xid on; valid as long */
    size_t length;              /* of BYTES */
    struct gss_reply sealed;    /* as it came, if it was protected; valid as long */
};

/* Make the call that MESSAGE holds. Returns as above; REPLY's header is set even when the server
 * refused. PROCEDURE's name is used in error messages. */
int rpc_client_exchange(struct rpc_client *client, const struct rpc_procedure *procedure,
                        const struct channel_message *message, struct rpc_client_reply *reply,
                        struct error *error);

/* Decode a reply's result, from READER's position, into RESULT (zeroed before), which must be freed
 * as above. Returns 0, or -EBADMSG when it can't be decoded; then there is nothing to free. */
int rpc_result_decode(const struct rpc_procedure *procedure, const struct wire_reader *reader,
                      void *result);

/* Encode a call into the ROOM bytes at BYTES: space for the record mark, the header with the
 * credential of IDENTITY, then ARGUMENTS. *LENGTH is set to the length of the message, without the
 * mark. Returns 0, or -EINVAL when the arguments can't be encoded or don't fit. */
int rpc_message_encode(uint8_t *bytes, size_t room, const struct rpc_procedure *procedure,
                       const struct identity *identity, void *arguments, size_t *length);

/* The same, into allocated memory; free MESSAGE's bytes with free(). Returns 0, or a negative errno
 * with ERROR set. */
int rpc_message_make(struct channel_message *message, const struct rpc_procedure *procedure,
                     const struct identity *identity, void *arguments, struct error *error);
