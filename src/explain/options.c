#include "explain/options.h"

#include <string.h>

#include "common/units.h"
#include "explain/phases/explain.h"
#include "job/option_values.h"
#include "job/plan.h"

enum { CALLS_MAXIMUM = 1000000 };

struct explain_options explain_own;

void explain_set_defaults(struct options *options)
{
    options->plan.maximum_ns = UINT64_C(20000000000);
    /* 0: make_plan() sets the default */
    options->plan.precision = (struct precision){.share = 0};
}

/* Parse "HOST:PORT" or "[ADDRESS]:PORT" into a struct target. */
static int parse_echo(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    if (target_parse_endpoint(text, member))
        return 0;
    return option_refuse(entry, text, "HOST:PORT, such as server:20491 or [::1]:20491", error);
}

/* Parse "1/16" into a uint32_t, 16. */
static int parse_sample(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    enum { SAMPLE_MAXIMUM = 1000000 };
    uint32_t *sample = member;
    uint64_t n = 0;

    if (strncmp(text, "1/", 2) == 0 && units_parse_count(text + 2, &n) == 0 && n > 0 &&
        n <= SAMPLE_MAXIMUM) {
        *sample = (uint32_t)n;
        return 0;
    }
    return option_refuse(entry, text, "a share of the calls, such as 1/8, down to 1/1M", error);
}

/* --ladder, --xdr and --knfsd exclude these options, which are for phases or for a load. */
#define NO_PHASES                                                                                  \
    {"clients|connections|depth|threads|rate", "makes one call at a time"},                        \
    {                                                                                              \
        "slowest|sample|predict|no-server|server-cmd|server-pid", "replaces the phases"            \
    }

const struct option_entry explain_option_table[] = {
    {"ladder", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(explain_own.ladder),
     .help = "show, instead of the phases, the time of each layer, from the timer over XDR, a bare "
             "echo and NULL to OP, and how much it adds to the layer before",
     .excludes = {NO_PHASES, {"no-baseline", "includes NULL calls"}, {"xdr|knfsd"}}},
    {"echo", 0, OPTION_OTHER, SECTION_OWN, OPTION_SETS(explain_own.echo), .value = "HOST:PORT",
     .help = "address of an 'nfsbench serve --echo' on the server's machine, for --ladder "
             "(default: start one on this machine)",
     .parse = parse_echo, .needs = {"ladder"}},
    {"knfsd", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(explain_own.knfsd),
     .help = "show the states of requests in the kernel's NFS server on this machine",
     .excludes = {NO_PHASES, {"xdr"}}},
    {"kprofile", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(explain_own.kprofile),
     .help = "show the states of RPCs on a mount in the table of CITI's kprofile",
     .excludes = {{"ladder|xdr|knfsd"}}},
    {"xdr", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(explain_own.xdr),
     .help = "show, instead of the phases, the times to encode and decode each OP",
     .excludes = {NO_PHASES}},
    {"slowest", 0, OPTION_NUMBER, SECTION_OWN, OPTION_SETS(explain_own.slowest), .value = "N",
     .help = "show what the scheduler did during the N slowest calls (default: none)", .minimum = 1,
     .maximum = EXPLAIN_SLOW_MAXIMUM},
    {"sample", 0, OPTION_OTHER, SECTION_OWN, OPTION_SETS(explain_own.sample), .value = "1/N",
     .help = "take timestamps of one call in N only, so that the timestamps slow the average call "
             "less (default 1/16)",
     .parse = parse_sample},
    {"predict", 0, OPTION_FILE, SECTION_OWN, OPTION_SETS(explain_own.predict), .value = "FILE",
     .help = "compare the phases, or sums of phases, with the ranges in FILE, one per line, such "
             "as 'server-work 1us-3us'"},
    {"no-server", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(explain_own.no_server),
     .help = "measure the client's phases only, without eBPF", .excludes = {{"server-cmd"}}},
    {"max-time", 0, OPTION_TIME, SECTION_COUNT, OPTION_SHARES(plan.maximum_ns), .value = "TIME",
     .help =
         "end after TIME at the latest, from start to exit, unless COUNT is given (default 20s)"},
    {NULL},
};

int explain_check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    const struct explain_options *explain = &explain_own;
    bool alone = explain->ladder || explain->xdr || explain->knfsd;
    bool of_stamps =
        explain->slowest || explain->sample || explain->no_server || options->plan.server_command;
    bool loads = options->plan.load_request.rate > 0 || options->plan.load_request.clients > 1 ||
                 options->plan.load_request.connections > 1 || options->plan.load_request.depth > 1;
    bool one = plan->op_count == 1 && !plan->mix_name;
    bool several = !alone && !plan->target.mounted && (loads || !one);
    bool secured = rules_has_kerberos(options) || options->plan.tls.how != RPC_XPRTSEC_NONE;
    const struct rule rules[] = {
        {GROUP_ALL, plan->target.mounted && (alone || of_stamps || options->plan.server_pid),
         "on a mount, explain shows the states of RPCs; leave out --ladder, --xdr, --knfsd, "
         "--slowest, --sample, --no-server, --server-cmd and --server-pid"},
        {GROUP_ALL, !plan->target.mounted && explain->kprofile,
         "--kprofile shows the states of RPCs on a mount; name a directory on an NFSv3 mount"},
        {GROUP_ALL, !plan->target.mounted && plan->engine != &engine_wire,
         "explain makes its calls itself; leave out --engine"},
        {GROUP_ALL, explain->ladder && !one, "--ladder is for one op; name one"},
        {GROUP_ALL, explain->xdr && plan->mix_name,
         "--xdr is for ops, not for a mix; name the ops of the mix"},
        {GROUP_ALL, explain->knfsd && plan->mix_name,
         "--knfsd is for ops, not for a mix; name the ops of the mix"},
        {GROUP_ALL, !alone && plan->mix_name && !loads,
         "a mix is explained under load; give --depth, --clients or --rate"},
        {GROUP_ALL,
         several && plan->target.transport != TRANSPORT_TCP && options->plan.server_command,
         "--server-cmd: the server's phases under load, or of several ops, are known over TCP "
         "only; leave out --proto udp"},
        {GROUP_ALL, secured && (explain->ladder || explain->knfsd),
         "--ladder and --knfsd are for calls without Kerberos and TLS; leave them out"},
        {GROUP_ALL,
         !one && ((several && explain->slowest) ||
                  ((several || plan->target.mounted) && explain->predict)),
         "--slowest and --predict are for one op; name one"},
        {GROUP_ALL, run_plan_sequence(plan),
         "explain takes ops that are a single call, such as readdir"},
        {GROUP_ALL, plan->calls > CALLS_MAXIMUM, "COUNT must be at most 1M for explain"},
    };

    return rules_apply(rules, sizeof rules / sizeof rules[0], options, error);
}
