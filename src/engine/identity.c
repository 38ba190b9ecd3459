#include "engine/identity.h"

#include <limits.h>
#include <unistd.h>

void identity_own(struct identity *identity)
{
    gid_t gids[NGROUPS_MAX];
    int count = getgroups(NGROUPS_MAX, gids);

    identity->flavor = RPC_FLAVOR_SYS;
    if (gethostname(identity->machine, sizeof identity->machine) != 0)
        identity->machine[0] = '\0';
    identity->machine[sizeof identity->machine - 1] = '\0';
    identity->uid = geteuid();
    identity->gid = getegid();
    identity->gid_count = 0;
    for (int i = 0; i < count && identity->gid_count < RPC_AUTH_SYS_GIDS_MAXIMUM; i++)
        identity->gids[identity->gid_count++] = gids[i];
}

void identity_credential(const struct identity *identity, struct rpc_opaque_auth *auth)
{
    if (identity->flavor == RPC_FLAVOR_NONE)
        rpc_auth_none(auth);
    else
        rpc_auth_sys(auth, 0, identity->machine, identity->uid, identity->gid, identity->gids,
                     identity->gid_count);
}
