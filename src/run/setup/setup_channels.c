/* How a set-up reaches the server's services: addresses, and options with TLS and Kerberos. */
#include "common/address.h"
#include "run/setup/setup.h"

/* Room in a reply besides its READ data, bytes: for headers and 8 KiB of directory entries. */
enum { REPLY_OVERHEAD = 16384 };

enum { PORTMAP_PORT = 111 };

struct channel_options setup_channel_options(const struct run_plan *plan, enum service_kind service)
{
    size_t list = service == SERVICE_MOUNT ? RPC_REPLY_LIST : 0;
    size_t data = plan->read_size + REPLY_OVERHEAD;

    return (struct channel_options){.timeout_ns = plan->timeout_ns,
                                    .retransmissions = plan->retransmissions,
                                    .spin = plan->spin,
                                    .receive_window = plan->receive_window,
                                    .verify_in_time = plan->verify_in_time,
                                    .reply_maximum = data > list ? data : list,
                                    .deadline.stop = plan->deadline.stop};
}

struct endpoint setup_endpoint(const struct setup *setup, enum service_kind service)
{
    struct endpoint endpoint = service == SERVICE_NFS ? setup->mount.nfs : setup->mount.mount;

    if (service == SERVICE_PORTMAP)
        address_set_port(&endpoint.address, PORTMAP_PORT);
    return endpoint;
}

const char *setup_server_name(const struct setup *setup)
{
    return setup->target.self ? "localhost" : setup->target.host;
}

struct channel_options setup_secure(const struct setup *setup, enum service_kind service,
                                    const struct channel_options *options)
{
    const struct identity *identity = &setup->plan->identity;
    struct channel_options secured = *options;

    if (service == SERVICE_NFS)
        secured.tls = setup->tls;
    if (service == SERVICE_NFS && identity_needs_kerberos(identity))
        secured.security = (struct gss_request){.flavor = identity->flavor,
                                                .program = NFS_PROGRAM,
                                                .version = NFS_V3,
                                                .host = setup_server_name(setup)};
    return secured;
}

int setup_connect(struct setup *setup, enum service_kind service, struct error *error)
{
    struct endpoint endpoint = setup_endpoint(setup, service);
    struct channel_options options = setup_secure(setup, service, &setup->mount.options.channel);

    if (setup->clients[service])
        return 0;
    return rpc_client_open(&setup->clients[service], &endpoint, &setup->mount.options.identity,
                           &options, error);
}
