/* Measures what tracing a call in the kernel costs: a loop of send() and recv() without eBPF
 * programs, with programs attached but disabled, and with programs recording. The last two of these
 * three ways alternate block by block. The first way comes before them in each repeat, because
 * attaching takes time. Also prints the number of explained calls, and times between timestamps.
 * usage: trace_cost TARGET [OP [REPEATS [ROUNDS [tcp|udp [SERVER-PROCESS]]]]]
 * (defaults: null, 5 repeats of 200 rounds, the target's transport; SERVER-PROCESS: the process of
 * the embedded server if TARGET is self:) */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "common/address.h"
#include "common/system_clock.h"
#include "engine/channel/socket_io.h"
#include "explain/kernel/server_timestamps.h"
#include "explain/kernel/trace.h"
#include "made_call.h"

enum {
    BLOCK = 100,
    REPEATS_MAXIMUM = 100,
    ROUNDS_MAXIMUM = 10000,
    REPLY_MAXIMUM = 2 << 20,
    WARM_UP = 30
};
#define TIMEOUT_NS UINT64_C(5000000000)

enum way { DETACHED, OFF, RECORDING, WAYS };

struct bench {
    struct made_call made;
    struct trace *trace;
    struct trace_request request;
    struct socket_io io;
    struct call_times calls[BLOCK];
    double blocks[WAYS][ROUNDS_MAXIMUM]; /* median round trip of each block, ns */
    double medians[WAYS];                /* median over the blocks */
    double timestamps[TIMESTAMPS];       /* sum over calls: time since the previous known one, ns */
    unsigned known[TIMESTAMPS];
    unsigned explained;
    uint64_t events, lost;
    struct error error;
};

static uint8_t reply[REPLY_MAXIMUM];

static void exit_on_error(struct bench *bench, int code)
{
    if (code)
        bench_fail(&bench->error);
}

static void check_io(struct bench *bench, const char *what, int code)
{
    if (code)
        exit_on_error(
            bench, error_set(&bench->error, ERROR_FAILED, code, "%s: %s", what, strerror(-code)));
}

static uint16_t own_port(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;

    getsockname(fd, (struct sockaddr *)&address, &length);
    return address_port(&address);
}

static void connect_to(struct bench *bench, pid_t server)
{
    struct endpoint *endpoint = &bench->made.mount.nfs;

    exit_on_error(bench, endpoint_connect(endpoint, &bench->io.fd, &bench->error));
    check_io(bench, "SO_RCVTIMEO", socket_io_set_wait(&bench->io, TIMEOUT_NS));
    bench->request = (struct trace_request){.client_thread = gettid(),
                                            .server_process = server,
                                            .server_port = address_port(&endpoint->address),
                                            .is_tcp = endpoint->transport == TRANSPORT_TCP};
}

/* Make one call, with a new xid each time. */
static void call_once(struct bench *bench, struct call_times *call)
{
    struct channel_message *message = &bench->made.call.engine.messages[0];
    size_t mark = bench->request.is_tcp ? RPC_RECORD_MARK_SIZE : 0, got = 0;
    const uint8_t *bytes = message->bytes + RPC_RECORD_MARK_SIZE - mark;
    size_t length = message->length + mark;
    uint32_t xid;

    memcpy(&xid, message->bytes + RPC_RECORD_MARK_SIZE, sizeof xid);
    call->xid = ntohl(xid) + 1;
    xid = htonl(call->xid);
    memcpy(message->bytes + RPC_RECORD_MARK_SIZE, &xid, sizeof xid);
    call->at[TIMESTAMP_SEND_ENTERED] = monotonic_ns();
    check_io(bench, "send", socket_io_send(&bench->io, bytes, length));
    while (got < bench->made.reply_length) {
        ssize_t n = socket_io_receive(&bench->io, reply + got, sizeof reply - got);

        check_io(bench, "recv", n > 0 ? 0 : n == 0 ? -ECONNRESET : (int)n);
        got += (size_t)n;
    }
    call->at[TIMESTAMP_REPLY_READ] = monotonic_ns();
}

static void add_timestamps(struct bench *bench, const struct call_times *call)
{
    uint64_t before = call->at[TIMESTAMP_SEND_ENTERED];

    for (int i = TIMESTAMP_REQUEST_ARRIVED; i < TIMESTAMPS; i++) {
        if (call->at[i] == 0)
            continue;
        if (call->at[i] < before)
            fprintf(stderr, "timestamp %d precedes the one before it\n", i);
        bench->timestamps[i] += (double)call->at[i] - (double)before;
        bench->known[i]++;
        before = call->at[i];
    }
    bench->explained += call->at[TIMESTAMP_REQUEST_ARRIVED] && call->at[TIMESTAMP_REQUEST_READ] &&
                        call->at[TIMESTAMP_REPLY_ENTERED] && call->at[TIMESTAMP_REPLY_SENT] &&
                        call->at[TIMESTAMP_REPLY_ARRIVED];
}

static void add_events(struct bench *bench)
{
    struct trace_events events = trace_read(bench->trace);
    const struct server_events ours = {.list = events.list,
                                       .count = events.count,
                                       .client_thread = (uint32_t)bench->request.client_thread,
                                       .server_process = (uint32_t)bench->request.server_process};

    for (int i = 0; i < BLOCK; i++) {
        server_timestamps(&ours, &bench->calls[i]);
        add_timestamps(bench, &bench->calls[i]);
    }
    bench->events += events.count;
    bench->lost += events.lost;
}

