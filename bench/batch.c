/* Calls in flight: engine wire keeps DEPTH calls in flight on one connection to the embedded server
 * (one thread). Beside it a bare loop does, many sent by one system call and many replies received
 * by one, to the same server and to a stub that answers by canned bytes. For READ over TCP, there
 * is also a bare stream of as many bytes. Servers run on the last processor that may be used, the
 * client on the first; blocks of all take turns in one run.
 *
 * usage: batch [OP [SIZE [DEPTH [REPEATS [tcp|udp]]]]]
 * (default: null, READs of 4096 bytes, 64 in flight, 9 repeats, tcp)
 * Prints each one's calls/s and CPU time per call, and the ratios, as medians with the lowest and
 * highest. */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "batch_peer.h"
#include "bench.h"
#include "common/address.h"
#include "common/system_clock.h"
#include "common/units.h"
#include "made_call.h"

enum { REPEATS_MAXIMUM = 100, INPUT_SIZE = 256 * 1024, ENGINE_CALLS = 32768 };
enum { ENGINE, SERVER, STUB, STREAM, WAYS };

#define BLOCK_NS 200e6

static const char *const way_names[WAYS] = {"engine wire", "bare loop", "stub", "bare stream"};

/* One way to make the calls, and what was measured. */
struct way {
    int fd;
    clockid_t processor_time; /* of the other process */
    size_t mark_length;       /* bytes of a record mark that have arrived */
    uint8_t mark[RPC_RECORD_MARK_SIZE];
    size_t left; /* bytes of the record that have not arrived yet */
    uint64_t calls;
    double rate[REPEATS_MAXIMUM], client_ns[REPEATS_MAXIMUM], server_ns[REPEATS_MAXIMUM];
};

struct bench {
    struct made_call made;
    struct clock clock;
    struct engine *engine;
    uint64_t ticks[ENGINE_CALLS];
    struct batch_peer stub, stream;
    bool tcp;
    size_t depth, call_length;
    uint8_t *calls; /* DEPTH calls, as on the wire */
    uint8_t *reply; /* one call, as on the wire */
    uint8_t input[INPUT_SIZE];
    struct iovec out[BATCH_MAXIMUM], in[BATCH_MAXIMUM];
    struct mmsghdr sent[BATCH_MAXIMUM], received[BATCH_MAXIMUM];
    struct way ways[WAYS];
    struct error error;
};

static void check(struct bench *bench, int code)
{
    if (code)
        bench_fail(&bench->error);
}

static void fail(struct bench *bench, const char *what)
{
    check(bench, error_set(&bench->error, ERROR_FAILED, -EIO, "%s: %s", what, strerror(errno)));
}

static double clock_ns(clockid_t clock)
{
    return (double)system_clock_ns(clock);
}

/* The client's loop */

static void send_calls(struct bench *bench, const struct way *way, size_t count)
{
    if (bench->tcp) {
        size_t length = count * bench->call_length;

        if (send(way->fd, bench->calls, length, 0) != (ssize_t)length)
            fail(bench, "send");
    } else if (sendmmsg(way->fd, bench->sent, (unsigned)count, 0) != (int)count) {
        fail(bench, "sendmmsg");
    }
}

/* Count the records that end within the LENGTH bytes that have arrived. */
static size_t count_records(struct bench *bench, struct way *way, size_t length)
{
    const uint8_t *at = bench->input, *end = at + length;
    size_t count = 0;

    while (at < end) {
        size_t some = way->left < (size_t)(end - at) ? way->left : (size_t)(end - at);

        if (way->mark_length < RPC_RECORD_MARK_SIZE) {
            struct wire_reader mark = wire_reader(way->mark, RPC_RECORD_MARK_SIZE);

            way->mark[way->mark_length++] = *at++;
            if (way->mark_length < RPC_RECORD_MARK_SIZE)
                continue;
            way->left = wire_get_u32(&mark) & ~RPC_LAST_FRAGMENT;
            if (way->left + RPC_RECORD_MARK_SIZE != bench->made.reply_length)
                fail(bench, "a reply of another length than the first");
            continue;
        }
        at += some;
        way->left -= some;
        if (way->left == 0) {
            way->mark_length = 0;
            count++;
        }
    }
    return count;
}

