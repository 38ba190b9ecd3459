/* Who answers: how fast the server can be reached, over which transports, and its limits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/channel/rpc_client.h"
#include "measure/clock.h"
#include "nfs/client.h"
#include "run/setup/setup.h"
#include "survey/survey.h"

enum { PROBE_TIMEOUT_NS = 500 * 1000 * 1000 };

/* The time since BEGAN; NAN if what began then failed with CODE. */
static double time_of(int code, uint64_t began)
{
    return code == 0 ? (double)(clock_raw_ns() - began) : NAN;
}

static void time_reaching(struct survey_server *server, const struct setup *setup,
                          const struct channel_options *options)
{
    struct endpoint endpoint = setup->mount.nfs, host = endpoint;
    struct addrinfo *addresses = NULL;
    struct rpc_client *client = NULL;
    struct error ignored;
    struct identity own;
    uint64_t began = clock_raw_ns();

    server->look_up =
        time_of(target_resolve(&setup->target, &options->deadline, &addresses, &ignored), began);
    if (addresses)
        freeaddrinfo(addresses);
    began = clock_raw_ns();
    if (!setup->target.nfs_port)
        server->port_mapper =
            time_of(portmap_lookup(&host, NFS_PROGRAM, NFS_V3, "NFS", options, &ignored), began);
    identity_own(&own);
    began = clock_raw_ns();
    server->connect = time_of(rpc_client_open(&client, &endpoint, &own, options, &ignored), began);
    if (!isnan(server->connect))
        rpc_client_close(client);
    endpoint.transport = TRANSPORT_TCP;
    server->tcp = service_has_version(&endpoint, NFS_PROGRAM, NFS_V3, options, &ignored) == 0;
    endpoint.transport = TRANSPORT_UDP;
    server->udp = service_has_version(&endpoint, NFS_PROGRAM, NFS_V3, options, &ignored) == 0;
}

/* Set RESULT to what the server of SETUP answers to OP; zeroed if that fails. */
static void ask(const struct setup *setup, const char *op, union nfs_arguments arguments,
                union nfs_result *result)
{
    struct error ignored;

    if (nfs_single_call(setup->clients[SERVICE_NFS], op, &arguments, result, setup->mount.export,
                        &ignored) != 0)
        memset(result, 0, sizeof *result);
}

int survey_reach(struct survey *survey, const struct run_plan *plan, struct error *error)
{
    static struct setup setup;
    struct survey_server *server = &survey->server;
    const struct channel_options options = {.timeout_ns = PROBE_TIMEOUT_NS,
                                            .reply_maximum = RPC_REPLY_USUAL,
                                            .deadline = plan->deadline};
    nfs_fh3 root;
    int code = setup_reach(&setup, plan, NULL, error);

    *server = (struct survey_server){.look_up = NAN, .port_mapper = NAN, .connect = NAN};
    if (code == 0) {
        address_text(&setup.mount.nfs.address, server->address);
        server->nfs_port = address_port(&setup.mount.nfs.address);
        server->mount_port = address_port(&setup.mount.mount.address);
        time_reaching(server, &setup, &options);
        root = nfs_handle_argument(&setup.mount.root);
        ask(&setup, "fsinfo", (union nfs_arguments){.fsinfo.fsroot = root}, &server->fsinfo);
        ask(&setup, "pathconf", (union nfs_arguments){.pathconf.object = root}, &server->pathconf);
        ask(&setup, "fsstat", (union nfs_arguments){.fsstat.fsroot = root}, &server->fsstat);
    }
    if (!plan->target.self)
        snprintf(survey->host_word, sizeof survey->host_word,
                 strchr(plan->target.host, ':') ? "[%s]:" : "%s:", plan->target.host);
    setup_close(&setup);
    return code;
}
