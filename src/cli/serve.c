/* nfsbench serve: the embedded NFSv3 server as a command. */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/injection.h"
#include "cli/options.h"
#include "common/cpu.h"
#include "server/echo.h"
#include "server/server.h"

struct serve_settings {
    uint16_t port;
    uint32_t threads;
    uint64_t files, file_size, directories, memory;
    struct option_list addresses;
    struct injection injection;
    bool all_squash, root_squash, read_only, service_times, echo, help;
};

enum { DEFAULT_FILE_SIZE = 4096, DEFAULT_MEMORY = 1 << 30 };

#define MEMBER(member) offsetof(struct serve_settings, member)

static const struct option_entry table[] = {
    {"port", 0, OPTION_PORT, MEMBER(port), "N",
     "for NFS and MOUNT, TCP and UDP (default: one that is free)"},
    {"bind", 'b', OPTION_LIST, MEMBER(addresses), "ADDRESS",
     "listen there instead of on 127.0.0.1 and ::1; repeatable"},
    {"threads", 't', OPTION_NUMBER, MEMBER(threads), "N",
     "that serve (default: one for each processor)"},
    {"files", 0, OPTION_COUNT, MEMBER(files), "N", "export N files instead, file0 and so on"},
    {"size", 's', OPTION_OFFSET, MEMBER(file_size), "BYTES", "in each of them (default 4096)"},
    {"dirs", 0, OPTION_COUNT, MEMBER(directories), "N",
     "spread them over N directories, dir0 and so on (default: all in the root)"},
    {"memory", 0, OPTION_OFFSET, MEMBER(memory), "BYTES",
     "what all files, names and data may take (default 1GiB); beyond is NFS3ERR_NOSPC"},
    {"read-only", 0, OPTION_FLAG, MEMBER(read_only), NULL, "refuse changes (NFS3ERR_ROFS)"},
    {"root-squash", 0, OPTION_FLAG, MEMBER(root_squash), NULL, "take the superuser for nobody"},
    {"all-squash", 0, OPTION_FLAG, MEMBER(all_squash), NULL, "take everybody for nobody"},
    INJECTION_OPTIONS(struct serve_settings),
    {"service-times", 0, OPTION_FLAG, MEMBER(service_times), NULL,
     "measure how long each procedure takes here; told at the end and on any signal"},
    {"echo", 0, OPTION_FLAG, MEMBER(echo), NULL,
     "no NFS server but a bare echo, for 'nfsbench explain --ladder'; with --port and --bind only"},
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

static int add_address(struct sockets_plan *plan, const char *text, struct error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int code = getaddrinfo(text, NULL, &hints, &found);

    if (code)
        return error_set(error, ERROR_USAGE, -EINVAL, "--bind '%.100s': %s", text,
                         gai_strerror(code));
    for (struct addrinfo *at = found; at && code == 0; at = at->ai_next) {
        if (plan->address_count == SOCKETS_ADDRESSES_MAXIMUM)
            code = error_set(error, ERROR_USAGE, -E2BIG, "more than %d addresses to listen on",
                             SOCKETS_ADDRESSES_MAXIMUM);
        else
            memcpy(&plan->addresses[plan->address_count++], at->ai_addr, at->ai_addrlen);
    }
    freeaddrinfo(found);
    return code;
}

static int check_numbers(const struct serve_settings *settings, struct error *error)
{
    if (settings->threads > SERVER_THREADS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "--threads must be %d at most",
                         SERVER_THREADS_MAXIMUM);
    if (settings->directories && !settings->files)
        return error_set(error, ERROR_USAGE, -EINVAL, "--dirs goes with --files");
    if (settings->root_squash && settings->all_squash)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--root-squash and --all-squash; leave one of the two out");
    return 0;
}

/* Where to listen: all that an echo has of it. */
static int make_sockets_plan(struct sockets_plan *plan, const struct serve_settings *settings,
                             struct error *error)
{
    int code = 0;

    *plan = (struct sockets_plan){.port = settings->port};
    for (size_t i = 0; i < settings->addresses.count && code == 0; i++)
        code = add_address(plan, settings->addresses.values[i], error);
    return code;
}

static int make_config(struct server_config *config, const struct serve_settings *settings,
                       struct error *error)
{
    int code = check_numbers(settings, error);

    memset(config, 0, sizeof *config);
    if (code == 0)
        code = make_sockets_plan(&config->sockets, settings, error);
    config->threads = settings->threads ? settings->threads : cpu_allowed_count();
    config->memory_limit = settings->memory;
    config->fill = (struct fill_plan){.files = settings->files,
                                      .file_size = settings->file_size,
                                      .directories = settings->directories};
    config->policy.read_only = settings->read_only;
    config->policy.squash = settings->all_squash    ? SQUASH_ALL
                            : settings->root_squash ? SQUASH_ROOT
                                                    : SQUASH_NONE;
    config->service_times = settings->service_times;
    if (code == 0)
        code = injection_apply(&settings->injection, &config->policy, error);
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

    for (unsigned i = 0; i < SERVER_NFS_PROCEDURES; i++) {
        struct service_time sum = {.histogram.count = 0};

        if (!server_take_service_time(server, i, &sum))
            return;
        if (sum.histogram.count == 0)
            continue;
        print_service_time(server_procedure_name(i), &sum);
        told++;
    }
    printf("service times of %u procedures\n", told);
    fflush(stdout);
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

static int serve_files(const struct serve_settings *settings, struct error *error)
{
    struct server_config config;
    int code = make_config(&config, settings, error);

    return code ? code : serve(&config, error);
}

/* The echo has no files, no policy and as many threads as connections. */
static int check_echo(const struct serve_settings *settings, struct error *error)
{
    bool others = settings->threads || settings->files || settings->directories ||
                  settings->file_size != DEFAULT_FILE_SIZE || settings->memory != DEFAULT_MEMORY ||
                  settings->all_squash || settings->root_squash || settings->read_only ||
                  settings->service_times || injection_is_given(&settings->injection);

    return others ? error_set(error, ERROR_USAGE, -EINVAL,
                              "--echo serves no files; only --port and --bind go with it")
                  : 0;
}

static void wait_for_end(void)
{
    sigset_t none;

    sigemptyset(&none);
    while (!stop)
        sigsuspend(&none);
}

static int serve_echo(const struct serve_settings *settings, struct error *error)
{
    static struct sockets sockets; /* the echo's threads look at it until the end */
    struct sockets_plan plan;
    int code = check_echo(settings, error);

    prepare_signals();
    if (code == 0)
        code = make_sockets_plan(&plan, settings, error);
    if (code == 0)
        code = sockets_open(&sockets, &plan, error);
    if (code == 0)
        code = echo_start(&sockets, error);
    if (code)
        return code;
    printf("nfsbench serve: ready port=%u echo proto=tcp,udp\n", sockets.port);
    fflush(stdout);
    wait_for_end();
    return 0;
}

int command_serve(int argc, char **argv)
{
    struct serve_settings settings = {.file_size = DEFAULT_FILE_SIZE, .memory = DEFAULT_MEMORY};
    struct error error;
    int code = options_parse_alone(table, "serve", argc, argv, &settings, &error);

    if (code == 0 && settings.help) {
        print_help();
        return 0;
    }
    if (code == 0)
        code = settings.echo ? serve_echo(&settings, &error) : serve_files(&settings, &error);
    if (code)
        error_print(&error);
    return code ? (int)error.kind : 0;
}
