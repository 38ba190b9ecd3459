/* ONC RPC version 2 messages (RFC 5531): the header of a call and of a reply, both ways. It is
 * independent of NFS and of sockets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rpc/credential.h"
#include "rpc/wire.h"

enum {
    RPC_MESSAGE_VERSION = 2,
    RPC_CALL_HEADER_MAXIMUM = 40 + 2 * RPC_AUTH_BODY_MAXIMUM,
    RPC_CALL_CREDENTIAL_AT = 24, /* where a call's credential begins: after xid, message type, RPC
                                    version, program, version and procedure */
};

/* Values of auth_stat (RFC 5531 section 9): why a credential is refused. */
enum rpc_auth_status {
    RPC_AUTH_BADCRED = 1,
    RPC_AUTH_BADVERF = 3,
    RPC_AUTH_TOOWEAK = 5,
    RPC_AUTH_GSS_CREDPROBLEM = 13,
    RPC_AUTH_GSS_CTXPROBLEM = 14,
};

struct rpc_call_header {
    uint32_t xid;
    uint32_t rpc_version; /* read by rpc_call_decode; written as 2 */
    uint32_t program, version, procedure;
    uint32_t credential_flavor;
    uint32_t credential_length;
    const uint8_t *credential; /* in place in the message when decoded */
};

/* Write a call's header with a verifier of AUTH_NONE; the arguments come next. */
void rpc_call_encode(struct wire_writer *writer, const struct rpc_call_header *header);

/* Read a call's header; READER is then at the arguments. Returns 0; -EBADMSG if it is not a call
 * (to be dropped without an answer); -EPROTO if rpc_version is not 2 (only xid and rpc_version are
 * then set, and the answer is RPC_OUTCOME_RPC_MISMATCH). */
int rpc_call_decode(struct wire_reader *reader, struct rpc_call_header *header);

/* The outcome in a reply, with both levels in one list (reply_stat, accept_stat and reject_stat of
 * RFC 5531 section 9). */
enum rpc_outcome {
    RPC_OUTCOME_SUCCESS,
    RPC_OUTCOME_PROG_UNAVAIL,
    RPC_OUTCOME_PROG_MISMATCH,
    RPC_OUTCOME_PROC_UNAVAIL,
    RPC_OUTCOME_GARBAGE_ARGS,
    RPC_OUTCOME_SYSTEM_ERR,
    RPC_OUTCOME_RPC_MISMATCH,
    RPC_OUTCOME_AUTH_ERROR,
};

struct rpc_reply_header {
    uint32_t xid;
    enum rpc_outcome outcome;
    bool versions_known;  /* a mismatch has its bounds, which some servers leave out */
    uint32_t low, high;   /* versions, for the two mismatches */
    uint32_t auth_status; /* auth_stat, for RPC_OUTCOME_AUTH_ERROR */
    /* Of an accepted reply, in place in the message; read by rpc_reply_decode. */
    uint32_t verifier_flavor, verifier_length;
    const uint8_t *verifier;
};

/* Write a reply's header with a verifier of AUTH_NONE; on success the results follow. */
void rpc_reply_encode(struct wire_writer *writer, const struct rpc_reply_header *header);

/* The same for an accepted reply, with the verifier in HEADER; a mismatch has no bounds. */
void rpc_reply_encode_verified(struct wire_writer *writer, const struct rpc_reply_header *header);

/* Read a reply's header; on success READER is then at the results. Returns 0, or -EBADMSG if the
 * bytes are not a reply (xid is then set if there are at least four bytes). */
int rpc_reply_decode(struct wire_reader *reader, struct rpc_reply_header *header);

/* The outcome of the reply by its protocol name: "RPC_PROGMISMATCH (versions 2 to 3)",
 * "RPC_AUTHERROR AUTH_TOOWEAK". Returns BUFFER. */
const char *rpc_reply_describe(const struct rpc_reply_header *header, char *buffer, size_t size);

/* Record marking over TCP (RFC 5531 section 11): a fragment's header is its length, with the top
 * bit set on a record's last fragment. */
#define RPC_LAST_FRAGMENT UINT32_C(0x80000000)
