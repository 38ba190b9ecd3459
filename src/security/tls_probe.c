#include "security/tls_probe.h"

#include <string.h>

/* The reply's verifier, which says that the server has TLS (RFC 9289 section 4.1). */
static const char starttls[] = "STARTTLS";

enum { STARTTLS_LENGTH = sizeof starttls - 1 };

void rpc_tls_probe_encode(struct wire_writer *writer, uint32_t xid, uint32_t program,
                          uint32_t version)
{
    const struct rpc_call_header header = {
        .xid = xid, .program = program, .version = version, .credential_flavor = RPC_FLAVOR_TLS};

    rpc_call_encode(writer, &header);
}

void rpc_tls_reply_encode(struct wire_writer *writer, uint32_t xid)
{
    const struct rpc_reply_header header = {.xid = xid,
                                            .outcome = RPC_OUTCOME_SUCCESS,
                                            .verifier = (const uint8_t *)starttls,
                                            .verifier_length = STARTTLS_LENGTH};

    rpc_reply_encode_verified(writer, &header);
}

bool rpc_tls_reply_starts(const struct rpc_reply_header *header)
{
    return header->outcome == RPC_OUTCOME_SUCCESS && header->verifier_flavor == RPC_FLAVOR_NONE &&
           header->verifier_length == STARTTLS_LENGTH &&
           memcmp(header->verifier, starttls, STARTTLS_LENGTH) == 0;
}
