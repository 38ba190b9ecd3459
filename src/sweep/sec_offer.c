#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/setup/setup.h"
#include "sweep/experiment.h"

/* The flavors of a ladder. Each is compared with the first flavor, AUTH_SYS. */
static const struct sec_setting {
    const char *name; /* value of mount's sec= or xprtsec= */
    uint32_t flavor;
    enum rpc_xprtsec xprtsec; /* use of TLS; NONE: the plan's setting stays */
} settings[] = {
    {SEC_BASE, RPC_FLAVOR_SYS, RPC_XPRTSEC_NONE},  {"none", RPC_FLAVOR_NONE, RPC_XPRTSEC_NONE},
    {"krb5", RPC_FLAVOR_KRB5, RPC_XPRTSEC_NONE},   {"krb5i", RPC_FLAVOR_KRB5I, RPC_XPRTSEC_NONE},
    {"krb5p", RPC_FLAVOR_KRB5P, RPC_XPRTSEC_NONE}, {"tls", RPC_FLAVOR_SYS, RPC_XPRTSEC_TLS},
    {"mtls", RPC_FLAVOR_SYS, RPC_XPRTSEC_MTLS},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

static void take_offer(struct setup *setup, struct sec_offer *offer)
{
    const struct nfs_objects *objects = &setup->objects;
    struct nfs_export_info info = {.fsinfo = {.rtmax = 0}};
    struct error ignored;
    uint32_t reads, writes;

    memcpy(offer->flavors, setup->mount.flavors, sizeof offer->flavors);
    offer->flavor_count = setup->mount.flavor_count;
    nfs_ask_export(setup->clients[SERVICE_NFS], "fsinfo", &objects->root, objects->base_path, &info,
                   &ignored);
    reads = info.fsinfo.rtmax ? info.fsinfo.rtmax : UINT32_MAX;
    writes = info.fsinfo.wtmax ? info.fsinfo.wtmax : UINT32_MAX;
    offer->size_maximum = reads < writes ? reads : writes;
}

int sec_offer_ask(struct sec_offer *offer, const struct run_plan *base, struct error *error)
{
    struct setup *setup = malloc(sizeof *setup);
    cpu_set_t allowed = cpu_allowed_set();
    struct run_plan plan = *base;
    int code;

    if (!setup)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    plan.ops[0] = nfs_procedure_find("null");
    plan.op_count = 1;
    plan.files = plan.directory_size = 0;
    plan.tree = plan.file = NULL;
    plan.no_baseline = true;
    code = setup_open(setup, &plan, NULL, error);
    setup->healthy = code == 0;
    if (code == 0)
        take_offer(setup, offer);
    setup_close(setup);
    free(setup);
    cpu_allow_set(&allowed);
    return code;
}

static bool offers_flavor(const struct sec_offer *offer, const struct sec_setting *setting)
{
    for (size_t i = 0; i < offer->flavor_count; i++)
        if (offer->flavors[i] == setting->flavor)
            return true;
    return offer->flavor_count == 0 || setting->flavor == RPC_FLAVOR_SYS;
}

/* Return why BASE can't be tried with TLS; NULL: it can. The visit shows whether the server can. */
static const char *why_not_tls(const struct run_plan *base, const struct sec_setting *setting)
{
    if (base->tls.how != RPC_XPRTSEC_NONE)
        return "--xprtsec makes all calls use TLS";
    if (base->target.self)
        return "the server of self: has no certificate";
    if (base->target.transport != TRANSPORT_TCP)
        return "TLS needs TCP";
    if (setting->xprtsec == RPC_XPRTSEC_MTLS && !base->tls.files.certificate)
        return "mtls needs --tls-cert and --tls-key";
    return NULL;
}

const char *sec_why_not(const struct run_plan *base, const struct sec_offer *offer, size_t index)
{
    const struct sec_setting *setting = &settings[index];

    if (setting->xprtsec != RPC_XPRTSEC_NONE)
        return why_not_tls(base, setting);
    if (offers_flavor(offer, setting))
        return NULL;
    return offer->no_kerberos && setting->flavor >= RPC_FLAVOR_KRB5
               ? offer->no_kerberos
               : "the server does not offer this flavor";
}

const char *sec_flavor_name(size_t index)
{
    return index < SETTINGS ? settings[index].name : NULL;
}

void sec_flavor_set(struct run_plan *plan, size_t index)
{
    plan->identity.flavor = settings[index].flavor;
    if (settings[index].xprtsec != RPC_XPRTSEC_NONE)
        plan->tls.how = settings[index].xprtsec;
}

static bool is_unknown(uint32_t flavor)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (settings[i].flavor == flavor)
            return false;
    return true;
}

int sec_leave_out(struct experiment_run *run, const struct run_plan *base,
                  const struct sec_offer *offer, struct error *error)
{
    char name[24];
    int code = 0;

    for (size_t i = 0; i < SETTINGS && code == 0; i++)
        if (sec_why_not(base, offer, i))
            code = experiment_leave_out(run, settings[i].name, NULL, 0, sec_why_not(base, offer, i),
                                        error);
    for (size_t i = 0; i < offer->flavor_count && code == 0; i++)
        if (is_unknown(offer->flavors[i]))
            code = experiment_leave_out(run, rpc_flavor_name(offer->flavors[i], name), NULL, 0,
                                        "nfsbench does not support this flavor", error);
    return code;
}
