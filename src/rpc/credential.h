/* Credentials of ONC RPC (RFC 5531): AUTH_NONE, AUTH_SYS and its identity; names of flavors. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    /* maximum length of a credential's or verifier's body in bytes (RFC 5531 section 8.2) */
    RPC_AUTH_BODY_MAXIMUM = 400,
    RPC_AUTH_SYS_GIDS_MAXIMUM = 16,
    RPC_AUTH_SYS_NAME_MAXIMUM = 255,
};

/* Flavors (RFC 5531 section 8), and Kerberos's pseudo-flavors that servers name in MNT replies. */
enum rpc_auth_flavor {
    RPC_FLAVOR_NONE = 0,
    RPC_FLAVOR_SYS = 1,
    RPC_FLAVOR_SHORT = 2,
    RPC_FLAVOR_DH = 3,
    RPC_FLAVOR_GSS = 6,
    RPC_FLAVOR_TLS = 7, /* used only in the probe for RPC-with-TLS */
    RPC_FLAVOR_KRB5 = 390003,
    RPC_FLAVOR_KRB5I = 390004,
    RPC_FLAVOR_KRB5P = 390005,
};

/* Return the flavor's name: "AUTH_SYS", "krb5", or "flavor 77", which is written to BUFFER. */
const char *rpc_flavor_name(uint32_t flavor, char buffer[24]);

struct rpc_opaque_auth {
    uint32_t flavor;
    uint32_t length; /* bytes of BODY used */
    uint8_t body[RPC_AUTH_BODY_MAXIMUM];
};

/* The user and the machine in whose names calls are made. */
struct identity {
    uint32_t flavor; /* RPC_FLAVOR_NONE, SYS, KRB5, KRB5I or KRB5P */
    char machine[RPC_AUTH_SYS_NAME_MAXIMUM + 1];
    uint32_t uid, gid;
    uint32_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    uint32_t gid_count; /* entries of GIDS, at most RPC_AUTH_SYS_GIDS_MAXIMUM */
};

/* Set IDENTITY to that of this process: AUTH_SYS with the host name (empty if unknown), the
 * effective uid and gid, and the first 16 supplementary groups. */
void identity_own(struct identity *identity);

/* Set AUTH to an AUTH_SYS credential of IDENTITY with STAMP (RFC 5531 appendix A). */
void rpc_auth_sys(struct rpc_opaque_auth *auth, uint32_t stamp, const struct identity *identity);

bool identity_needs_kerberos(const struct identity *identity);

/* Set AUTH to IDENTITY's credential: AUTH_NONE if this is IDENTITY's flavor, otherwise AUTH_SYS
 * with a stamp of 0. If IDENTITY needs Kerberos, the channel replaces AUTH_SYS in NFS calls
 * (engine/channel/gss_client.h), but not in MOUNT calls. */
void identity_credential(const struct identity *identity, struct rpc_opaque_auth *auth);