static size_t receive_replies(struct bench *bench, struct way *way)
{
    if (bench->tcp) {
        ssize_t got = recv(way->fd, bench->input, sizeof bench->input, 0);

        if (got <= 0)
            fail(bench, "recv");
        return count_records(bench, way, (size_t)got);
    }
    int got = recvmmsg(way->fd, bench->received, (unsigned)bench->depth, MSG_WAITFORONE, NULL);

    if (got <= 0)
        fail(bench, "recvmmsg: datagrams were lost");
    for (int i = 0; i < got; i++)
        if (bench->received[i].msg_len != bench->made.reply_length)
            fail(bench, "a reply of another length than the first");
    return (size_t)got;
}

/* Keep calls in flight for BLOCK_NS, then wait for the last. Returns how many were made. */
static uint64_t run_calls(struct bench *bench, struct way *way)
{
    double end = clock_ns(CLOCK_MONOTONIC) + BLOCK_NS;
    size_t in_flight = bench->depth;
    uint64_t calls = 0;

    send_calls(bench, way, in_flight);
    while (in_flight > 0) {
        size_t count = receive_replies(bench, way);

        calls += count;
        if (count > 0 && clock_ns(CLOCK_MONOTONIC) < end)
            send_calls(bench, way, count);
        else
            in_flight -= count;
    }
    return calls;
}

/* The engine's blocks, one after the other, as a run makes them. */
static uint64_t run_engine(struct bench *bench)
{
    double end = clock_ns(CLOCK_MONOTONIC) + BLOCK_NS;
    struct engine_tally tally = {.failed = 0};
    uint64_t calls = 0;

    while (clock_ns(CLOCK_MONOTONIC) < end) {
        size_t count = bench->made.reply_length > INPUT_SIZE ? bench->depth * 8 : ENGINE_CALLS;
        struct block block = {.count = count, .ticks = bench->ticks};

        check(bench,
              engine_run(bench->engine, &bench->made.call.engine, &block, &tally, &bench->error));
        calls += count;
    }
    if (tally.failed || tally.counts.retransmissions)
        fail(bench, "calls failed or were sent again");
    return calls;
}

/* Receive as many bytes as that many calls' replies have. */
static uint64_t run_stream(struct bench *bench, struct way *way)
{
    uint64_t left = bench->ways[SERVER].calls * bench->made.reply_length;

    if (send(way->fd, &left, sizeof left, 0) != sizeof left)
        fail(bench, "send");
    while (left > 0) {
        ssize_t got = recv(way->fd, bench->input, sizeof bench->input, 0);

        if (got <= 0)
            fail(bench, "recv");
        left -= (uint64_t)got;
    }
    return bench->ways[SERVER].calls;
}

static void run_block(struct bench *bench, size_t number, unsigned repeat)
{
    struct way *way = &bench->ways[number];
    double started = clock_ns(CLOCK_MONOTONIC), client = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    double server = clock_ns(way->processor_time), calls;

    way->calls = number == ENGINE   ? run_engine(bench)
                 : number == STREAM ? run_stream(bench, way)
                                    : run_calls(bench, way);
    calls = (double)way->calls;
    way->rate[repeat] = calls / (clock_ns(CLOCK_MONOTONIC) - started) * 1e9;
    way->client_ns[repeat] = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - client) / calls;
    way->server_ns[repeat] = (clock_ns(way->processor_time) - server) / calls;
}

/* Opening */

