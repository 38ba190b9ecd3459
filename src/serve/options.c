#include "serve/options.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/receive_window.h"
#include "job/plan.h"
#include "serve/injection.h"
#include "serve/service_time.h"

struct serve_options serve_own;

void serve_set_defaults(struct options *options)
{
    serve_own = (struct serve_options){.server = {.fill.file_size = 4096,
                                                  .memory_limit = 1 << 30,
                                                  .held_limit = 512 << 20,
                                                  .stall_ns = UINT64_C(30000000000)}};
}

/* Security flavors */

enum { FLAVOR_SIZE = 48 };

/* Add the flavor NAME to POLICY. Returns false if CHOICE lacks it, or POLICY has it already. */
static bool add_flavor(const struct option_choice *choice, const char *name, struct policy *policy)
{
    while (choice->name && strcmp(choice->name, name) != 0)
        choice++;
    for (size_t i = 0; i < policy->flavor_count; i++)
        if (policy->flavors[i] == (uint32_t)choice->value)
            return false;
    if (choice->name)
        policy->flavors[policy->flavor_count++] = (uint32_t)choice->value;
    return choice->name != NULL;
}

static int parse_flavors(const struct option_entry *entry, const char *text, void *member,
                         struct error *error)
{
    struct policy *policy =
        (struct policy *)(void *)((char *)member - offsetof(struct policy, flavors));
    bool good = true;
    char word[FLAVOR_SIZE];

    policy->flavor_count = 0;
    for (const char *at = text; good && at;)
        good = add_flavor(entry->choices, option_word(&at, word, sizeof word), policy);
    return good ? 0
                : option_refuse(entry, text, "flavors, each once, such as sys,krb5,krb5i,krb5p",
                                error);
}

static const struct option_completion flavor_list = {"list"};

/* The options */

#define SERVER(member)  SECTION_SERVER, OPTION_SETS(serve_own.server.member)
#define INJECTS(member) SECTION_INJECTION, OPTION_SETS(serve_own.server.policy.member)

