#include "experiment/load_use.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "measure/clock.h"

/* Reading counters may take at most 1 / READING_PART of the time, for all loads together. While it
 * has taken more (many threads, a server on another machine), blocks are made but not watched. */
enum { READING_PART = 10 };

/* Make WATCH use the sockets that ENGINE has now, before the first block. They are not looked up
 * again, because in an open loop threads may reconnect while a block begins or ends. */
static void open_tcp(struct tcp_watch *watch, const struct engine *engine)
{
    int fds[TCP_WATCHED_MAXIMUM];

    tcp_watch_open(watch, fds, engine_sockets(engine, fds, TCP_WATCHED_MAXIMUM));
}

void load_use_open(struct load_use *use, const struct engine *engine,
                   struct server_counters *server, size_t loads)
{
    const unsigned cpus = server->pid ? process_allowed_count(server->pid) : 0;

    memset(use, 0, sizeof *use);
    use->loads = loads;
    use->server = server;
    use->server_cpus = cpus ? (double)cpus : NAN;
    use->machine_cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
    busy_open(&use->client_threads, 0);
    busy_open(&use->server_threads, server->pid);
    open_tcp(&use->tcp, engine);
}

static void read_server(struct load_use *use, struct counters *counters)
{
    counters_clear(counters);
    if (use->server->command.pid)
        server_counters_read(use->server, counters);
}

void load_use_begin(struct load_use *use)
{
    const uint64_t now = clock_raw_ns();

    use->block_began_ns = 0;
    if (use->began_ns == 0)
        use->began_ns = now;
    if (use->reading_ns * READING_PART * use->loads > now - use->began_ns)
        return;
    counters_clear(&use->client_before);
    counters_read_machine(&use->client_before);
    read_server(use, &use->server_before);
    tcp_watch_begin(&use->tcp);
    if (use->server->pid)
        busy_begin(&use->server_threads);
    busy_begin(&use->client_threads);
    use->block_began_ns = clock_raw_ns();
    use->reading_ns += use->block_began_ns - now;
}

/* Return USE's sums for the link NAME, or an unused entry; NULL if all are used. */
static struct load_link *find_link(struct load_use *use, const char *name)
{
    for (size_t i = 0; i < COUNTERS_INTERFACES_MAXIMUM; i++)
        if (!use->links[i].name[0] || strcmp(use->links[i].name, name) == 0)
            return &use->links[i];
    return NULL;
}

/* Add what the links carried in a block. A link that was not there all the time is left out. */
static void add_links(struct load_use *use, const struct counters *after)
{
    const struct counters *before = &use->client_before;

    for (size_t i = 0; i < after->interface_count; i++) {
        const struct interface_counters *end = &after->interfaces[i];
        const struct interface_counters *begin =
            counters_find_interface(before->interfaces, before->interface_count, end->name);
        struct load_link *link = find_link(use, end->name);
        const double *from, *to = end->values;

        if (!begin || !link)
            continue;
        from = begin->values;
        memcpy(link->name, end->name, sizeof link->name);
        link->carried += fmax(to[INTERFACE_RX_BYTES] - from[INTERFACE_RX_BYTES],
                              to[INTERFACE_TX_BYTES] - from[INTERFACE_TX_BYTES]);
        link->packets += to[INTERFACE_RX_PACKETS] - from[INTERFACE_RX_PACKETS];
        link->bytes += to[INTERFACE_RX_BYTES] - from[INTERFACE_RX_BYTES];
    }
}

static double counter_growth(const struct counters *before, const struct counters *after,
                             size_t counter)
{
    return after->values[counter] - before->values[counter];
}

void load_use_end(struct load_use *use, uint64_t calls)
{
    const uint64_t now = clock_raw_ns(), took = now - use->block_began_ns;
    struct counters client, server;

    if (use->block_began_ns == 0)
        return;
    use->elapsed_ns += took;
    use->calls += calls;
    busy_end(&use->client_threads);
    if (use->server->pid)
        busy_end(&use->server_threads);
    tcp_watch_end(&use->tcp, took);
    read_server(use, &server);
    counters_clear(&client);
    counters_read_machine(&client);
    use->server_ns += counter_growth(&use->server_before, &server, COUNTER_CPU_NS);
    use->machine_ns += client.busy_ns - use->client_before.busy_ns;
    use->interrupts += counter_growth(&use->client_before, &client, COUNTER_INTERRUPTS);
    use->net_rx += counter_growth(&use->client_before, &client, COUNTER_NET_RX);
    add_links(use, &client);
    use->reading_ns += clock_raw_ns() - now;
}

static double share_of_time(const struct load_use *use, double ns)
{
    return use->elapsed_ns ? ns / (double)use->elapsed_ns : NAN;
}

static double per_call(const struct load_use *use, double sum)
{
    return use->calls ? sum / (double)use->calls : NAN;
}

