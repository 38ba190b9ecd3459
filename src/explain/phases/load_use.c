#include "explain/phases/load_use.h"

#include <linux/tcp.h>
#include <math.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include "measure/clock.h"

enum { READING_PART = 10 };

void load_use_open(struct load_use *use, pid_t server)
{
    const unsigned cpus = server ? process_allowed_count(server) : 0;

    memset(use, 0, sizeof *use);
    use->server_pid = server;
    use->server_cpus = cpus ? (double)cpus : NAN;
    use->rtt_ns = use->rtt_least_ns = use->window_limited = NAN;
    use->opened_ns = clock_raw_ns();
    busy_open(&use->client, 0);
    busy_open(&use->server, server);
}

static void read_interfaces(struct counters *counters)
{
    FILE *file = fopen("/proc/net/dev", "re");

    counters_clear(counters);
    if (!file)
        return;
    counters_parse_interfaces(counters, file);
    fclose(file);
}

void load_use_begin(struct load_use *use)
{
    const uint64_t now = clock_raw_ns();

    use->block_began_ns = 0;
    if (use->reading_ns * READING_PART > now - use->opened_ns)
        return;
    read_interfaces(&use->before);
    if (use->server_pid)
        busy_begin(&use->server);
    busy_begin(&use->client);
    use->block_began_ns = clock_raw_ns();
    use->reading_ns += use->block_began_ns - now;
}

/* How long the busiest link needs at full speed for what it carried in its busier direction. */
static double carried_ns(const struct counters *before, const struct counters *after)
{
    double most = NAN;

    for (size_t i = 0; i < before->interface_count && i < after->interface_count; i++) {
        const double *from = before->interfaces[i].values, *to = after->interfaces[i].values;
        const double bytes = fmax(to[INTERFACE_RX_BYTES] - from[INTERFACE_RX_BYTES],
                                  to[INTERFACE_TX_BYTES] - from[INTERFACE_TX_BYTES]);

        most = fmax(most, 8e9 * bytes / counters_interface_speed(after->interfaces[i].name));
    }
    return most; /* fmax() ignores NAN */
}

static void read_tcp(struct load_use *use, int fd)
{
    struct tcp_info info;
    socklen_t length = sizeof info;

    if (fd < 0 || getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        length < offsetof(struct tcp_info, tcpi_rwnd_limited) + sizeof info.tcpi_rwnd_limited)
        return;
    use->rtt_ns = 1e3 * info.tcpi_rtt;
    use->rtt_least_ns = fmin(use->rtt_least_ns, 1e3 * info.tcpi_min_rtt); /* ignores NAN */
    if (info.tcpi_busy_time > 0)
        use->window_limited = (double)info.tcpi_rwnd_limited / (double)info.tcpi_busy_time;
}

void load_use_end(struct load_use *use, size_t calls, int fd)
{
    const uint64_t now = clock_raw_ns();
    struct counters after;

    if (use->block_began_ns == 0)
        return;
    use->elapsed_ns += now - use->block_began_ns;
    use->calls += calls;
    busy_end(&use->client);
    if (use->server_pid)
        busy_end(&use->server);
    read_interfaces(&after);
    use->link_ns += carried_ns(&use->before, &after);
    read_tcp(use, fd);
    use->reading_ns += clock_raw_ns() - now;
}

static double server_ns(const struct load_use *use)
{
    return use->server_pid ? busy_total_ns(&use->server) : NAN;
}

struct process_times load_use_server_call(const struct load_use *use)
{
    const double calls = use->server_pid && use->calls ? (double)use->calls : NAN;

    return (struct process_times){busy_total_ns(&use->server) / calls,
                                  busy_waited_ns(&use->server) / calls};
}

struct bottleneck_evidence load_use_evidence(const struct load_use *use, bool spin,
                                             unsigned threads)
{
    const double elapsed = use->elapsed_ns ? (double)use->elapsed_ns : NAN;
    const double client = spin ? NAN : busy_total_ns(&use->client) / elapsed;
    const double server = server_ns(use) / elapsed;

    return (struct bottleneck_evidence){
        .in_flight = NAN,
        .connections = NAN,
        .reached = NAN,
        .gain = NAN,
        .rate = use->calls ? (double)use->calls / elapsed * 1e9 : NAN,
        .response_ns = NAN,
        .response_mean_ns = NAN,
        .response_least_ns = NAN,
        .response_spread_ns = NAN,
        .null_ns = NAN,
        .null_least_ns = NAN,
        .client_cpu = client / threads,
        .client_thread_cpu = spin ? NAN : busy_maximum_ns(&use->client) / elapsed,
        .server_cpu = server / use->server_cpus,
        .server_thread_cpu = use->server_pid ? busy_maximum_ns(&use->server) / elapsed : NAN,
        .server_cpus = server,
        .both_cpus = client + server,
        .link = use->link_ns / elapsed,
        .bytes_per_s = NAN,
        .rtt_ns = use->rtt_ns,
        .rtt_least_ns = use->rtt_least_ns,
        .rtt_variation_ns = NAN,
        .retransmitted = NAN,
        .out_of_order = NAN,
        .window_limited = use->window_limited,
        .buffer_limited = NAN,
        .window_used = NAN,
        .resent = NAN,
        .slots_waiting = NAN,
        .trials = {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    };
}