const struct option_entry serve_option_table[] = {
    {"port", 0, OPTION_PORT, SECTION_SERVER, OPTION_SHARES(port), .value = "N",
     .help = "port for NFS and MOUNT over TCP and UDP (default: any free port)"},
    {"bind", 'b', OPTION_LIST, SECTION_SERVER, OPTION_SETS(serve_own.addresses), .value = "ADDRESS",
     .help = "address to listen on (default: 127.0.0.1 and ::1); may be given several times"},
    {"user", 0, OPTION_TEXT, SECTION_SERVER, OPTION_SETS(serve_own.user), .value = "NAME",
     .help = "user to run as, without privileges, once the port is bound; requires root"},
    {"register", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.registers),
     .help = "register with this machine's rpcbind while serving, so that clients find the port"},
    {"threads", 't', OPTION_NUMBER, SERVER(threads), .value = "N",
     .help = "number of server threads (default: one per processor)",
     .maximum = SERVER_THREADS_MAXIMUM},
    {"files", 0, OPTION_COUNT, SERVER(fill.files), .value = "N",
     .help = "export N files, file0 and so on, instead of the default tree"},
    {"size", 's', OPTION_OFFSET, SERVER(fill.file_size), .value = "BYTES",
     .help = "bytes in each file of --files (default 4096)"},
    {"dirs", 0, OPTION_COUNT, SERVER(fill.directories), .value = "N",
     .help = "number of directories, dir0 and so on, to spread the files of --files over (default: "
             "all in the root)",
     .needs = {"files"}},
    {"memory", 0, OPTION_OFFSET, SERVER(memory_limit), .value = "BYTES",
     .help = "memory limit for files, names and data, above which changes fail with NFS3ERR_NOSPC "
             "(default 1GiB)"},
    {"held", 0, OPTION_OFFSET, SERVER(held_limit), .value = "BYTES",
     .help = "memory limit for unfinished requests and replies of all connections, above which the "
             "server stops reading (default 512MiB)"},
    {"stall", 0, OPTION_TIME, SERVER(stall_ns), .value = "TIME",
     .help = "close a connection whose client leaves a request or a TLS handshake unfinished, or "
             "replies unread, for TIME (default 30s)"},
    {"receive-window", 0, OPTION_SIZE, SERVER(sockets.receive_window), .value = "SIZE",
     .help = "TCP receive window of each connection, about SIZE bytes (default: the kernel "
             "enlarges it as needed)",
     .minimum = RECEIVE_WINDOW_MINIMUM, .maximum = RECEIVE_WINDOW_MAXIMUM},
    {"read-only", 0, OPTION_FLAG, SERVER(policy.read_only),
     .help = "refuse changes (NFS3ERR_ROFS)"},
    {"root-squash", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.root_squash),
     .help = "treat root as nobody", .excludes = {{"all-squash"}}},
    {"all-squash", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.all_squash),
     .help = "treat all users as nobody"},
    {"service-times", 0, OPTION_FLAG, SERVER(service_times),
     .help = "measure the service time of each procedure, and print it at exit and on SIGUSR1 and "
             "SIGUSR2"},
    {"call-log", 0, OPTION_FILE, SERVER(call_log), .value = "FILE",
     .help = "write the arrival and reply times of each NFS call to FILE", .acts = true},
    {"sec", 0, OPTION_OTHER, SERVER(policy.flavors), .value = "LIST",
     .help = "security flavors to accept, the preferred one first, such as sys,krb5,krb5i,krb5p "
             "(default sys,none)",
     .choices = option_flavors, .parse = parse_flavors, .completion = &flavor_list},
    {"keytab", 0, OPTION_TEXT, SERVER(keytab), .value = "FILE",
     .help = "with krb5, krb5i and krb5p, file with the key of nfs/HOST (default: the system's, or "
             "KRB5_KTNAME)"},
    {"context-time", 0, OPTION_TIME, SERVER(policy.context_ns), .value = "TIME",
     .help = "maximum lifetime of a client's security context (default: that of its ticket)"},
    {"tls-cert", 0, OPTION_TEXT, SERVER(tls.certificate), .value = "FILE",
     .help = "offer TLS (RFC 9289), with the server's certificate and those up to its authority "
             "from FILE (PEM)",
     .needs = {"tls-key"}},
    {"tls-key", 0, OPTION_TEXT, SERVER(tls.key), .value = "FILE",
     .help = "file with the key of --tls-cert (PEM)", .needs = {"tls-cert"}},
    {"tls-ca", 0, OPTION_TEXT, SERVER(tls.authorities), .value = "FILE",
     .help = "file of authorities' certificates (PEM) to check clients' certificates against",
     .needs = {"tls-cert"}},
    {"xprtsec", 0, OPTION_CHOICE, SERVER(policy.xprtsec), .value = "HOW",
     .help = "minimum transport security of calls: none (default), tls, or mtls (with a client "
             "certificate)",
     .choices = option_transports_security},
    {"echo", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.echo),
     .help = "run a bare echo instead of NFS, for 'nfsbench explain --ladder'; only --port, --bind "
             "and --user apply"},

    /* Injected behaviour */
    {"cost", 0, OPTION_OTHER, INJECTS(costs), .value = "OP=TIME[:P]",
     .help = "add TIME of processor use to each OP with probability P (default 1), such as "
             "getattr=2us; may be given several times",
     .parse = serve_parse_times, .completion = &serve_complete_times},
    {"lock", 0, OPTION_OTHER, INJECTS(locks), .value = "OP=TIME[:P]",
     .help = "add TIME of processor use while holding the server's only lock to each OP with "
             "probability P (default 1), so that the OPs wait for each other; may be given several "
             "times",
     .parse = serve_parse_times, .completion = &serve_complete_times},
    {"cost-address", 0, OPTION_TEXT, SECTION_INJECTION, OPTION_SETS(serve_own.cost_address),
     .value = "ADDRESS",
     .help = "apply --cost and --lock only to calls to ADDRESS, one of the addresses of --bind, so "
             "that one server is both sides of a comparison",
     .needs = {"cost|lock"}},
    {"delay", 0, OPTION_OTHER, INJECTS(delays), .value = "OP=TIME[:P]",
     .help = "delay each reply to OP by TIME with probability P (default 1), as a disk would; may "
             "be given several times",
     .parse = serve_parse_times, .completion = &serve_complete_times},
    {"device", 0, OPTION_OTHER, INJECTS(device), .value = "TIME[/N]",
     .help = "delay each COMMIT and each stable WRITE as a device that takes TIME each, N at a "
             "time (default 1)",
     .parse = serve_parse_device},
    {"call-rate", 0, OPTION_OTHER, INJECTS(call_rate), .value = "N[/BURST]",
     .help = "limit NFS calls other than NULL to N per second, of which BURST may come at once "
             "after a pause (default N), by delaying them",
     .parse = serve_parse_call_rate},
    {"byte-rate", 0, OPTION_OTHER, INJECTS(byte_rate), .value = "SIZE[/BURST]",
     .help = "limit READs and WRITEs to SIZE bytes of data per second, of which BURST bytes may "
             "come at once after a pause (default SIZE), by delaying them",
     .parse = serve_parse_byte_rate},
    {"error", 0, OPTION_OTHER, INJECTS(errors), .value = "OP=NFS3ERR_x[:P]",
     .help = "answer OP by the error with probability P (default 1); may be given several times",
     .parse = serve_parse_errors, .completion = &serve_complete_errors},
    {"fault", 0, OPTION_OTHER, INJECTS(faults), .value = "OP=KIND:N",
     .help = "acknowledge the N-th OP, such as write=lost:50, but carry it out wrongly: lost (ops "
             "that change something), duplicated, shifted, torn or late (WRITE; shifted and torn "
             "also READ); or answer it by NFS3ERR_IO: failed; one fault for each OP",
     .parse = serve_parse_faults, .completion = &serve_complete_faults},
    {"habit", 0, OPTION_OTHER, INJECTS(habits), .value = "NAME",
     .help =
         "imitate a habit of other servers: no-attributes, coarse-times, no-cache, small-cache, "
         "slow-sync, always-sync, new-verifier, in-order, object-locks, odd-places, small-memory, "
         "no-tickets, few-connections, slow-large, small-limits or slow-mount; may be given "
         "several times",
     .parse = serve_parse_habit, .completion = &serve_complete_habit},
    {"drop", 0, OPTION_OTHER, INJECTS(drop), .value = "P",
     .help = "over UDP, drop each request and each reply with probability P, such as 0.01 or 1%",
     .parse = serve_parse_probability},
    {"dup", 0, OPTION_OTHER, INJECTS(duplicate), .value = "P",
     .help = "over UDP, process each request twice with probability P",
     .parse = serve_parse_probability},
    {"reset-after", 0, OPTION_COUNT, INJECTS(reset_after), .value = "N",
     .help = "over TCP, reset each connection after its N-th call, which is carried out but not "
             "answered",
     .minimum = 1},
    {"forget-context", 0, OPTION_COUNT, INJECTS(context_calls), .value = "N",
     .help = "forget a client's security context after N calls with it (RPCSEC_GSS_CREDPROBLEM)",
     .minimum = 1},
    {"sequence-window", 0, OPTION_NUMBER, INJECTS(context_window), .value = "N",
     .help = "size of the sequence window of a security context: drop calls whose number is N or "
             "more below the highest (default 1024)",
     .minimum = 1, .maximum = SEQUENCE_WINDOW_MAXIMUM},
    {NULL},
};