static double link_used(const struct load_use *use)
{
    const struct load_link *link = use->links;
    double most = NAN;

    for (size_t i = 0; i < COUNTERS_INTERFACES_MAXIMUM && link->name[0]; i++, link++)
        most = fmax(most,
                    share_of_time(use, 8e9 * link->carried) / counters_interface_speed(link->name));
    return most; /* fmax() ignores NAN */
}

static const struct load_link *busiest_link(const struct load_use *use)
{
    const struct load_link *most = &use->links[0];

    for (size_t i = 1; i < COUNTERS_INTERFACES_MAXIMUM; i++)
        if (use->links[i].packets > most->packets)
            most = &use->links[i];
    return most;
}

static void fill_tcp(const struct tcp_watch *watch, double *figures)
{
    const struct tcp_figures tcp = tcp_sums_figures(&watch->sums);

    figures[CELL_RTT] = tcp.rtt_ns;
    figures[CELL_RTT_LEAST] = tcp.rtt_least_ns;
    figures[CELL_RTT_VARIATION] = tcp.rtt_variation_ns;
    figures[CELL_RETRANSMITTED] = tcp.retransmitted;
    figures[CELL_OUT_OF_ORDER] = tcp.out_of_order;
    figures[CELL_SPURIOUS] = tcp.spurious;
    figures[CELL_WINDOW_LIMITED] = tcp.window_limited;
    figures[CELL_BUFFER_LIMITED] = tcp.buffer_limited;
    figures[CELL_WINDOW_USED] = tcp.window_used;
}

void load_use_set_figures(const struct load_use *use, bool spin, unsigned threads,
                          double figures[CELL_FIGURES])
{
    const bool local = use->server->pid;
    const struct load_link *link = busiest_link(use);
    const double client_ns = spin ? NAN : busy_total_ns(&use->client_threads);
    const double client_thread_ns = spin ? NAN : busy_maximum_ns(&use->client_threads);
    const double server_ns = local ? busy_total_ns(&use->server_threads) : use->server_ns;
    const double server_thread_ns = local ? busy_maximum_ns(&use->server_threads) : NAN;

    figures[CELL_CLIENT_CPU] = share_of_time(use, client_ns) / threads;
    figures[CELL_CLIENT_THREAD] = share_of_time(use, client_thread_ns);
    figures[CELL_SERVER_CPU] = share_of_time(use, server_ns);
    figures[CELL_SERVER_SHARE] = share_of_time(use, server_ns) / use->server_cpus;
    figures[CELL_SERVER_THREAD] = share_of_time(use, server_thread_ns);
    figures[CELL_MACHINE] = share_of_time(use, use->machine_ns) / use->machine_cpus;
    figures[CELL_BOTH_CPUS] = share_of_time(use, client_ns + server_ns);
    figures[CELL_LINK] = link_used(use);
    figures[CELL_CLIENT_CALL] = per_call(use, client_ns);
    figures[CELL_SERVER_CALL] = per_call(use, server_ns);
    figures[CELL_PACKETS] = per_call(use, link->packets);
    figures[CELL_BYTES] = per_call(use, link->bytes);
    figures[CELL_INTERRUPTS] = per_call(use, use->interrupts);
    figures[CELL_NET_RX] = per_call(use, use->net_rx);
    fill_tcp(&use->tcp, figures);
}

double load_use_server_waited_ns(const struct load_use *use)
{
    return use->server->pid ? per_call(use, busy_waited_ns(&use->server_threads)) : NAN;
}

struct bottleneck_evidence load_evidence(const double figures[CELL_FIGURES])
{
    struct bottleneck_evidence evidence = BOTTLENECK_NO_EVIDENCE;

    evidence.rate = figures[CELL_RATE];
    evidence.response_mean_ns = figures[CELL_MEAN];
    evidence.null_ns = figures[CELL_NULL];
    evidence.client_cpu = figures[CELL_CLIENT_CPU];
    evidence.client_thread_cpu = figures[CELL_CLIENT_THREAD];
    evidence.server_cpu = figures[CELL_SERVER_SHARE];
    evidence.server_thread_cpu = figures[CELL_SERVER_THREAD];
    evidence.server_cpus = figures[CELL_SERVER_CPU];
    evidence.both_cpus = figures[CELL_BOTH_CPUS];
    evidence.machine_cpu = figures[CELL_MACHINE];
    evidence.link = figures[CELL_LINK];
    evidence.rtt_ns = figures[CELL_RTT];
    evidence.rtt_least_ns = figures[CELL_RTT_LEAST];
    evidence.rtt_variation_ns = figures[CELL_RTT_VARIATION];
    evidence.retransmitted = figures[CELL_RETRANSMITTED];
    evidence.out_of_order = figures[CELL_OUT_OF_ORDER];
    evidence.spurious = figures[CELL_SPURIOUS];
    evidence.window_limited = figures[CELL_WINDOW_LIMITED];
    evidence.buffer_limited = figures[CELL_BUFFER_LIMITED];
    evidence.window_used = figures[CELL_WINDOW_USED];
    evidence.resent = figures[CELL_RESENT];
    evidence.slots_waiting = figures[CELL_SLOTS_WAITING];
    return evidence;
}