/* Return the median round trip of a block, ns. */
static double run_block(struct bench *bench, enum way way)
{
    double ns[BLOCK];

    memset(bench->calls, 0, sizeof bench->calls);
    if (bench->trace)
        trace_enable(bench->trace, way == RECORDING);
    for (int i = 0; i < BLOCK; i++) {
        struct call_times *call = &bench->calls[i];

        call_once(bench, call);
        ns[i] = (double)(call->at[TIMESTAMP_REPLY_READ] - call->at[TIMESTAMP_SEND_ENTERED]);
    }
    if (way == RECORDING) {
        trace_enable(bench->trace, false);
        add_events(bench);
    }
    return estimate_median(ns, BLOCK);
}

static void run_rounds(struct bench *bench, unsigned rounds, int from, int to)
{
    for (unsigned round = 0; round < WARM_UP; round++)
        run_block(bench, (enum way)from);
    for (unsigned round = 0; round < rounds; round++)
        for (int i = 0; i <= to - from; i++) {
            int way = round % 2 ? to - i : from + i;

            bench->blocks[way][round] = run_block(bench, (enum way)way);
        }
    for (int way = from; way <= to; way++)
        bench->medians[way] = estimate_median(bench->blocks[way], rounds);
}

static void run_repeat(struct bench *bench, unsigned rounds)
{
    run_rounds(bench, rounds, DETACHED, DETACHED);
    exit_on_error(bench, trace_open(&bench->trace, &bench->request, &bench->error));
    trace_watch_port(bench->trace, own_port(bench->io.fd));
    run_rounds(bench, rounds, OFF, RECORDING);
    trace_close(bench->trace);
    bench->trace = NULL;
}

static void print_timestamps(const struct bench *bench, unsigned calls)
{
    static const char *const names[TIMESTAMPS] = {
        [TIMESTAMP_REQUEST_ARRIVED] = "request arrived", [TIMESTAMP_SERVER_WOKEN] = "server woken",
        [TIMESTAMP_SERVER_RUNS] = "server runs",         [TIMESTAMP_READER_RUNS] = "reader runs",
        [TIMESTAMP_REQUEST_READ] = "request read",       [TIMESTAMP_WORKER_RUNS] = "worker runs",
        [TIMESTAMP_REPLY_ENTERED] = "reply entered",     [TIMESTAMP_REPLY_SENT] = "reply sent",
        [TIMESTAMP_REPLY_ARRIVED] = "reply arrived",     [TIMESTAMP_CLIENT_WOKEN] = "client woken",
        [TIMESTAMP_CLIENT_RUNS] = "client runs",         [TIMESTAMP_REPLY_READ] = "reply read"};

    printf("\n%u calls, %u explained, %.2f events a call, %llu lost\n", calls, bench->explained,
           (double)bench->events / calls, (unsigned long long)bench->lost);
    for (int i = 0; i < TIMESTAMPS; i++)
        if (names[i] && bench->known[i])
            printf("  %-16s %8.3f us after the one before, in %5.1f %% of the calls\n", names[i],
                   bench->timestamps[i] / bench->known[i] / 1000, 100. * bench->known[i] / calls);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    static double costs[2][REPEATS_MAXIMUM];
    unsigned repeats = bench_count(argc, argv, 3, 5), rounds = bench_count(argc, argv, 4, 200);
    const struct made_call_request request = {.target = argc > 1 ? argv[1] : "",
                                              .op = argc > 2 ? argv[2] : "null",
                                              .proto = argc > 5 ? argv[5] : NULL,
                                              .read_size = 4096};

    if (argc < 2 || repeats < 1 || repeats > REPEATS_MAXIMUM || rounds < 1 ||
        rounds > ROUNDS_MAXIMUM) {
        fprintf(stderr, "usage: %s TARGET [OP [REPEATS [ROUNDS [tcp|udp [SERVER-PROCESS]]]]]\n",
                argv[0]);
        return 2;
    }
    cpu_keep_awake();
    exit_on_error(&bench, made_call_open(&bench.made, &request, &bench.error));
    connect_to(&bench, argc > 6 ? (pid_t)strtol(argv[6], NULL, 10) : bench.made.self.pid);
    printf("median round trip in us, %u + 2 x %u blocks of %d\n  %8s %8s %8s\n", rounds, rounds,
           BLOCK, "detached", "off", "recording");
    for (unsigned i = 0; i < repeats; i++) {
        run_repeat(&bench, rounds);
        printf("  %8.3f %8.3f %8.3f\n", bench.medians[DETACHED] / 1000, bench.medians[OFF] / 1000,
               bench.medians[RECORDING] / 1000);
        costs[0][i] = (bench.medians[OFF] - bench.medians[DETACHED]) / 1000;
        costs[1][i] = (bench.medians[RECORDING] - bench.medians[OFF]) / 1000;
    }
    printf("median of the differences in us [lowest, highest]\n");
    bench_print_ratio("off, against detached", costs[0], repeats);
    bench_print_ratio("recording, against off", costs[1], repeats);
    print_timestamps(&bench, repeats * rounds * BLOCK);
    made_call_close(&bench.made);
    return 0;
}
