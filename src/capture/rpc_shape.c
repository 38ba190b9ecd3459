#include "capture/rpc_shape.h"

#include "output/services.h"
#include "rpc/credential.h"
#include "rpc/wire.h"

enum { CALL = 0, REPLY = 1, ACCEPTED = 0, DENIED = 1 };

enum {
    CALL_SIZE = 40, /* of one with empty credentials */
    VERSION_MAXIMUM = 8,
    AUTH_STATUS_MAXIMUM = 14,
    NFS_CALLBACK = 0x40000000, /* of NFSv4.0; each client chooses a program from here on */
};

const char *rpc_shape_program(uint32_t program)
{
    return program == NFS_CALLBACK ? "nfs_callback" : services_name(program);
}

static bool is_call(struct wire_reader *reader, size_t length)
{
    uint32_t rpc_version = wire_get_u32(reader), program = wire_get_u32(reader);

    return length >= CALL_SIZE && rpc_version == 2 && rpc_shape_program(program) &&
           wire_get_u32(reader) <= VERSION_MAXIMUM;
}

static bool is_accepted(struct wire_reader *reader, size_t length)
{
    uint32_t flavor = wire_get_u32(reader), verifier = wire_get_u32(reader);

    return (flavor <= RPC_FLAVOR_DH || flavor == RPC_FLAVOR_GSS) &&
           verifier <= RPC_AUTH_BODY_MAXIMUM && length >= 24 + wire_padded(verifier);
}

/* A mismatch has a version, an error of authentication its number. */
static bool is_denied(struct wire_reader *reader)
{
    uint32_t reason = wire_get_u32(reader), detail = wire_get_u32(reader);

    return reason <= 1 && detail <= AUTH_STATUS_MAXIMUM;
}

bool rpc_shape_fits(const uint8_t bytes[RPC_SHAPE_SIZE], size_t length)
{
    struct wire_reader reader = wire_reader(bytes, RPC_SHAPE_SIZE);
    uint32_t type, status;

    if (length < RPC_SHAPE_SIZE || length > RPC_SHAPE_MESSAGE_MAXIMUM)
        return false;
    wire_get_u32(&reader);
    type = wire_get_u32(&reader);
    if (type == CALL)
        return is_call(&reader, length);
    if (type != REPLY)
        return false;
    status = wire_get_u32(&reader);
    return status == ACCEPTED ? is_accepted(&reader, length)
                              : status == DENIED && is_denied(&reader);
}