static void connect_way(struct bench *bench, size_t number, uint16_t port, pid_t pid)
{
    struct way *way = &bench->ways[number];
    struct endpoint endpoint = bench->made.mount.nfs;
    struct timeval patience = {.tv_sec = 5};

    address_set_port(&endpoint.address, port);
    check(bench, endpoint_connect(&endpoint, &way->fd, &bench->error));
    setsockopt(way->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (clock_getcpuclockid(pid, &way->processor_time) != 0)
        fail(bench, "the CPU time of a peer");
}

/* DEPTH calls in sequence, each with its own xid, and room for the same number of datagrams. */
static void lay_out_calls(struct bench *bench)
{
    const struct channel_message *message = &bench->made.call.engine.messages[0];
    size_t mark = bench->tcp ? RPC_RECORD_MARK_SIZE : 0;

    bench->call_length = mark + message->length;
    bench->calls = malloc(bench->depth * bench->call_length);
    if (!bench->calls)
        fail(bench, "memory for the calls");
    for (size_t i = 0; i < bench->depth; i++) {
        uint8_t *at = bench->calls + i * bench->call_length;

        if (bench->tcp)
            wire_store_u32(at, RPC_LAST_FRAGMENT | (uint32_t)message->length);
        memcpy(at + mark, message->bytes + RPC_RECORD_MARK_SIZE, message->length);
        wire_store_u32(at + mark, (uint32_t)i + 1);
        bench->out[i] = (struct iovec){at, bench->call_length};
        bench->sent[i].msg_hdr = (struct msghdr){.msg_iov = &bench->out[i], .msg_iovlen = 1};
        if (bench->tcp)
            continue;
        bench->in[i] = (struct iovec){bench->input + i * (INPUT_SIZE / BATCH_MAXIMUM),
                                      INPUT_SIZE / BATCH_MAXIMUM};
        bench->received[i].msg_hdr = (struct msghdr){.msg_iov = &bench->in[i], .msg_iovlen = 1};
    }
}

/* The stub answers every call with this reply of the server. */
static void take_reply(struct bench *bench)
{
    size_t length = bench->made.reply_length, got = 0;
    int fd = bench->ways[SERVER].fd;

    bench->reply = malloc(length);
    if (!bench->reply || send(fd, bench->calls, bench->call_length, 0) < 0)
        fail(bench, "the first call");
    while (got < length) {
        ssize_t more = recv(fd, bench->reply + got, length - got, 0);

        if (more <= 0)
            fail(bench, "the first reply");
        got += (size_t)more;
    }
}

static void open_engine(struct bench *bench, uint32_t read_size)
{
    enum { OVERHEAD = 16384 };
    struct engine_config config = {
        .endpoint = bench->made.mount.nfs,
        .channel = {.timeout_ns = 5000000000, .reply_maximum = read_size + OVERHEAD},
        .clock = &bench->clock,
        .load = {.clients = 1, .connections = 1, .depth = (unsigned)bench->depth, .threads = 1}};

    check(bench, clock_open(&bench->clock, "tsc", &bench->error));
    check(bench, engine_open(&bench->engine, engine_find("wire"), &config, &bench->error));
    bench->ways[ENGINE].processor_time = bench->ways[SERVER].processor_time;
}

static void open_bench(struct bench *bench, const struct made_call_request *request)
{
    struct batch_canned canned;

    check(bench, made_call_open(&bench->made, request, &bench->error));
    bench->tcp = bench->made.mount.nfs.transport == TRANSPORT_TCP;
    lay_out_calls(bench);
    connect_way(bench, SERVER, bench->made.target.nfs_port, bench->made.self.pid);
    open_engine(bench, request->read_size);
    take_reply(bench);
    canned = (struct batch_canned){bench->tcp, bench->call_length, bench->reply,
                                   bench->made.reply_length};
    check(bench, batch_peer_stub(&bench->stub, &canned, &bench->error));
    connect_way(bench, STUB, bench->stub.port, bench->stub.pid);
    if (!bench->tcp || strcmp(request->op, "read") != 0)
        return;
    check(bench, batch_peer_stream(&bench->stream, &bench->error));
    connect_way(bench, STREAM, bench->stream.port, bench->stream.pid);
}

/* Results */

/* A column: the median of N values in UNIT, with the lowest and highest. */
static void print_column(const double *values, unsigned n, double unit)
{
    double sorted[REPEATS_MAXIMUM], median;
    char column[64];

    memcpy(sorted, values, n * sizeof *values);
    median = estimate_median(sorted, n);
    snprintf(column, sizeof column, "%.1f [%.1f, %.1f]", median / unit, sorted[0] / unit,
             sorted[n - 1] / unit);
    printf("  %-26s", column);
}

static void print_ratio(const struct bench *bench, size_t way, size_t to, unsigned repeats)
{
    double rates[REPEATS_MAXIMUM], costs[REPEATS_MAXIMUM];
    char name[80];

    for (unsigned i = 0; i < repeats; i++) {
        rates[i] = bench->ways[way].rate[i] / bench->ways[to].rate[i];
        costs[i] = bench->ways[way].client_ns[i] / bench->ways[to].client_ns[i];
    }
    snprintf(name, sizeof name, "%s / %s, calls/s", way_names[way], way_names[to]);
    bench_print_ratio(name, rates, repeats);
    snprintf(name, sizeof name, "%s / %s, client CPU", way_names[way], way_names[to]);
    bench_print_ratio(name, costs, repeats);
}

static void print_results(const struct bench *bench, size_t ways, unsigned repeats)
{
    printf("  %-16s  %-26s  %-26s  %s\n", "", "1000 calls/s", "client CPU ns a call",
           "server CPU ns a call");
    for (size_t i = 0; i < ways; i++) {
        const struct way *way = &bench->ways[i];

        printf("  %-16s", way_names[i]);
        print_column(way->rate, repeats, 1e3);
        print_column(way->client_ns, repeats, 1);
        print_column(way->server_ns, repeats, 1);
        putchar('\n');
    }
    printf("medians of the ratios [lowest, highest]\n");
    for (size_t way = ENGINE; way < STUB; way++)
        for (size_t to = way + 1; to < ways; to++)
            print_ratio(bench, way, to, repeats);
}

static bool read_options(int argc, char **argv, struct made_call_request *request, size_t *depth,
                         unsigned *repeats)
{
    uint64_t size = 4096;

    if (argc > 1)
        request->op = argv[1];
    if (argc > 2 && units_parse_size(argv[2], &size) != 0)
        return false;
    request->read_size = (uint32_t)size;
    *depth = bench_count(argc, argv, 3, 64);
    *repeats = bench_count(argc, argv, 4, 9);
    request->proto = argc > 5 ? argv[5] : "tcp";
    return size <= 1 << 20 && *depth >= 1 && *depth <= BATCH_MAXIMUM && *repeats >= 1 &&
           *repeats <= REPEATS_MAXIMUM;
}

int main(int argc, char **argv)
{
    static const char *const one_thread[] = {"--threads", "1", NULL};
    struct made_call_request request = {.target = "self:", .op = "null", .arguments = one_thread};
    static struct bench bench;
    unsigned repeats;
    size_t ways;

    if (!read_options(argc, argv, &request, &bench.depth, &repeats)) {
        fprintf(stderr, "usage: %s [OP [SIZE [DEPTH [REPEATS [tcp|udp]]]]]\n", argv[0]);
        return 2;
    }
    cpu_keep_awake();
    open_bench(&bench, &request);
    ways = bench.stream.pid ? WAYS : STREAM;
    for (size_t way = 0; way < ways; way++) /* to warm up */
        run_block(&bench, way, 0);
    for (unsigned repeat = 0; repeat < repeats; repeat++)
        for (size_t way = 0; way < ways; way++)
            run_block(&bench, way, repeat);
    printf("%s over %s, %zu in flight, calls of %zu bytes, replies of %zu; "
           "median of %u [lowest, highest]\n",
           request.op, request.proto, bench.depth, bench.call_length, bench.made.reply_length,
           repeats);
    print_results(&bench, ways, repeats);
    engine_close(bench.engine);
    batch_peer_stop(&bench.stub);
    batch_peer_stop(&bench.stream);
    made_call_close(&bench.made);
    return 0;
}