/* The check */

static bool serves_kerberos(const struct policy *policy)
{
    for (size_t i = 0; i < policy->flavor_count; i++)
        if (policy->flavors[i] >= RPC_FLAVOR_KRB5)
            return true;
    return false;
}

/* Refuse a time in TIMES, the values of --OPTION, that is shorter than spin_for() can spend. */
static int check_times(const struct policy_time *times, const char *option, struct error *error)
{
    enum { SURELY_MORE_NS = 1000 };
    uint64_t least = 0;

    for (unsigned i = 0; i < POLICY_PROCEDURES; i++) {
        const uint64_t ns = times[i].ns;

        if (ns > 0 && ns < SURELY_MORE_NS && least == 0)
            least = spin_least_ns(spin_calibrate());
        if (ns > 0 && ns < least)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "--%s %s=%" PRIu64
                             "ns is shorter than reading the clock; give %" PRIu64 "ns or more",
                             option, server_procedure_name(i), ns, least);
    }
    return 0;
}

int serve_check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    const struct server_config *server = &serve_own.server;
    const struct rule rules[] = {
        {GROUP_ALL, serve_own.echo && rules_others_given(options, "echo|port|bind|user"),
         "--echo serves no files; only --port, --bind and --user apply"},
        {GROUP_ALL,
         (server->keytab || server->policy.context_ns) && !serves_kerberos(&server->policy),
         "--keytab and --context-time are for --sec krb5, krb5i and krb5p"},
        {GROUP_ALL, server->policy.xprtsec != RPC_XPRTSEC_NONE && !server->tls.certificate,
         "--xprtsec tls and mtls need --tls-cert and --tls-key"},
        {GROUP_ALL, server->policy.xprtsec == RPC_XPRTSEC_MTLS && !server->tls.authorities,
         "--xprtsec mtls needs --tls-ca, to check clients' certificates"},
    };
    int code = rules_apply(rules, sizeof rules / sizeof rules[0], options, error);

    if (code == 0)
        code = receive_window_check(server->sockets.receive_window, error);
    if (code == 0)
        code = check_times(server->policy.costs, "cost", error);
    return code ? code : check_times(server->policy.locks, "lock", error);
}
