/* Options of TLS, except --xprtsec. */
#include <stddef.h>

#include "job/part.h"
#include "job/plan.h"

static const struct option_entry entries[] = {
    {"tls-ca", 0, OPTION_TEXT, SECTION_TRANSPORT, GROUP_SECURITY,
     OPTION_SHARES(plan.tls.files.authorities), .value = "FILE",
     .help = "with tls or mtls, file of authorities' certificates (PEM) to check the server's "
             "certificate against (default: the system's)"},
    {"tls-cert", 0, OPTION_TEXT, SECTION_TRANSPORT, GROUP_SECURITY,
     OPTION_SHARES(plan.tls.files.certificate), .value = "FILE",
     .help = "with mtls, file with the client's certificate and those up to its authority (PEM)",
     .needs = {"tls-key"}},
    {"tls-key", 0, OPTION_TEXT, SECTION_TRANSPORT, GROUP_SECURITY,
     OPTION_SHARES(plan.tls.files.key), .value = "FILE",
     .help = "with mtls, file with the key of --tls-cert (PEM)", .needs = {"tls-cert"}},
    {NULL},
};

static bool encrypts(const struct engine_type *engine)
{
    return engine->has_tls;
}

/* Does one of the compared sides use TLS? */
static bool has_tls(const struct options *options)
{
    return options->plan.tls.how != RPC_XPRTSEC_NONE ||
           options->versus.transport_security != RPC_XPRTSEC_NONE;
}

static int check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    const struct rpc_tls_files *files = &options->plan.tls.files;
    bool mutual = options->plan.tls.how == RPC_XPRTSEC_MTLS ||
                  options->versus.transport_security == RPC_XPRTSEC_MTLS;
    bool tls = plan->tls.how != RPC_XPRTSEC_NONE, ladder = options->any_flavor;
    const struct rule rules[] = {
        {GROUP_SECURITY, tls && !plan->engine->has_tls, "--xprtsec tls and mtls need", encrypts},
        {GROUP_SECURITY, tls && plan->target.transport != TRANSPORT_TCP,
         "--xprtsec tls and mtls need TCP; leave out --proto udp"},
        {GROUP_SECURITY, tls && plan->target.self,
         "the server of self: has no certificate; start 'nfsbench serve --tls-cert' for --xprtsec "
         "tls and mtls"},
        {GROUP_SECURITY, mutual && !(files->certificate && files->key),
         "--xprtsec mtls needs --tls-cert and --tls-key"},
        {GROUP_SECURITY, !ladder && !mutual && (files->certificate || files->key),
         "--tls-cert and --tls-key are for --xprtsec mtls"},
        {GROUP_SECURITY, !ladder && files->authorities && !has_tls(options),
         "--tls-ca is for --xprtsec tls and mtls"},
    };

    return rules_apply(rules, sizeof rules / sizeof rules[0], options, error);
}

const struct part part_tls = {.after = "xprtsec", .options = entries, .check = check};
