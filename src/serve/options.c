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

/* Add the flavor NAME to POLICY. Returns false if there is none, or POLICY has it already. */
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

/* The table of options */

#define SERVER(member)  SECTION_SERVER, OPTION_SETS(serve_own.server.member)
#define INJECTS(member) SECTION_INJECTION, OPTION_SETS(serve_own.server.policy.member)

const struct option_entry serve_option_table[] = {
    {"port", 0, OPTION_PORT, SECTION_SERVER, OPTION_SHARES(port), .value = "N",
     .help = "the port for NFS and MOUNT, TCP and UDP (default: any free port)"},
    {"bind", 'b', OPTION_LIST, SECTION_SERVER, OPTION_SETS(serve_own.addresses), .value = "ADDRESS",
     .help = "listen on ADDRESS instead of on 127.0.0.1 and ::1; may be given several times"},
    {"user", 0, OPTION_TEXT, SECTION_SERVER, OPTION_SETS(serve_own.user), .value = "NAME",
     .help = "run as that user, without privileges, once the port is bound (only root can)"},
    {"register", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.registers),
     .help = "register with this machine's rpcbind while serving, so that clients find the port"},
    {"threads", 't', OPTION_NUMBER, SERVER(threads), .value = "N",
     .help = "server threads (default: one per processor)", .maximum = SERVER_THREADS_MAXIMUM},
    {"files", 0, OPTION_COUNT, SERVER(fill.files), .value = "N",
     .help = "export N files, file0 and so on, instead of the default tree"},
    {"size", 's', OPTION_OFFSET, SERVER(fill.file_size), .value = "BYTES",
     .help = "bytes in each of these files (default 4096)"},
    {"dirs", 0, OPTION_COUNT, SERVER(fill.directories), .value = "N",
     .help = "spread these files over N directories, dir0 and so on (default: all in the root)",
     .needs = {"files"}},
    {"memory", 0, OPTION_OFFSET, SERVER(memory_limit), .value = "BYTES",
     .help =
         "memory limit for all files, names and data (default 1GiB); beyond it, changes fail with "
         "NFS3ERR_NOSPC"},
    {"held", 0, OPTION_OFFSET, SERVER(held_limit), .value = "BYTES",
     .help = "memory limit for unfinished requests and replies of all connections (default "
             "512MiB); beyond it, connections are not read from"},
    {"stall", 0, OPTION_TIME, SERVER(stall_ns), .value = "TIME",
     .help = "close a connection if its client leaves a request unfinished, or replies unread, for "
             "TIME (default 30s), or a TLS handshake takes longer"},
    {"receive-window", 0, OPTION_SIZE, SERVER(sockets.receive_window), .value = "SIZE",
     .help =
         "TCP receive window of each connection, about SIZE bytes (default: the kernel enlarges "
         "it as needed)",
     .minimum = RECEIVE_WINDOW_MINIMUM, .maximum = RECEIVE_WINDOW_MAXIMUM},
    {"read-only", 0, OPTION_FLAG, SERVER(policy.read_only),
     .help = "refuse changes (NFS3ERR_ROFS)"},
    {"root-squash", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.root_squash),
     .help = "treat root as nobody", .excludes = {{"all-squash"}}},
    {"all-squash", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.all_squash),
     .help = "treat all users as nobody"},
    {"service-times", 0, OPTION_FLAG, SERVER(service_times),
     .help =
         "measure how long the server takes for each procedure; printed at exit, on SIGUSR1 and on "
         "SIGUSR2"},
    {"call-log", 0, OPTION_FILE, SERVER(call_log), .value = "FILE",
     .help = "write when each NFS call arrived and was answered", .acts = true},
    {"sec", 0, OPTION_OTHER, SERVER(policy.flavors), .value = "LIST",
     .help = "security flavors that calls may have, the preferred one first, such as "
             "sys,krb5,krb5i,krb5p (default sys,none)",
     .choices = option_flavors, .parse = parse_flavors, .completion = &flavor_list},
    {"keytab", 0, OPTION_TEXT, SERVER(keytab), .value = "FILE",
     .help = "for krb5, krb5i and krb5p: file with the key of nfs/HOST (default: the system's, or "
             "KRB5_KTNAME)"},
    {"context-time", 0, OPTION_TIME, SERVER(policy.context_ns), .value = "TIME",
     .help =
         "how long a client's security context is valid at most (default: as long as its ticket)"},
    {"tls-cert", 0, OPTION_TEXT, SERVER(tls.certificate), .value = "FILE",
     .help =
         "serve TLS, too (RFC 9289): the server's certificate, and those up to its authority (PEM)",
     .needs = {"tls-key"}},
    {"tls-key", 0, OPTION_TEXT, SERVER(tls.key), .value = "FILE",
     .help = "the key of --tls-cert (PEM)", .needs = {"tls-cert"}},
    {"tls-ca", 0, OPTION_TEXT, SERVER(tls.authorities), .value = "FILE",
     .help = "certificates of the authorities (PEM) that clients' certificates are of",
     .needs = {"tls-cert"}},
    {"xprtsec", 0, OPTION_CHOICE, SERVER(policy.xprtsec), .value = "HOW",
     .help = "the least that calls must have: none (default), tls, or mtls (a certificate of the "
             "client)",
     .choices = option_transports_security},
    {"echo", 0, OPTION_FLAG, SECTION_SERVER, OPTION_SETS(serve_own.echo),
     .help = "run a bare echo instead of NFS, for 'nfsbench explain --ladder'; takes only --port, "
             "--bind and --user"},

    /* Injected behaviour */
    {"cost", 0, OPTION_OTHER, INJECTS(costs), .value = "OP=TIME[:P]",
     .help =
         "add TIME of processing to each OP, such as getattr=2us, with probability P; may be given "
         "several times",
     .parse = serve_parse_times, .completion = &serve_complete_times},
    {"lock", 0, OPTION_OTHER, INJECTS(locks), .value = "OP=TIME[:P]",
     .help =
         "the same while holding the server's only lock, so that such calls follow one another, "
         "whatever the number of --threads; may be given several times",
     .parse = serve_parse_times, .completion = &serve_complete_times},
    {"cost-address", 0, OPTION_TEXT, SECTION_INJECTION, OPTION_SETS(serve_own.cost_address),
     .value = "ADDRESS",
     .help = "add --cost and --lock only to calls to ADDRESS, one of those of --bind, so that both "
             "sides of a comparison are one process",
     .needs = {"cost|lock"}},
    {"delay", 0, OPTION_OTHER, INJECTS(delays), .value = "OP=TIME[:P]",
     .help =
         "delay each reply to OP by TIME, as if the server waited for a disk; may be given several "
         "times",
     .parse = serve_parse_times, .completion = &serve_complete_times},
    {"device", 0, OPTION_OTHER, INJECTS(device), .value = "TIME[/N]",
     .help = "delay each COMMIT, and each WRITE that is not UNSTABLE, as by a device that takes "
             "TIME, N of them at a time (default 1)",
     .parse = serve_parse_device},
    {"call-rate", 0, OPTION_OTHER, INJECTS(call_rate), .value = "N[/BURST]",
     .help = "delay calls of NFS, but NULL, to N per second, of which BURST may come at once after "
             "a pause (default N)",
     .parse = serve_parse_call_rate},
    {"byte-rate", 0, OPTION_OTHER, INJECTS(byte_rate), .value = "SIZE[/BURST]",
     .help = "delay READs and WRITEs to SIZE bytes of file data per second, of which BURST bytes "
             "may come at once after a pause (default SIZE)",
     .parse = serve_parse_byte_rate},
    {"error", 0, OPTION_OTHER, INJECTS(errors), .value = "OP=NFS3ERR_x[:P]",
     .help = "answer OP with this error, with probability P; may be given several times",
     .parse = serve_parse_errors, .completion = &serve_complete_errors},
    {"fault", 0, OPTION_OTHER, INJECTS(faults), .value = "OP=KIND:N",
     .help = "acknowledge the N-th OP, such as write=lost:50, without carrying it out as asked: "
             "lost (ops that change something), or duplicated, shifted, torn or late (WRITE; "
             "shifted and torn: also READ); or answer it by NFS3ERR_IO (failed); one for each OP",
     .parse = serve_parse_faults, .completion = &serve_complete_faults},
    {"habit", 0, OPTION_OTHER, INJECTS(habits), .value = "NAME",
     .help =
         "behave as some other servers do: no-attributes, coarse-times, no-cache, small-cache, "
         "slow-sync, always-sync, new-verifier, in-order, object-locks, odd-places, small-memory, "
         "no-tickets, few-connections, slow-large or small-limits; may be given several times",
     .parse = serve_parse_habit, .completion = &serve_complete_habit},
    {"drop", 0, OPTION_OTHER, INJECTS(drop), .value = "P",
     .help = "over UDP, lose each request and each reply with probability P, such as 0.01 or 1%",
     .parse = serve_parse_probability},
    {"dup", 0, OPTION_OTHER, INJECTS(duplicate), .value = "P",
     .help = "over UDP, receive each request twice with probability P",
     .parse = serve_parse_probability},
    {"reset-after", 0, OPTION_COUNT, INJECTS(reset_after), .value = "N",
     .help =
         "over TCP, carry out the N-th call of each connection and reset the connection instead of "
         "answering",
     .minimum = 1},
    {"forget-context", 0, OPTION_COUNT, INJECTS(context_calls), .value = "N",
     .help = "forget a client's security context after N calls by it (RPCSEC_GSS_CREDPROBLEM)",
     .minimum = 1},
    {"sequence-window", 0, OPTION_NUMBER, INJECTS(context_window), .value = "N",
     .help = "drop calls whose sequence number is N or more below their security context's highest "
             "(default 1024)",
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

/* Refuse TIMES of --OPTION that are shorter than reading the clock. */
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
                             "--%s %s=%" PRIu64 "ns: reading the clock takes longer; ask for at "
                             "least %" PRIu64 " ns here",
                             option, server_procedure_name(i), ns, least);
    }
    return 0;
}

int serve_check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    const struct server_config *server = &serve_own.server;
    const struct rule rules[] = {
        {GROUP_ALL, serve_own.echo && rules_others_given(options, "echo|port|bind|user"),
         "--echo serves no files; it takes only --port, --bind and --user"},
        {GROUP_ALL,
         (server->keytab || server->policy.context_ns) && !serves_kerberos(&server->policy),
         "--keytab and --context-time are for --sec krb5, krb5i and krb5p"},
        {GROUP_ALL, server->policy.xprtsec != RPC_XPRTSEC_NONE && !server->tls.certificate,
         "--xprtsec tls and mtls need --tls-cert and --tls-key"},
        {GROUP_ALL, server->policy.xprtsec == RPC_XPRTSEC_MTLS && !server->tls.authorities,
         "--xprtsec mtls needs --tls-ca, by which clients' certificates are checked"},
    };
    int code = rules_apply(rules, sizeof rules / sizeof rules[0], options, error);

    if (code == 0)
        code = receive_window_check(server->sockets.receive_window, error);
    if (code == 0)
        code = check_times(server->policy.costs, "cost", error);
    return code ? code : check_times(server->policy.locks, "lock", error);
}
