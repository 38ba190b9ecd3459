#include "cli/calls.h"

#include "common/address.h"

enum { PORTMAP_PORT = 111 };

struct endpoint calls_endpoint(const struct session *session, enum service_kind service)
{
    struct endpoint endpoint = service == SERVICE_NFS ? session->mount.nfs : session->mount.mount;

    if (service == SERVICE_PORTMAP)
        address_set_port(&endpoint.address, PORTMAP_PORT);
    return endpoint;
}

int calls_connect(struct session *session, enum service_kind service, struct error *error)
{
    struct endpoint endpoint = calls_endpoint(session, service);

    if (session->clients[service])
        return 0;
    return rpc_client_open(&session->clients[service], &endpoint, &session->mount.options.identity,
                           &session->mount.options.channel, error);
}

int calls_run(struct session *session, size_t index, size_t count, uint64_t *ticks,
              size_t *recorded, struct engine_tally *tally, struct error *error)
{
    const struct session_series *series = &session->series[index];
    const struct nfs_call *call = &series->call;
    int code = nfs_call_prepare(call, count, session->clients[SERVICE_NFS], error);

    *recorded = 0;
    if (code == 0)
        code = engine_run(session->engines[series->service], &call->engine, count, ticks, recorded,
                          tally, error);
    return code ? code : nfs_call_clear(call, count, session->clients[SERVICE_NFS], error);
}

size_t calls_next_variant(struct session_series *series, size_t count)
{
    size_t first = series->turn;

    if (series->call.procedure->varies)
        return 0;
    series->turn = (first + count) % series->call.engine.variants;
    return first;
}
