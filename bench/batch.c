/* Compare ways to keep calls in flight. Engine wire and a bare loop (batch_loop.h) keep DEPTH calls
 * in flight on each connection in one thread, to the embedded server and to a stub that sends
 * prepared replies. Complete runs of nfsbench show the cost of recording and statistics. For READ
 * over TCP, another server sends a bare stream of as many bytes as the bare loop has received.
 * Servers run on the last processor that may be used, the client on the first. All ways take turns.
 * usage: batch [OP [SIZE [DEPTH [REPEATS [tcp|udp [CONNECTIONS]]]]]]
 * (default: null, READs of 4096 bytes, 64 in flight, 9 repeats, tcp, one connection)
 * Prints calls/s of each way, the CPU time per call of its client and of its server (not for the
 * complete runs), and ratios, as medians with lowest and highest. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "batch_loop.h"
#include "batch_peer.h"
#include "batch_whole.h"
#include "bench.h"
#include "common/address.h"
#include "common/descriptors.h"
#include "common/system_clock.h"
#include "common/units.h"
#include "made_call.h"

enum {
    REPEATS_MAXIMUM = 100,
    /* One block of the engine has BLOCK_CALLS calls, or fewer if their replies had more than
     * BLOCK_BYTES bytes. But a block has at least TURNS times the calls in flight on all
     * connections. */
    BLOCK_CALLS = 32768,
    BLOCK_BYTES = 64 << 20,
    TURNS = 8,
    CONNECTIONS_MAXIMUM = 12000, /* engine and loop together use twice as many ports */
    WHOLE_CONNECTIONS_MAXIMUM = 1000,
};

enum { ENGINE, ENGINE_STUB, WHOLE, LOOP, LOOP_STUB, STREAM, WAYS };

static const char *const way_names[WAYS] = {"engine wire", "engine, stub",    "whole program",
                                            "bare loop",   "bare loop, stub", "bare stream"};

struct way {
    struct engine *engine; /* engine; only for the ways ENGINE and ENGINE_STUB */
    struct batch_loop loop;
    struct batch_peer peer;   /* process of a bare server; pid 0: the server is `made.self` */
    clockid_t processor_time; /* CPU clock of the server process */
    uint64_t calls;
    double rate[REPEATS_MAXIMUM], client_ns[REPEATS_MAXIMUM], server_ns[REPEATS_MAXIMUM];
};

struct bench {
    struct made_call made;
    struct clock clock;
    struct batch_calls calls;
    size_t connections, depth;
    uint64_t lasts_ns; /* time for which an engine or a loop makes calls in its turn */
    uint64_t *ticks;
    size_t block;   /* number of calls in one block of the engine */
    uint8_t *reply; /* one reply, as on the wire */
    struct batch_whole whole;
    bool wanted[WAYS];
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

/* Make blocks with ENGINE, as a run does, until BENCH's `lasts_ns` have passed. Returns the number
 * of calls. */
static uint64_t run_engine(struct bench *bench, struct engine *engine)
{
    uint64_t end = monotonic_ns() + bench->lasts_ns, made = 0;
    struct engine_tally tally = {.failed = 0};

    while (monotonic_ns() < end) {
        struct block block = {.count = bench->block, .ticks = bench->ticks};

        check(bench, engine_run(engine, &bench->made.call.engine, &block, &tally, &bench->error));
        made += block.count;
    }
    if (tally.failed || tally.counts.retransmissions)
        fail(bench, "calls failed or were sent again");
    return made;
}

/* Receive as many bytes as the bare loop's replies had. Returns the number of those replies. */
static uint64_t run_stream(struct bench *bench)
{
    uint64_t calls = bench->ways[LOOP].calls;

    batch_loop_stream(&bench->ways[STREAM].loop, calls * bench->made.reply_length);
    return calls;
}

static void run_whole(struct bench *bench, unsigned repeat)
{
    struct way *way = &bench->ways[WHOLE];
    struct batch_whole_cost cost;

    bench->whole.calls = (uint64_t)(0.4 * bench->ways[ENGINE].rate[0]);
    cost = batch_whole_run(&bench->whole);
    way->rate[repeat] = 1e9 / cost.elapsed_ns;
    way->client_ns[repeat] = cost.cpu_ns;
    way->server_ns[repeat] = NAN;
}

static void run_block(struct bench *bench, size_t number, unsigned repeat)
{
    struct way *way = &bench->ways[number];
    double started = clock_ns(CLOCK_MONOTONIC), client = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    double server = clock_ns(way->processor_time), calls;

    if (number == WHOLE) {
        run_whole(bench, repeat);
        return;
    }
    way->calls = way->engine        ? run_engine(bench, way->engine)
                 : number == STREAM ? run_stream(bench)
                                    : batch_loop_run(&way->loop, bench->lasts_ns);
    calls = (double)way->calls;
    way->rate[repeat] = calls / (clock_ns(CLOCK_MONOTONIC) - started) * 1e9;
    way->client_ns[repeat] = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - client) / calls;
    way->server_ns[repeat] = (clock_ns(way->processor_time) - server) / calls;
}

