/* The command 'nfsbench serve', which runs the embedded NFSv3 server or the bare echo. */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/address.h"
#include "common/cpu.h"
#include "common/signals.h"
#include "job/plan.h"
#include "rpc/credential.h"
#include "serve/options.h"
#include "serve/rpc/gss.h"

/* Look up the addresses of the host TEXT, the value of --OPTION, and add them to PLAN. */
static int add_address(struct sockets_plan *plan, const char *option, const char *text,
                       struct error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int code = getaddrinfo(text, NULL, &hints, &found);

    if (code)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s '%.100s': %s", option, text,
                         gai_strerror(code));
    for (struct addrinfo *at = found; at && code == 0; at = at->ai_next) {
        if (plan->address_count == SOCKETS_ADDRESSES_MAXIMUM)
            code = error_set(error, ERROR_USAGE, -E2BIG, "--%s: there can be %d addresses at most",
                             option, SOCKETS_ADDRESSES_MAXIMUM);
        else
            memcpy(&plan->addresses[plan->address_count++], at->ai_addr, at->ai_addrlen);
    }
    freeaddrinfo(found);
    return code;
}

static bool is_among(const struct sockets_plan *plan, const struct sockaddr_storage *address)
{
    for (size_t i = 0; i < plan->address_count; i++)
        if (address_is_same_host(&plan->addresses[i], address))
            return true;
    return false;
}

/* Let only calls to the addresses of TEXT (--cost-address) have costs. Calls to the other addresses
 * of PLAN are exempt. Fails if PLAN has no address of TEXT. */
static int limit_costs(struct sockets_plan *plan, const char *text, struct error *error)
{
    struct sockets_plan costly = {.address_count = 0};
    size_t found = 0;
    int code = add_address(&costly, "cost-address", text, error);

    for (size_t i = 0; i < plan->address_count && code == 0; i++) {
        plan->without_costs[i] = !is_among(&costly, &plan->addresses[i]);
        found += !plan->without_costs[i];
    }
    if (code == 0 && found == 0)
        code = error_set(error, ERROR_USAGE, -EINVAL,
                         "--cost-address '%.100s': expected one of the addresses of --bind", text);
    return code;
}

static int make_sockets_plan(struct sockets_plan *plan, const struct options *options,
                             struct error *error)
{
    int code = 0;

    *plan = (struct sockets_plan){.port = options->port,
                                  .receive_window = serve_own.server.sockets.receive_window};
    for (size_t i = 0; i < serve_own.addresses.count && code == 0; i++)
        code = add_address(plan, "bind", serve_own.addresses.values[i], error);
    if (code == 0 && serve_own.cost_address)
        code = limit_costs(plan, serve_own.cost_address, error);
    return code;
}

static int make_config(struct server_config *config, const struct options *options,
                       struct error *error)
{
    int code = make_sockets_plan(&config->sockets, options, error);

    if (config->threads == 0)
        config->threads = cpu_allowed_count();
    config->policy.squash = serve_own.all_squash    ? SQUASH_ALL
                            : serve_own.root_squash ? SQUASH_ROOT
                                                    : SQUASH_NONE;
    return code || !serve_own.user ? code
                                   : privileges_find(&config->privileges, serve_own.user, error);
}

/* Flags that signals set. Every signal sets WOKEN, which ends server_run(). SIGUSR1 does nothing
 * else. SIGUSR2 also inverts WITHOUT_COSTS. All other signals also set STOP. */
static volatile sig_atomic_t woken, stop, without_costs;

static void on_signal(int number)
{
    woken = 1;
    if (number == SIGUSR2)
        without_costs = !without_costs;
    else if (number != SIGUSR1)
        stop = 1;
}

/* Handle the signals of signals_add_ending(), and block them; the functions that wait unblock
 * them. */
static void prepare_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    signals_add_ending(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signals_handle_ending(on_signal);
}

/* Print HISTOGRAM as "64:10,128:900": 10 values from 64 to 127 ns, and 900 from 128 to 255 ns. */
static void print_log2(const struct histogram *histogram)
{
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS];
    const char *separator = "";

    histogram_log2(histogram, counts);
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        if (counts[i] == 0)
            continue;
        printf("%s%" PRIu64 ":%" PRIu64, separator, i ? UINT64_C(1) << i : 0, counts[i]);
        separator = ",";
    }
}

static void print_service_time(const char *op, const struct service_time *time)
{
    const struct histogram *histogram = &time->histogram;

    printf("service time: %s calls=%" PRIu64 " mean_ns=%.1f trimmed_mean_ns=%.1f stddev_ns=%.1f "
           "p50_ns=%.1f p99_ns=%.1f max_ns=%.0f log2_ns=",
           op, histogram->count, histogram->mean, service_time_trimmed_mean(time),
           histogram_stddev(histogram), histogram_quantile(histogram, 0.5),
           histogram_quantile(histogram, 0.99), histogram->maximum);
    print_log2(histogram);
    putchar('\n');
}

static void print_flavors(struct server *server)
{
    uint32_t flavor;
    uint64_t calls;
    char name[24];

    for (unsigned i = 0; server_take_calls(server, i, &flavor, &calls); i++)
        if (calls)
            printf("calls by %s: %" PRIu64 "\n", rpc_flavor_name(flavor, name), calls);
}

