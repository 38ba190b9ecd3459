/* The state of TCP connections: reading it from sockets of this machine, with known numbers of
 * bytes and a receiver that reads nothing; reports of older kernels; sums over periods; and the
 * sockets of engines. Measured times are only compared with 0 and with each other. Every wait
 * ends. */
#include <fcntl.h>
#include <linux/tcp.h>

#include "engine/channel/tcp_state.h"
#include "engine/engine.h"
#include "listener.h"

enum { BYTES = 100000, SMALL = 4096, PATIENCE_MS = 20000, MAXIMUM = 4096 };

static struct listener listener;
static struct error error;

/* A connection over loopback whose ends send without delay. */
struct pair {
    int near, far;
};

static struct pair connect_pair(void)
{
    struct pair pair = {.far = -1};
    const int on = 1;

    listener.endpoint.timeout_ns = UINT64_C(10000000000);
    assert_int_equal(endpoint_connect(&listener.endpoint, &pair.near, &error), 0);
    pair.far = accept(listener.fd, NULL, NULL);
    assert_int_equal(setsockopt(pair.far, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
    return pair;
}

static void close_pair(struct pair pair)
{
    close(pair.near);
    close(pair.far);
}

static void carry(int from, int to, size_t length)
{
    static char bytes[BYTES];

    while (length > 0) {
        const size_t part = length < 1000 ? length : 1000;

        assert_int_equal(send(from, bytes, part, MSG_NOSIGNAL), part);
        assert_int_equal(recv(to, bytes, part, MSG_WAITALL), part);
        length -= part;
    }
}

TEST_CASE(bytes_of_a_connection_are_counted)
{
    struct tcp_figures figures;
    struct tcp_reading reading;
    struct tcp_watch watch;
    struct pair pair;

    listener_open(&listener, TRANSPORT_TCP, 4);
    pair = connect_pair();
    carry(pair.near, pair.far, 20);
    tcp_watch_open(&watch, &pair.near, 1);
    tcp_watch_begin(&watch);
    carry(pair.near, pair.far, 5000);
    carry(pair.far, pair.near, BYTES);
    tcp_watch_end(&watch, 1000000000);
    tcp_watch_begin(&watch);
    carry(pair.near, pair.far, 5000);
    tcp_watch_end(&watch, 1000000000);
    figures = tcp_sums_figures(&watch.sums);
    assert_true(tcp_read(pair.near, &reading));
    assert_all((watch.count, 1), (reading.received_bytes, BYTES), (watch.sums.sent >= 10),
               (watch.sums.received >= 2), (watch.sums.ns, 2e9, 0), (figures.retransmitted < 1),
               (figures.window_limited, 0, 0), (figures.buffer_limited, 0, 0));
    assert_all((figures.rtt_ns > 0), (figures.rtt_least_ns > 0), (figures.rtt_variation_ns >= 0),
               (figures.rtt_least_ns <= 1e3 * reading.rtt_least_us),
               (isnan(reading.window) ? isnan(figures.window_used)
                                      : figures.window_used > 0 && figures.window_used < 1));
    close_pair(pair);
    listener_close(&listener);
}

/* Send until the sockets' buffers are full, and wait until TCP has noticed. */
static void fill_window(int fd)
{
    static const char bytes[SMALL];
    struct tcp_reading reading = {.window_limited_us = 0};

    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (send(fd, bytes, sizeof bytes, MSG_NOSIGNAL) > 0)
        ;
    assert_int_equal(errno, EAGAIN);
    for (int i = 0; i < PATIENCE_MS && reading.window_limited_us == 0; i++) {
        poll(NULL, 0, 1);
        assert_true(tcp_read(fd, &reading));
    }
}

TEST_CASE(a_receiver_that_reads_nothing_limits_the_window)
{
    const int small = SMALL, large = 1 << 20;
    struct tcp_figures figures;
    struct tcp_watch watch;
    struct pair pair;

    listener_open(&listener, TRANSPORT_TCP, 4);
    setsockopt(listener.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    pair = connect_pair();
    setsockopt(pair.near, SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
    tcp_watch_open(&watch, &pair.near, 1);
    tcp_watch_begin(&watch);
    fill_window(pair.near);
    tcp_watch_end(&watch, 1000000);
    figures = tcp_sums_figures(&watch.sums);
    assert_all((figures.window_limited > 0), (isnan(figures.out_of_order)));
    close_pair(pair);
    listener_close(&listener);
}

/* A lost connection is left out, even if another one has its descriptor. */
TEST_CASE(a_connection_that_was_replaced_is_left_out)
{
    struct listener datagrams;
    struct tcp_watch watch;
    struct pair pair, other;
    int fds[3];

    listener_open(&listener, TRANSPORT_TCP, 4);
    listener_open(&datagrams, TRANSPORT_UDP, 0);
    pair = connect_pair();
    other = connect_pair();
    fds[0] = datagrams.fd;
    fds[1] = pair.near;
    fds[2] = -1;
    tcp_watch_open(&watch, fds, COUNT_OF(fds));
    assert_int_equal(watch.count, 1);
    assert_int_equal(watch.connections[0].fd, pair.near);
    tcp_watch_begin(&watch);
    carry(pair.near, pair.far, 10);
    assert_int_equal(dup2(other.near, pair.near), pair.near);
    tcp_watch_end(&watch, 1000);
    tcp_watch_begin(&watch);
    carry(other.near, other.far, 10);
    tcp_watch_end(&watch, 1000);
    assert_all((watch.sums.ns, 0, 0), (isnan(tcp_sums_figures(&watch.sums).rtt_ns)),
               (isnan(tcp_sums_figures(&watch.sums).window_limited)));
    close_pair(pair);
    close_pair(other);
    listener_close(&listener);
    listener_close(&datagrams);
}

/* The kernel's structure grows at its end, so older kernels return less of it. */
TEST_CASE(older_kernels_report_less)
{
    struct {
        struct tcp_info info;
        uint32_t window; /* tcpi_rcv_wnd, since Linux 6.2, in case the headers are older */
    } report = {.info = {.tcpi_rtt = 80, .tcpi_min_rtt = UINT32_MAX, .tcpi_rcv_ooopack = 3},
                .window = 0};
    const size_t least = offsetof(struct tcp_info, tcpi_delivered),
                 before_window = offsetof(struct tcp_info, tcpi_snd_wnd) + sizeof(uint32_t);
    struct tcp_reading reading;

    memcpy((char *)&report + before_window, &(uint32_t){16384}, sizeof(uint32_t));
    assert_false(tcp_reading_parse(&reading, &report, least - 1));
    assert_true(tcp_reading_parse(&reading, &report, least));
    assert_all((reading.rtt_us, 80), (reading.rtt_least_us, 0), (isnan(reading.out_of_order)),
               (isnan(reading.duplicates)), (isnan(reading.window)));
    assert_true(tcp_reading_parse(&reading, &report, before_window));
    assert_all((reading.out_of_order, 3, 0), (isnan(reading.window)));
    assert_true(tcp_reading_parse(&reading, &report, before_window + sizeof(uint32_t)));
    assert_all((reading.out_of_order, 3, 0), (reading.window, 16384, 0));
}

/* Two connections of one second each. The first has a least round-trip time of 10 ms, and receives
 * half a window in each 10 ms. The second receives nothing. */
TEST_CASE(sums_over_connections)
{
    const struct tcp_reading none = {.out_of_order = 0, .window = NAN},
                             before = {.sent = UINT32_MAX - 99, .resent = 7, .received_bytes = 50};
    const struct tcp_reading after = {.rtt_us = 12000,
                                      .rtt_variation_us = 500,
                                      .rtt_least_us = 10000,
                                      .sent = 100,
                                      .resent = 9,
                                      .received = 1000,
                                      .received_bytes = 50 + 819200,
                                      .window_limited_us = 250000,
                                      .buffer_limited_us = 100000,
                                      .out_of_order = 30,
                                      .duplicates = 1,
                                      .window = 16384};
    struct tcp_sums sums = {.ns = 0};
    struct tcp_figures figures = tcp_sums_figures(&sums);

    assert_all((isnan(figures.rtt_ns)), (isnan(figures.rtt_least_ns)),
               (isnan(figures.retransmitted)), (isnan(figures.out_of_order)),
               (isnan(figures.window_limited)), (isnan(figures.spurious)),
               (isnan(figures.window_used)));
    tcp_sums_add(&sums, &before, &after, 1000000000);
    tcp_sums_add(&sums, &none, &none, 1000000000);
    figures = tcp_sums_figures(&sums);
    assert_all((figures.rtt_ns, 12e6, 1), (figures.rtt_variation_ns, 5e5, 1),
               (figures.rtt_least_ns, 1e7, 1), (figures.retransmitted, 2 / 200.0, 1e-9),
               (figures.out_of_order, 0.03, 1e-9), (figures.spurious, 0.5, 1e-9),
               (figures.window_limited, 0.125, 1e-9), (figures.buffer_limited, 0.05, 1e-9),
               (figures.window_used, 0.5, 1e-9));
}

/* Set FDS to at most ROOM sockets of an engine with CLIENTS clients, CONNECTIONS connections of
 * each client, and THREADS threads. Returns their number. */
static size_t sockets_of(unsigned clients, unsigned connections, unsigned threads, int *fds,
                         size_t room)
{
    struct clock clock;
    struct engine *engine;
    struct engine_config config = {
        .endpoint = listener.endpoint,
        .channel = {.timeout_ns = UINT64_C(10000000000), .reply_maximum = MAXIMUM},
        .clock = &clock,
        .load = {.clients = clients, .connections = connections, .depth = 1, .threads = threads}};
    struct tcp_watch watch;
    size_t count;

    assert_int_equal(clock_open(&clock, "monotonic", &error), 0);
    assert_int_equal(engine_open(&engine, &engine_wire, &config, &error), 0);
    count = engine_sockets(engine, fds, room);
    tcp_watch_open(&watch, fds, count < TCP_WATCHED_MAXIMUM ? count : TCP_WATCHED_MAXIMUM);
    assert_int_equal(watch.count, count < TCP_WATCHED_MAXIMUM ? count : TCP_WATCHED_MAXIMUM);
    for (size_t i = 0; i < watch.count; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(watch.connections[i].cookie != watch.connections[j].cookie);
    engine_close(engine);
    return count;
}

TEST_CASE(engines_have_sockets)
{
    int fds[64];

    listener_open(&listener, TRANSPORT_TCP, 64);
    assert_all((sockets_of(1, 1, 1, fds, 8), 1), (sockets_of(1, 1, 1, fds, 0), 0),
               (sockets_of(3, 2, 2, fds, 64), 6), (sockets_of(3, 2, 2, fds, 3), 3),
               (sockets_of(9, 2, 3, fds, 8), 8), (engine_sockets(NULL, fds, 8), 0));
    listener_close(&listener);
}
