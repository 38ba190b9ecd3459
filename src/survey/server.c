/* Who answers: a mount, and single calls. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/append.h"
#include "engine/channel/rpc_client.h"
#include "measure/clock.h"
#include "nfs/client.h"
#include "run/setup/setup.h"
#include "survey/survey.h"

enum { PROBE_TIMEOUT_NS = 500 * 1000 * 1000 };

static double since(uint64_t began)
{
    return (double)(clock_raw_ns() - began);
}

/* How long it takes to look the name up, and to ask the port mapper for the port of NFS. */
static void time_names(struct survey_server *server, const struct setup *setup,
                       const struct channel_options *options)
{
    uint64_t began = clock_raw_ns();
    struct addrinfo *addresses;
    struct endpoint host = setup->mount.nfs;
    struct error ignored;

    if (target_resolve(&setup->target, &options->deadline, &addresses, &ignored) != 0)
        return;
    server->look_up = since(began);
    freeaddrinfo(addresses);
    began = clock_raw_ns();
    if (!setup->target.nfs_port &&
        portmap_lookup(&host, NFS_PROGRAM, NFS_V3, "NFS", options, &ignored) == 0)
        server->port_mapper = since(began);
}

static void try_transports(struct survey_server *server, const struct setup *setup,
                           const struct channel_options *options)
{
    struct endpoint endpoint = setup->mount.nfs;
    uint64_t began = clock_raw_ns();
    struct rpc_client *client;
    struct error ignored;
    struct identity own;

    identity_own(&own);
    if (rpc_client_open(&client, &endpoint, &own, options, &ignored) == 0) {
        server->connect = since(began);
        rpc_client_close(client);
    }
    endpoint.transport = TRANSPORT_TCP;
    server->tcp = service_has_version(&endpoint, NFS_PROGRAM, NFS_V3, options, &ignored) == 0;
    endpoint.transport = TRANSPORT_UDP;
    server->udp = service_has_version(&endpoint, NFS_PROGRAM, NFS_V3, options, &ignored) == 0;
}

static void ask_fsinfo(struct survey_server *server, const FSINFO3resok *said)
{
    server->has_fsinfo = true;
    server->rtmax = said->rtmax;
    server->rtpref = said->rtpref;
    server->wtmax = said->wtmax;
    server->wtpref = said->wtpref;
    server->dtpref = said->dtpref;
    server->links = said->properties & FSF3_LINK;
    server->symbolic_links = said->properties & FSF3_SYMLINK;
}

static void ask_limits(struct survey_server *server, struct setup *setup)
{
    struct rpc_client *client = setup->clients[SERVICE_NFS];
    const nfs_fh3 root = nfs_handle_argument(&setup->mount.root);
    union nfs_arguments fsinfo = {.fsinfo.fsroot = root}, fsstat = {.fsstat.fsroot = root},
                        pathconf = {.pathconf.object = root};
    const char *path = setup->mount.export;
    union nfs_result result;
    struct error ignored;

    if (nfs_single_call(client, "fsinfo", &fsinfo, &result, path, &ignored) == 0) {
        ask_fsinfo(server, &result.fsinfo.FSINFO3res_u.resok);
        nfs_free_result("fsinfo", &result);
    }
    if (nfs_single_call(client, "pathconf", &pathconf, &result, path, &ignored) == 0) {
        server->has_pathconf = true;
        server->name_max = result.pathconf.PATHCONF3res_u.resok.name_max;
        server->link_max = result.pathconf.PATHCONF3res_u.resok.linkmax;
        server->case_insensitive = result.pathconf.PATHCONF3res_u.resok.case_insensitive;
        nfs_free_result("pathconf", &result);
    }
    if (nfs_single_call(client, "fsstat", &fsstat, &result, path, &ignored) == 0) {
        const FSSTAT3resok *said = &result.fsstat.FSSTAT3res_u.resok;

        server->has_fsstat = true;
        server->bytes = said->tbytes;
        server->bytes_free = said->abytes;
        server->files = said->tfiles;
        server->files_free = said->afiles;
        nfs_free_result("fsstat", &result);
    }
}

static void describe(struct survey_server *server, struct setup *setup)
{
    const struct mount *mount = &setup->mount;
    struct channel_options options = {.timeout_ns = PROBE_TIMEOUT_NS,
                                      .reply_maximum = RPC_REPLY_USUAL,
                                      .deadline = setup->plan->deadline};
    char name[24];

    address_text(&mount->nfs.address, server->address);
    server->nfs_port = address_port(&mount->nfs.address);
    server->mount_port = address_port(&mount->mount.address);
    server->mount = (double)mount->mount_ns;
    for (size_t i = 0; i < mount->flavor_count; i++)
        append_item(server->flavors, sizeof server->flavors, "%s",
                    rpc_flavor_name(mount->flavors[i], name));
    time_names(server, setup, &options);
    try_transports(server, setup, &options);
    ask_limits(server, setup);
}

int survey_reach(struct survey *survey, const struct run_plan *plan, struct error *error)
{
    static struct setup setup;
    int code = setup_reach(&setup, plan, NULL, error);

    survey->server =
        (struct survey_server){.look_up = NAN, .port_mapper = NAN, .mount = NAN, .connect = NAN};
    if (code == 0)
        describe(&survey->server, &setup);
    if (!plan->target.self)
        snprintf(survey->host_word, sizeof survey->host_word,
                 strchr(plan->target.host, ':') ? "[%s]:" : "%s:", plan->target.host);
    setup_close(&setup);
    return code;
}
