/* Find the length from which the embedded server should send READ data from the file's pages with
 * sendmsg() instead of copying them into the reply. Round trips go over TCP on loopback, with DEPTH
 * calls in flight. Client and server share one processor, so that other work on the machine hardly
 * changes the medians. Copying and gathering take turns.
 * usage: gather [DEPTH [REPEATS [ROUNDS]]]  (default: depth 1, 5 repeats of 1000 rounds) */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "rpc/record.h"
#include "serve/transport/stream.h"

enum {
    FILE_SIZE = 1 << 20,
    MEMORY = 16 << 20,
    CALL_MAXIMUM = 256,
    REPLY_HEAD = 132, /* number of bytes of a READ's reply before its data, with the record mark */
    DEPTH_MAXIMUM = 256,
    REPEATS_MAXIMUM = 100,
    ROUNDS_MAXIMUM = 10000,
    /* maximum number of bytes of data in one repeat, for each of the two ways */
    ROUNDS_BYTES = 256 << 20,
    WAYS = 2, /* way 0: data are copied; way 1: data are gathered */
};

static const uint32_t lengths[] = {1 << 10,  2 << 10,  4 << 10,  5 << 10,  6 << 10,   8 << 10,
                                   12 << 10, 16 << 10, 32 << 10, 64 << 10, 256 << 10, 1 << 20};

struct bench {
    struct clock clock;
    struct exported exported;
    struct service service;
    struct stream stream;
    struct stream_scratch scratch;
    /* The server gathers data of at least this number of bytes. The number is in shared memory. */
    size_t *minimum;
    int client;
    unsigned depth;
    uint8_t calls[DEPTH_MAXIMUM * CALL_MAXIMUM], received[FILE_SIZE];
    size_t calls_length;
};

static void fail(const char *what)
{
    struct error error;

    error_set(&error, ERROR_FAILED, -errno, "%s: %s", what, strerror(errno));
    bench_fail(&error);
}

static void open_server(struct bench *bench)
{
    const struct policy policy = {.read_only = false};
    const struct contents_plan plan = {.files = 0};
    struct tree *tree = tree_open(0, 0, MEMORY);

    bench->minimum = mmap(NULL, sizeof *bench->minimum, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bench->minimum == MAP_FAILED)
        fail("mmap");

    if (!tree || exported_open(&bench->exported, tree, &policy) != 0 ||
        tree_make_contents(tree, &plan) != 0)
        fail("the exported tree");
    bench->exported.budget.limit = MEMORY;
    bench->service.exported = &bench->exported;
    bench->service.delayed.budget = &bench->exported.budget;
}

