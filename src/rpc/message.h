/* ONC RPC version 2 messages (RFC 5531): encoding and decoding the header of calls and replies.
 * Independent of NFS and of sockets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rpc/credential.h"
#include "rpc/wire.h"

enum {
    RPC_MESSAGE_VERSION = 2,
    RPC_CALL_HEADER_MAXIMUM = 40 + 2 * RPC_AUTH_BODY_MAXIMUM,
    /* Offset of a credential: after xid, type, RPC version, program, version and procedure. */
    RPC_CALL_CREDENTIAL_AT = 24,
};

/* Some values of auth_stat (RFC 5531 section 9): why a credential or verifier is refused. */
enum rpc_auth_status {
    RPC_AUTH_BADCRED = 1,
    RPC_AUTH_BADVERF = 3,
    RPC_AUTH_TOOWEAK = 5,
    RPC_AUTH_GSS_CREDPROBLEM = 13,
    RPC_AUTH_GSS_CTXPROBLEM = 14,
};

struct rpc_call_header {
    uint32_t xid;
    uint32_t rpc_version; /* set by rpc_call_decode(); rpc_call_encode() ignores it and writes 2 */
    uint32_t program, version, procedure;
    uint32_t credential_flavor;
    uint32_t credential_length;
    /* body of the credential; after decoding, it points into the message */
    const uint8_t *credential;
};

/* Write a call's header with a verifier of AUTH_NONE. The arguments come next. */
void rpc_call_encode(struct wire_writer *writer, const struct rpc_call_header *header);

/* Read a call's header; READER is then at the arguments. Returns 0, -EBADMSG if the message must be
 * dropped because it is malformed or not a call, or -EPROTO if rpc_version is not 2. After -EPROTO,
 * only xid and rpc_version are set, and the answer must be RPC_OUTCOME_RPC_MISMATCH. */
int rpc_call_decode(struct wire_reader *reader, struct rpc_call_header *header);

/* Outcome of a reply: reply_stat, accept_stat and reject_stat (RFC 5531 section 9) in one list. */
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
    bool versions_known;  /* rpc_reply_decode() has set LOW and HIGH, which some servers omit */
    uint32_t low, high;   /* lowest and highest version that the server supports */
    uint32_t auth_status; /* auth_stat of RPC_OUTCOME_AUTH_ERROR */
    /* Verifier of an accepted reply, in the message; set by rpc_reply_decode(). */
    uint32_t verifier_flavor, verifier_length;
    const uint8_t *verifier;
};

/* Write a reply's header; if it is accepted, with a verifier of AUTH_NONE. Results come next. */
void rpc_reply_encode(struct wire_writer *writer, const struct rpc_reply_header *header);

/* Write the header of an accepted reply with HEADER's verifier. LOW and HIGH are not written, even
 * if the outcome is RPC_OUTCOME_PROG_MISMATCH. */
void rpc_reply_encode_verified(struct wire_writer *writer, const struct rpc_reply_header *header);

/* Read a reply's header. If the outcome is RPC_OUTCOME_SUCCESS, READER is then at the results.
 * Returns 0, or -EBADMSG for an invalid header. After -EBADMSG, xid is that of the message, or
 * 0 if the message has fewer than four bytes. */
int rpc_reply_decode(struct wire_reader *reader, struct rpc_reply_header *header);

/* Write the reply's outcome to BUFFER by its protocol name, such as "RPC_AUTHERROR AUTH_TOOWEAK" or
 * "RPC_PROGVERSMISMATCH (it offers versions 2 to 3)". Returns BUFFER. */
const char *rpc_reply_describe(const struct rpc_reply_header *header, char *buffer, size_t size);

/* Record marking over TCP (RFC 5531 section 11): each fragment begins with a mark, which contains
 * its length. This bit is set in the mark of a record's last fragment. */
#define RPC_LAST_FRAGMENT UINT32_C(0x80000000)
