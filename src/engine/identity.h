/* The identity that calls carry in their credential. */
#ifndef NFSBENCH_ENGINE_IDENTITY_H
#define NFSBENCH_ENGINE_IDENTITY_H

#include <stdint.h>

#include "rpc/message.h"

struct identity {
    uint32_t flavor; /* RPC_FLAVOR_NONE or RPC_FLAVOR_SYS */
    char machine[RPC_AUTH_SYS_NAME_MAXIMUM + 1];
    uint32_t uid, gid;
    uint32_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    uint32_t gid_count;
};

/* The calling process's own identity: AUTH_SYS with its host name, effective uid and gid, and its
 * first 16 supplementary groups. */
void identity_own(struct identity *identity);

/* The credential for the wire. */
void identity_credential(const struct identity *identity, struct rpc_opaque_auth *auth);

#endif