static void connect_both(struct bench *bench)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;

    bench->client = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0 ||
        listen(listener, 1) != 0 ||
        connect(bench->client, (struct sockaddr *)&address, size) != 0 ||
        (bench->stream.watched.fd = accept(listener, NULL, NULL)) < 0)
        fail("the sockets");
    close(listener);
    setsockopt(bench->stream.watched.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(bench->client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void make_calls(struct bench *bench, uint32_t length)
{
    const struct rpc_call_header header = {
        .program = NFS_PROGRAM, .version = NFS_V3, .procedure = NFSPROC3_READ};
    const char name[] = "file";

    bench->calls_length = 0;
    for (unsigned i = 0; i < bench->depth; i++) {
        uint8_t *record = bench->calls + bench->calls_length;
        struct wire_writer writer = wire_writer(record + RPC_RECORD_MARK_SIZE, CALL_MAXIMUM);

        rpc_call_encode(&writer, &header);
        call_put_handle(&writer,
                        tree_lookup(tree_root(bench->exported.tree), name, sizeof name - 1));
        wire_put_u64(&writer, 0);
        wire_put_u32(&writer, length);
        wire_store_u32(record,
                       RPC_LAST_FRAGMENT | (uint32_t)(writer.at - record - RPC_RECORD_MARK_SIZE));
        bench->calls_length += (size_t)(writer.at - record);
    }
}

static void run_server(struct bench *bench)
{
    struct stream *stream = &bench->stream;
    int code = 0;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (code == 0) {
        bool blocked = stream_is_blocked(stream);
        struct pollfd poller = {.fd = stream->watched.fd, .events = blocked ? POLLOUT : POLLIN};

        poll(&poller, 1, -1);
        bench->service.gather.minimum = *bench->minimum;
        code = blocked ? stream_writable(stream, &bench->service, &bench->scratch)
                       : stream_readable(stream, &bench->service, &bench->scratch);
    }
    _exit(0);
}

static void start_server(struct bench *bench)
{
    pid_t child;

    open_server(bench);
    connect_both(bench);
    child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0)
        run_server(bench);
    close(bench->stream.watched.fd);
}

/* Send all calls and receive all replies, each with LENGTH bytes of data, gathered or else copied.
 * Returns the time in ns, divided by the number of calls. */
static double make_round(struct bench *bench, uint32_t length, bool gathered)
{
    size_t left = bench->depth * (REPLY_HEAD + (size_t)length);
    uint64_t started;

    *bench->minimum = gathered ? 0 : FILE_SIZE + 1;
    started = bench->clock.start();
    if (send(bench->client, bench->calls, bench->calls_length, 0) < 0)
        fail("send");
    while (left > 0) {
        ssize_t got = recv(bench->client, bench->received, sizeof bench->received, 0);

        if (got <= 0)
            fail("recv");
        left -= (size_t)got;
    }
    return clock_sample_ns(&bench->clock, bench->clock.stop() - started) / bench->depth;
}

/* Set MEDIANS[WAY] to the median time, over ROUNDS rounds, of a call of LENGTH bytes, in ns. */
static void repeat(struct bench *bench, uint32_t length, unsigned rounds, double medians[WAYS])
{
    static double times[WAYS][ROUNDS_MAXIMUM];

    for (unsigned i = 0; i < rounds; i++)
        for (unsigned j = 0; j < WAYS; j++) {
            unsigned way = (i + j) % WAYS;

            times[way][i] = make_round(bench, length, way);
        }
    for (size_t way = 0; way < WAYS; way++)
        medians[way] = estimate_median(times[way], rounds);
}

static void measure(struct bench *bench, uint32_t length, unsigned repeats, unsigned rounds)
{
    unsigned fit = ROUNDS_BYTES / length / bench->depth;
    double ratios[REPEATS_MAXIMUM], medians[WAYS];
    char name[64];

    if (rounds > fit)
        rounds = fit;
    make_calls(bench, length);
    for (unsigned i = 0; i < repeats; i++) {
        repeat(bench, length, rounds, medians);
        ratios[i] = medians[1] / medians[0];
    }
    snprintf(name, sizeof name, "%7u bytes, copied %7.2f us", length, medians[0] / 1000);
    bench_print_ratio(name, ratios, repeats);
}

int main(int argc, char **argv)
{
    unsigned repeats = bench_count(argc, argv, 2, 5), rounds = bench_count(argc, argv, 3, 1000);
    static struct bench bench;
    struct error error;

    bench.depth = bench_count(argc, argv, 1, 1);
    if (bench.depth < 1 || bench.depth > DEPTH_MAXIMUM || repeats < 1 ||
        repeats > REPEATS_MAXIMUM || rounds < 1 || rounds > ROUNDS_MAXIMUM) {
        fprintf(stderr, "usage: %s [DEPTH [REPEATS [ROUNDS]]]\n", argv[0]);
        return 2;
    }
    if (clock_open(&bench.clock, "tsc", &error) != 0)
        bench_fail(&error);
    cpu_pin(cpu_allowed_edge(1));
    start_server(&bench);
    printf("a READ, gathered / copied, depth %u: median of the ratios [lowest, highest]\n",
           bench.depth);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        measure(&bench, lengths[i], repeats, rounds);
    return 0;
}
