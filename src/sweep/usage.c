#include "sweep/usage.h"

#include <math.h>
#include <string.h>

/* All readings may take this fraction of the run's time. If reading takes longer (many threads, a
 * server on another machine), some blocks are skipped. */
enum { READING_PART = 10 };

static void read_server(struct usage *usage, struct counters *counters)
{
    counters_clear(counters);
    if (usage->server->command.pid)
        server_counters_read(usage->server, counters);
}

static void block_begins(void *context)
{
    struct usage *usage = context;
    uint64_t now = clock_raw_ns();

    if (usage->began_ns == 0)
        usage->began_ns = now;
    if (usage->reading_ns * READING_PART * usage->beside > now - usage->began_ns)
        return;
    counters_clear(&usage->client_before);
    counters_read_machine(&usage->client_before);
    read_server(usage, &usage->server_before);
    tcp_watch_begin(&usage->tcp);
    if (usage->server->pid)
        busy_begin(&usage->server_threads);
    busy_begin(&usage->client_threads);
    usage->block_began_ns = clock_raw_ns();
    usage->reading_ns += usage->block_began_ns - now;
}

static void add_links(struct usage *usage, const struct counters *after)
{
    const struct counters *before = &usage->client_before;

    for (size_t i = 0; i < before->interface_count && i < after->interface_count; i++) {
        const double *from = before->interfaces[i].values, *to = after->interfaces[i].values;
        struct usage_link *link = &usage->links[i];

        memcpy(link->name, after->interfaces[i].name, sizeof link->name);
        link->carried += fmax(to[INTERFACE_RX_BYTES] - from[INTERFACE_RX_BYTES],
                              to[INTERFACE_TX_BYTES] - from[INTERFACE_TX_BYTES]);
        link->packets += to[INTERFACE_RX_PACKETS] - from[INTERFACE_RX_PACKETS];
        link->bytes += to[INTERFACE_RX_BYTES] - from[INTERFACE_RX_BYTES];
    }
}

static double grown(const struct counters *before, const struct counters *after, size_t counter)
{
    return after->values[counter] - before->values[counter];
}

static void block_ended(void *context, size_t calls)
{
    struct usage *usage = context;
    struct counters client, server;
    uint64_t now = clock_raw_ns(), took;

    if (usage->block_began_ns == 0)
        return;
    took = now - usage->block_began_ns;
    usage->elapsed_ns += took;
    usage->calls += calls;
    usage->block_began_ns = 0;
    busy_end(&usage->client_threads);
    if (usage->server->pid)
        busy_end(&usage->server_threads);
    tcp_watch_end(&usage->tcp, took);
    read_server(usage, &server);
    counters_clear(&client);
    counters_read_machine(&client);
    usage->server_ns += grown(&usage->server_before, &server, COUNTER_CPU_NS);
    usage->interrupts += grown(&usage->client_before, &client, COUNTER_INTERRUPTS);
    usage->net_rx += grown(&usage->client_before, &client, COUNTER_NET_RX);
    add_links(usage, &client);
    usage->reading_ns += clock_raw_ns() - now;
}

/* The threads of an open loop restore lost connections also while a block begins or ends, so the
 * sockets are asked for only here, before the first block. */
static void open_tcp(struct tcp_watch *watch, const struct engine *engine)
{
    int fds[TCP_WATCHED_MAXIMUM];

    tcp_watch_open(watch, fds, engine_sockets(engine, fds, TCP_WATCHED_MAXIMUM));
}

void usage_open(struct usage *usage, struct session *session, const struct run_series *series,
                struct server_counters *server, size_t beside)
{
    unsigned count;

    memset(usage, 0, sizeof *usage);
    usage->beside = beside;
    usage->server = server;
    count = usage->server->pid ? process_allowed_count(usage->server->pid) : 0;
    usage->server_cpus = count ? (double)count : NAN;
    busy_open(&usage->client_threads, 0);
    busy_open(&usage->server_threads, usage->server->pid);
    open_tcp(&usage->tcp, series_set_engine(&session->set, series));
    usage->watch = (struct block_watch){.series = series->index,
                                        .next = session->watch,
                                        .begins = block_begins,
                                        .ended = block_ended,
                                        .context = usage};
    session->watch = &usage->watch;
}

static double processors_used(const struct usage *usage, double ns)
{
    return usage->elapsed_ns ? ns / (double)usage->elapsed_ns : NAN;
}

static double link_used(const struct usage *usage)
{
    const struct usage_link *link = usage->links;
    double most = NAN;

    for (size_t i = 0; i < COUNTERS_INTERFACES_MAXIMUM && link->name[0]; i++, link++)
        most = fmax(most, processors_used(usage, 8e9 * link->carried) /
                              counters_interface_speed(link->name));
    return most; /* fmax() ignores NAN */
}

static double per_call(const struct usage *usage, double sum)
{
    return usage->calls ? sum / (double)usage->calls : NAN;
}

static const struct usage_link *busiest(const struct usage *usage)
{
    const struct usage_link *most = &usage->links[0];

    for (size_t i = 1; i < COUNTERS_INTERFACES_MAXIMUM; i++)
        if (usage->links[i].packets > most->packets)
            most = &usage->links[i];
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

void usage_fill_figures(const struct usage *usage, bool spin, unsigned threads, double *figures)
{
    const bool local = usage->server->pid;
    const struct usage_link *link = busiest(usage);
    const double client_ns = spin ? NAN : busy_total_ns(&usage->client_threads);
    const double client_thread_ns = spin ? NAN : busy_maximum_ns(&usage->client_threads);
    const double server_ns = local ? busy_total_ns(&usage->server_threads) : usage->server_ns;
    const double server_thread_ns = local ? busy_maximum_ns(&usage->server_threads) : NAN;

    figures[CELL_CLIENT_CPU] = processors_used(usage, client_ns) / threads;
    figures[CELL_CLIENT_THREAD] = processors_used(usage, client_thread_ns);
    figures[CELL_SERVER_CPU] = processors_used(usage, server_ns);
    figures[CELL_SERVER_SHARE] = processors_used(usage, server_ns) / usage->server_cpus;
    figures[CELL_SERVER_THREAD] = processors_used(usage, server_thread_ns);
    figures[CELL_BOTH_CPUS] = processors_used(usage, client_ns + server_ns);
    figures[CELL_LINK] = link_used(usage);
    figures[CELL_CLIENT_CALL] = per_call(usage, client_ns);
    figures[CELL_SERVER_CALL] = per_call(usage, server_ns);
    figures[CELL_PACKETS] = per_call(usage, link->packets);
    figures[CELL_BYTES] = per_call(usage, link->bytes);
    figures[CELL_INTERRUPTS] = per_call(usage, usage->interrupts);
    figures[CELL_NET_RX] = per_call(usage, usage->net_rx);
    fill_tcp(&usage->tcp, figures);
}