static void run_all(struct bench *bench, unsigned repeat)
{
    for (size_t way = 0; way < WAYS; way++)
        if (bench->wanted[way])
            run_block(bench, way, repeat);
}

/* Return the address of WAY's server, and set `processor_time` of WAY to the server's CPU clock. */
static struct endpoint find_peer(struct bench *bench, struct way *way)
{
    struct endpoint endpoint = bench->made.mount.nfs;

    if (way->peer.pid)
        address_set_port(&endpoint.address, way->peer.port);
    if (clock_getcpuclockid(way->peer.pid ? way->peer.pid : bench->made.self.pid,
                            &way->processor_time) != 0)
        fail(bench, "the CPU time of a peer");
    return endpoint;
}

static void open_loop(struct bench *bench, size_t number, size_t connections)
{
    struct way *way = &bench->ways[number];
    struct endpoint endpoint = find_peer(bench, way);

    batch_loop_open(&way->loop, &bench->calls, &endpoint, connections);
    bench->wanted[number] = true;
}

static void open_engine(struct bench *bench, size_t number, uint32_t read_size)
{
    enum { OVERHEAD = 16384 };
    struct way *way = &bench->ways[number];
    struct engine_config config = {
        .endpoint = find_peer(bench, way),
        .channel = {.timeout_ns = 5000000000, .reply_maximum = read_size + OVERHEAD},
        .clock = &bench->clock,
        .load = {.clients = (unsigned)bench->connections,
                 .connections = 1,
                 .depth = (unsigned)bench->depth,
                 .threads = 1}};

    check(bench, engine_open(&way->engine, &engine_wire, &config, &bench->error));
    bench->wanted[number] = true;
}

/* Open the engine and the loop to a stub each. Both stubs send the embedded server's reply. */
static void open_stubs(struct bench *bench, uint32_t read_size)
{
    struct batch_canned canned = {.tcp = bench->calls.tcp,
                                  .connections = bench->connections,
                                  .call_length = bench->calls.call_length,
                                  .reply = bench->reply,
                                  .reply_length = bench->made.reply_length};

    check(bench, batch_peer_stub(&bench->ways[ENGINE_STUB].peer, &canned, &bench->error));
    open_engine(bench, ENGINE_STUB, read_size);
    check(bench, batch_peer_stub(&bench->ways[LOOP_STUB].peer, &canned, &bench->error));
    open_loop(bench, LOOP_STUB, bench->connections);
}

static void size_blocks(struct bench *bench)
{
    size_t least = TURNS * bench->depth * bench->connections;
    size_t most = BLOCK_BYTES / bench->made.reply_length;

    bench->lasts_ns = 200000000 + 60000 * bench->connections;
    bench->block = most < BLOCK_CALLS ? most : BLOCK_CALLS;
    if (bench->block < least)
        bench->block = least;
    bench->ticks = calloc(bench->block, sizeof *bench->ticks);
    bench->reply = malloc(bench->made.reply_length);
    if (!bench->ticks || !bench->reply)
        fail(bench, "memory");
}

static void open_bench(struct bench *bench, const struct made_call_request *request)
{
    check(bench, made_call_open(&bench->made, request, &bench->error));
    check(bench, clock_open(&bench->clock, "tsc", &bench->error));
    size_blocks(bench);
    batch_calls_open(&bench->calls, &bench->made.call.engine.messages[0],
                     bench->made.mount.nfs.transport == TRANSPORT_TCP, bench->depth,
                     bench->made.reply_length);
    open_engine(bench, ENGINE, request->read_size);
    open_loop(bench, LOOP, bench->connections);
    batch_loop_try(&bench->ways[LOOP].loop, bench->reply);
    open_stubs(bench, request->read_size);
    bench->whole = (struct batch_whole){.port = bench->made.target.nfs_port,
                                        .op = request->op,
                                        .proto = request->proto,
                                        .read_size = request->read_size,
                                        .connections = bench->connections,
                                        .depth = bench->depth};
    bench->wanted[WHOLE] = bench->connections <= WHOLE_CONNECTIONS_MAXIMUM;
    if (!bench->calls.tcp || strcmp(request->op, "read") != 0)
        return;
    check(bench, batch_peer_stream(&bench->ways[STREAM].peer, &bench->error));
    open_loop(bench, STREAM, 1);
}

