/* nfsbench serve: the embedded NFSv3 server as a command. */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "common/units.h"
#include "server/server.h"

struct serve_settings {
    uint16_t port;
    struct option_list addresses, costs;
    bool service_times, help;
};

#define MEMBER(member) offsetof(struct serve_settings, member)

static const struct option_entry table[] = {
    {"port", 0, OPTION_PORT, MEMBER(port), "N",
     "for NFS and MOUNT, TCP and UDP (default: one that is free)"},
    {"bind", 'b', OPTION_LIST, MEMBER(addresses), "ADDRESS",
     "listen there instead of on 127.0.0.1 and ::1; repeatable"},
    {"cost", 0, OPTION_LIST, MEMBER(costs), "OP=TIME",
     "spend TIME in OP on top of its own, such as getattr=2us; repeatable"},
    {"service-times", 0, OPTION_FLAG, MEMBER(service_times), NULL,
     "measure how long each procedure takes here; told at the end and on any signal"},
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {0},
};

static void print_help(void)
{
    printf("usage: nfsbench serve [options]\n\n"
           "An NFSv3 and MOUNT v3 server in memory, over TCP and UDP, IPv4 and IPv6, on one port. "
           "It exports\n" SERVER_EXPORT
           " with file and file1 to file5 (H, a mebibyte of E, O), link, a symbolic link to file, "
           "and dir.\nIt prints one line when it is ready, and serves until SIGTERM or "
           "Ctrl-C.\n\noptions\n");
    options_help(table, stdout);
    printf("\nexample\n"
           "  nfsbench serve --port 20490 &\n"
           "  nfsbench nfs://localhost:20490/export getattr 100k\n");
}

static int add_address(struct server_config *config, const char *text, struct error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int code = getaddrinfo(text, NULL, &hints, &found);

    if (code)
        return error_set(error, ERROR_USAGE, -EINVAL, "--bind '%.100s': %s", text,
                         gai_strerror(code));
    for (struct addrinfo *at = found; at && code == 0; at = at->ai_next) {
        if (config->address_count == SERVER_ADDRESSES_MAXIMUM)
            code = error_set(error, ERROR_USAGE, -E2BIG, "more than %d addresses to listen on",
                             SERVER_ADDRESSES_MAXIMUM);
        else
            memcpy(&config->addresses[config->address_count++], at->ai_addr, at->ai_addrlen);
    }
    freeaddrinfo(found);
    return code;
}

static int add_cost(struct server_config *config, const char *text, struct error *error)
{
    const char *equals = strchr(text, '=');
    char op[32];
    int procedure;

    if (!equals || units_parse_time(equals + 1, &(uint64_t){0}) != 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--cost '%.100s': expected OP=TIME, such as getattr=2us", text);
    snprintf(op, sizeof op, "%.*s", (int)(equals - text < 31 ? equals - text : 31), text);
    procedure = server_procedure_number(op);
    if (procedure < 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--cost '%.100s': '%s' is not an NFSv3 procedure", text, op);
    units_parse_time(equals + 1, &config->cost_ns[procedure]);
    return 0;
}

static int make_config(struct server_config *config, const struct serve_settings *settings,
                       struct error *error)
{
    int code = 0;

    memset(config, 0, sizeof *config);
    config->port = settings->port;
    config->service_times = settings->service_times;
    for (size_t i = 0; i < settings->addresses.count && code == 0; i++)
        code = add_address(config, settings->addresses.values[i], error);
    for (size_t i = 0; i < settings->costs.count && code == 0; i++)
        code = add_cost(config, settings->costs.values[i], error);
    return code;
}

/* What has been signalled; WOKEN ends server_run(), whichever it was. */
static volatile sig_atomic_t woken, stop, without_costs;

static void on_signal(int number)
{
    woken = 1;
    if (number == SIGUSR2)
        without_costs = !without_costs;
    else if (number != SIGUSR1)
        stop = 1;
}

/* The signals stay blocked but while the server waits for work. */
static void prepare_signals(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(&set, numbers[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
}

/* Counts by powers of two, as "64:10,128:900": a bucket's lower bound in ns, then its count. */
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

/* Those since the last time, and a line behind them, so that a program knows that it has read all.
 */
static void print_service_times(struct server *server)
{
    unsigned told = 0;

    if (!server_service_time(server, 0))
        return;
    for (unsigned i = 0; i < SERVER_NFS_PROCEDURES; i++) {
        const struct service_time *time = server_service_time(server, i);

        if (time->histogram.count == 0)
            continue;
        print_service_time(server_procedure_name(i), time);
        told++;
    }
    printf("service times of %u procedures\n", told);
    fflush(stdout);
    server_forget_service_times(server);
}

static int serve(const struct server_config *config, struct error *error)
{
    struct server *server;
    int code;

    prepare_signals();
    code = server_open(&server, config, error);
    if (code)
        return code;
    printf("nfsbench serve: ready port=%u mountport=%u export=" SERVER_EXPORT " proto=tcp,udp\n",
           server_port(server), server_port(server));
    fflush(stdout);
    while (code == 0 && !stop) {
        woken = 0;
        code = server_run(server, &woken, error);
        print_service_times(server);
        server_inject_costs(server, !without_costs);
    }
    server_close(server);
    return code;
}

int command_serve(int argc, char **argv)
{
    struct serve_settings settings = {0};
    struct server_config config;
    struct error error;
    int code = options_parse_alone(table, "serve", argc, argv, &settings, &error);

    if (code == 0 && settings.help) {
        print_help();
        return 0;
    }
    if (code == 0)
        code = make_config(&config, &settings, &error);
    if (code == 0)
        code = serve(&config, &error);
    if (code)
        fprintf(stderr, "nfsbench: %s\n", error.text);
    return code ? (int)error.kind : 0;
}
