/* Who calls: the identity in a credential, and who it becomes here. */
#include "server/call.h"

static bool read_auth_sys(struct wire_reader body, struct caller *caller)
{
    uint32_t length;

    wire_get_u32(&body); /* stamp */
    wire_get_opaque(&body, RPC_AUTH_SYS_NAME_MAXIMUM, &length);
    caller->uid = wire_get_u32(&body);
    caller->gid = wire_get_u32(&body);
    caller->gid_count = wire_get_u32(&body);
    if (caller->gid_count > RPC_AUTH_SYS_GIDS_MAXIMUM)
        return false;
    for (uint32_t i = 0; i < caller->gid_count; i++)
        caller->gids[i] = wire_get_u32(&body);
    return !body.failed && wire_left(&body) == 0;
}

bool caller_read(const struct rpc_call_header *header, struct caller *caller)
{
    if (header->credential_flavor == RPC_FLAVOR_SYS)
        return read_auth_sys(wire_reader(header->credential, header->credential_length), caller);
    caller->uid = caller->gid = CALL_NOBODY;
    caller->gid_count = 0;
    return header->credential_flavor == RPC_FLAVOR_NONE;
}

void caller_squash(struct caller *caller, enum policy_squash how)
{
    if (how == SQUASH_NONE)
        return;
    if (how == SQUASH_ALL || caller->uid == 0)
        caller->uid = CALL_NOBODY;
    if (how == SQUASH_ALL || caller->gid == 0)
        caller->gid = CALL_NOBODY;
    for (uint32_t i = 0; i < caller->gid_count; i++)
        if (caller->gids[i] == 0)
            caller->gids[i] = CALL_NOBODY;
    if (how == SQUASH_ALL)
        caller->gid_count = 0;
}