static void close_bench(struct bench *bench)
{
    for (size_t way = 0; way < WAYS; way++) {
        if (bench->ways[way].engine)
            engine_close(bench->ways[way].engine);
        batch_peer_stop(&bench->ways[way].peer);
    }
    made_call_close(&bench->made);
}

/* Print a column: median, lowest and highest of the N VALUES, each divided by UNIT. */
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

    if (!bench->wanted[way] || !bench->wanted[to])
        return;
    for (unsigned i = 0; i < repeats; i++) {
        rates[i] = bench->ways[way].rate[i] / bench->ways[to].rate[i];
        costs[i] = bench->ways[way].client_ns[i] / bench->ways[to].client_ns[i];
    }
    snprintf(name, sizeof name, "%s / %s, calls/s", way_names[way], way_names[to]);
    bench_print_ratio(name, rates, repeats);
    snprintf(name, sizeof name, "%s / %s, client CPU", way_names[way], way_names[to]);
    bench_print_ratio(name, costs, repeats);
}

static void print_results(const struct bench *bench, unsigned repeats)
{
    printf("  %-16s  %-26s  %-26s  %s\n", "", "1000 calls/s", "client CPU ns a call",
           "server CPU ns a call");
    for (size_t i = 0; i < WAYS; i++) {
        const struct way *way = &bench->ways[i];

        if (!bench->wanted[i])
            continue;
        printf("  %-16s", way_names[i]);
        print_column(way->rate, repeats, 1e3);
        print_column(way->client_ns, repeats, 1);
        if (i != WHOLE)
            print_column(way->server_ns, repeats, 1);
        putchar('\n');
    }
    printf("medians of the ratios [lowest, highest]\n");
    print_ratio(bench, ENGINE, LOOP, repeats);
    print_ratio(bench, ENGINE_STUB, LOOP_STUB, repeats);
    print_ratio(bench, WHOLE, LOOP, repeats);
    print_ratio(bench, LOOP, LOOP_STUB, repeats);
    print_ratio(bench, ENGINE, STREAM, repeats);
    print_ratio(bench, LOOP, STREAM, repeats);
}

static bool read_options(int argc, char **argv, struct made_call_request *request,
                         struct bench *bench, unsigned *repeats)
{
    uint64_t size = 4096;

    if (argc > 1)
        request->op = argv[1];
    if (argc > 2 && units_parse_size(argv[2], &size) != 0)
        return false;
    request->read_size = (uint32_t)size;
    bench->depth = bench_count(argc, argv, 3, 64);
    *repeats = bench_count(argc, argv, 4, 9);
    request->proto = argc > 5 ? argv[5] : "tcp";
    bench->connections = bench_count(argc, argv, 6, 1);
    return size <= 1 << 20 && bench->depth >= 1 && bench->depth <= BATCH_MAXIMUM && *repeats >= 1 &&
           *repeats <= REPEATS_MAXIMUM && bench->connections >= 1 &&
           bench->connections <= (strcmp(request->proto, "udp") == 0 ? 1 : CONNECTIONS_MAXIMUM);
}

int main(int argc, char **argv)
{
    struct made_call_request request = {
        .target = "self:", .op = "null", .arguments = "--threads 1"};
    static struct bench bench;
    unsigned repeats;

    if (!read_options(argc, argv, &request, &bench, &repeats)) {
        fprintf(stderr, "usage: %s [OP [SIZE [DEPTH [REPEATS [tcp|udp [CONNECTIONS]]]]]]\n",
                argv[0]);
        return 2;
    }
    cpu_keep_awake();
    descriptors_raise_limit(); /* for many connections */
    open_bench(&bench, &request);
    run_all(&bench, 0); /* warm up */
    for (unsigned repeat = 0; repeat < repeats; repeat++)
        run_all(&bench, repeat);
    printf("%s over %s, %zu connection%s with %zu in flight, calls of %zu bytes, replies of %zu; "
           "median of %u [lowest, highest]\n",
           request.op, request.proto, bench.connections, bench.connections == 1 ? "" : "s",
           bench.depth, bench.calls.call_length, bench.made.reply_length, repeats);
    print_results(&bench, repeats);
    close_bench(&bench);
    return 0;
}