/* Print and clear the service times, and the number of calls by each flavor. The last line marks
 * the end. If service times are not recorded, prints nothing. */
static void print_service_times(struct server *server)
{
    unsigned printed = 0;

    for (unsigned i = 0; i < SERVER_NFS_PROCEDURES; i++) {
        struct service_time sum = {.histogram.count = 0};

        if (!server_take_service_time(server, i, &sum))
            return;
        if (sum.histogram.count == 0)
            continue;
        print_service_time(server_procedure_name(i), &sum);
        printed++;
    }
    print_flavors(server);
    printf("service times of %u procedures\n", printed);
    fflush(stdout);
}

/* Warn if other machines can reach the server, whatever flavors it accepts. */
static void warn_of_others(const struct sockets_plan *plan)
{
    char text[ADDRESS_TEXT_SIZE];

    for (size_t i = 0; i < plan->address_count; i++) {
        if (address_is_loopback(&plan->addresses[i]))
            continue;
        fprintf(stderr,
                "nfsbench serve: warning: %s can be reached from other machines: without "
                "Kerberos or clients' certificates, anyone who can connect may use the files; see "
                "--bind, --sec, --xprtsec, --read-only and --user, or filter the port\n",
                address_text(&plan->addresses[i], text));
        return;
    }
}

static int make_known(const struct server *server, struct registration *registration,
                      struct error *error)
{
    return registration_make(registration, server_port(server), server_has_family(server, AF_INET),
                             server_has_family(server, AF_INET6), error);
}

static int run_server(const struct server_config *config, bool registers, struct error *error)
{
    struct registration registration = {.entries = 0};
    struct server *server;
    int code;

    prepare_signals();
    code = server_open(&server, config, error);
    if (code)
        return code;
    if (registers)
        code = make_known(server, &registration, error);
    if (code) {
        server_close(server);
        return code;
    }
    warn_of_others(&config->sockets);
    printf("nfsbench serve: ready port=%u mountport=%u export=" SERVER_EXPORT " proto=tcp,udp\n",
           server_port(server), server_port(server));
    fflush(stdout);
    while (code == 0 && !stop) {
        woken = 0;
        code = server_run(server, &woken, error);
        print_service_times(server);
        server_inject_costs(server, !without_costs);
    }
    if (code == 0)
        code = server_end_call_log(server, error);
    registration_end(&registration);
    server_close(server);
    return code;
}

static int serve_files(const struct options *options, struct error *error)
{
    struct server_config config = serve_own.server;
    int code = make_config(&config, options, error);

    return code ? code : run_server(&config, serve_own.registers, error);
}

static void wait_for_end(void)
{
    sigset_t none;

    sigemptyset(&none);
    while (!stop)
        sigsuspend(&none);
}

static int serve_echo(const struct options *options, struct error *error)
{
    static struct sockets sockets; /* used by the echo's threads until the process ends */
    struct sockets_plan plan;
    struct privileges privileges = {.uid = 0};
    int code;

    prepare_signals();
    code = make_sockets_plan(&plan, options, error);
    if (code == 0 && serve_own.user)
        code = privileges_find(&privileges, serve_own.user, error);
    if (code == 0)
        code = sockets_open(&sockets, &plan, error);
    if (code == 0)
        code = privileges_drop(&privileges, error);
    if (code == 0)
        code = echo_start(&sockets, error);
    if (code)
        return code;
    printf("nfsbench serve: ready port=%u echo proto=tcp,udp\n", sockets.port);
    fflush(stdout);
    wait_for_end();
    return 0;
}

static int run_serve(const struct options *options, int *status, struct error *error)
{
    int code = options_refuse_words(options, error);

    if (code == 0)
        code = rules_check(options, error);
    if (code)
        return code;
    return serve_own.echo ? serve_echo(options, error) : serve_files(options, error);
}

static const struct command_topic faults = {
    "faults", SECTION_INJECTION,
    "\nOptions of serve; give them to self: by --self-args:\n  nfsbench serve --cost getattr=2us\n "
    " nfsbench self: getattr --self-args '--cost getattr=2us --delay read=1ms'\n"};

/* Check that the default keytab has the server's key, which calls by Kerberos need. */
static int check_kerberos(struct error *error)
{
    const struct policy none = {.flavor_count = 0};
    struct gss_server *server;
    int code = gss_server_open(&server, NULL, &none, error);

    if (code == 0)
        server->type->close(server);
    return code;
}

const struct command command_serve = {
    .purpose = PURPOSE_SUPPORT,
    .own = serve_option_table,
    .set_defaults = serve_set_defaults,
    .check = serve_check,
    .name = "serve",
    .usage = "nfsbench serve [options]",
    .summary = "run the embedded server",
    .about = "Runs an NFSv3 and MOUNT v3 server in memory, over TCP and UDP, IPv4 and IPv6, on one "
             "port. It exports " SERVER_EXPORT
             ", which contains the files file and file1 to file5 of 1 MiB each, the symbolic link "
             "link to file, and the directory dir. It prints one line when it is ready, and serves "
             "until SIGTERM or Ctrl-C.",
    .examples = "  nfsbench serve --port 20490 &\n"
                "  nfsbench nfs://localhost:20490/export getattr 100k\n",
    .topic = &faults,
    .is_embedded_server = true,
    .check_kerberos = check_kerberos,
    .run = run_serve,
};
