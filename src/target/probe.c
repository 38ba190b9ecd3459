#include "target/probe.h"

#include <errno.h>

#include "engine/rpc_client.h"

int probe_version(const struct endpoint *service, uint32_t program, uint32_t version,
                  const struct channel_options *options, struct error *error)
{
    const struct rpc_procedure null = {.name = "NULL",
                                       .program = program,
                                       .version = version,
                                       .xdr_arguments = (xdrproc_t)rpc_xdr_nothing,
                                       .xdr_result = (xdrproc_t)rpc_xdr_nothing};
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    struct rpc_client *client;
    char nothing[1];
    int code = rpc_client_open(&client, service, &nobody, options, error);

    if (code)
        return code;
    code = rpc_client_call(client, &null, nothing, nothing, error);
    rpc_client_close(client);
    return code;
}
