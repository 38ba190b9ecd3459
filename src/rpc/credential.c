#include "rpc/credential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rpc/wire.h"

const char *rpc_flavor_name(uint32_t flavor, char buffer[24])
{
    switch (flavor) {
    case RPC_FLAVOR_NONE:
        return "AUTH_NONE";
    case RPC_FLAVOR_SYS:
        return "AUTH_SYS";
    case RPC_FLAVOR_SHORT:
        return "AUTH_SHORT";
    case RPC_FLAVOR_DH:
        return "AUTH_DH";
    case RPC_FLAVOR_GSS:
        return "RPCSEC_GSS";
    case RPC_FLAVOR_TLS:
        return "AUTH_TLS";
    case RPC_FLAVOR_KRB5:
        return "krb5";
    case RPC_FLAVOR_KRB5I:
        return "krb5i";
    case RPC_FLAVOR_KRB5P:
        return "krb5p";
    default:
        snprintf(buffer, 24, "flavor %u", flavor);
        return buffer;
    }
}

void identity_own(struct identity *identity)
{
    const int room = getgroups(0, NULL);
    gid_t *gids = room > 0 ? calloc((size_t)room, sizeof *gids) : NULL;
    const int count = gids ? getgroups(room, gids) : 0;

    identity->flavor = RPC_FLAVOR_SYS;
    if (gethostname(identity->machine, sizeof identity->machine) != 0)
        identity->machine[0] = '\0';
    identity->machine[sizeof identity->machine - 1] = '\0';
    identity->uid = geteuid();
    identity->gid = getegid();
    identity->gid_count = 0;
    for (int i = 0; i < count && identity->gid_count < RPC_AUTH_SYS_GIDS_MAXIMUM; i++)
        identity->gids[identity->gid_count++] = gids[i];
    free(gids);
}

void rpc_auth_sys(struct rpc_opaque_auth *auth, uint32_t stamp, const struct identity *identity)
{
    struct wire_writer body = wire_writer(auth->body, sizeof auth->body);

    wire_put_u32(&body, stamp);
    wire_put_opaque(&body, identity->machine,
                    strnlen(identity->machine, RPC_AUTH_SYS_NAME_MAXIMUM));
    wire_put_u32(&body, identity->uid);
    wire_put_u32(&body, identity->gid);
    wire_put_u32(&body, identity->gid_count);
    for (uint32_t i = 0; i < identity->gid_count; i++)
        wire_put_u32(&body, identity->gids[i]);
    auth->flavor = RPC_FLAVOR_SYS;
    auth->length = (uint32_t)(body.at - auth->body);
}

bool identity_needs_kerberos(const struct identity *identity)
{
    return identity->flavor >= RPC_FLAVOR_KRB5 && identity->flavor <= RPC_FLAVOR_KRB5P;
}

void identity_credential(const struct identity *identity, struct rpc_opaque_auth *auth)
{
    if (identity->flavor == RPC_FLAVOR_NONE)
        *auth = (struct rpc_opaque_auth){.flavor = RPC_FLAVOR_NONE};
    else
        rpc_auth_sys(auth, 0, identity);
}
