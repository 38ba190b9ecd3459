/* Compare NULL calls to the embedded server with messages of the same length to an echo server that
 * only calls recv() and send(). Both servers run on the last processor that may be used, the client
 * on the first. Their blocks take turns in one run.
 * usage: echo [tcp|udp [REPEATS [ROUNDS]]]  (default: tcp, 5 repeats of 300 rounds) */
#include <netinet/in.h>
#include <string.h>

#include "bench.h"
#include "common/address.h"
#include "engine/channel/channel.h"
#include "nfs/call.h"
#include "rpc/echo.h"
#include "target/self.h"

enum { BLOCK = 100, REPEATS_MAXIMUM = 100, MESSAGE_MAXIMUM = 1024, NULL_REPLY = 24, WARM_UP = 30 };

struct peer {
    struct self_server process;
    struct channel *channel;
    struct channel_bytes message;
    double sum;
};

struct bench {
    struct clock clock;
    struct endpoint endpoint;
    struct nfs_call call;
    uint8_t echo_bytes[MESSAGE_MAXIMUM];
    struct peer nfs, bare;
    struct error error;
};

static void check(struct bench *bench, int code)
{
    if (code < 0)
        bench_fail(&bench->error);
}

static void connect_peer(struct bench *bench, struct peer *peer, uint16_t port)
{
    const struct channel_options options = {.timeout_ns = 1000000000,
                                            .reply_maximum = MESSAGE_MAXIMUM};

    address_set_port(&bench->endpoint.address, port);
    check(bench, channel_open(&peer->channel, &bench->endpoint, &options, &bench->error));
}

/* Start both servers on the last processor, connect to them, and pin this thread to the first. */
static void start_servers(struct bench *bench)
{
    struct target target = {.self = true};
    uint16_t port;

    self_use("serve");
    check(bench, self_start_echo(&bench->bare.process, "127.0.0.1", (int)cpu_allowed_edge(1),
                                 NFSBENCH_PROGRAM, NULL, &port, &bench->error));
    connect_peer(bench, &bench->bare, port);
    check(bench,
          self_start(&bench->nfs.process, &target, NFSBENCH_PROGRAM, NULL, NULL, &bench->error));
    connect_peer(bench, &bench->nfs, target.nfs_port);
}

/* Make the NULL call for the NFS server, and a message for the echo server. Both messages have the
 * same length, and both replies have the same length. */
static void make_messages(struct bench *bench)
{
    bool tcp = bench->endpoint.transport == TRANSPORT_TCP;
    size_t mark = tcp ? RPC_RECORD_MARK_SIZE : 0;
    struct channel_message *message;
    struct identity identity;
    struct channel_bytes bytes;

    identity_own(&identity);
    check(bench, nfs_call_make(&bench->call, nfs_procedure_find("null"), NULL, &identity, 1,
                               &bench->error));
    message = &bench->call.engine.messages[0];
    wire_store_u32(message->bytes, RPC_LAST_FRAGMENT | (uint32_t)message->length);
    bytes = (struct channel_bytes){message->bytes + RPC_RECORD_MARK_SIZE - mark,
                                   mark + message->length, mark + NULL_REPLY};
    echo_header_store(
        &(struct echo_header){.length = (uint32_t)bytes.length, .answer = (uint32_t)bytes.answer},
        bench->echo_bytes);
    bench->nfs.message = bytes;
    bytes.bytes = bench->echo_bytes;
    bench->bare.message = bytes;
}

static double block(struct bench *bench, struct peer *peer)
{
    double sum = 0;

    for (int i = 0; i < BLOCK; i++) {
        uint64_t ticks;
        int code = channel_exchange_bytes(peer->channel, &peer->message, &bench->clock, &ticks);

        if (code)
            check(bench,
                  error_set(&bench->error, ERROR_FAILED, code, "an echo: %s", strerror(-code)));
        sum += clock_sample_ns(&bench->clock, ticks);
    }
    return sum / BLOCK;
}

static double repeat(struct bench *bench, unsigned rounds)
{
    bench->nfs.sum = bench->bare.sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        struct peer *first = i % 2 ? &bench->bare : &bench->nfs;
        struct peer *second = i % 2 ? &bench->nfs : &bench->bare;

        first->sum += block(bench, first);
        second->sum += block(bench, second);
    }
    return bench->nfs.sum / bench->bare.sum;
}

static void open_bench(struct bench *bench, bool tcp)
{
    bench->endpoint = (struct endpoint){.transport = tcp ? TRANSPORT_TCP : TRANSPORT_UDP,
                                        .timeout_ns = 1000000000};
    *(struct sockaddr_in *)&bench->endpoint.address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    check(bench, clock_open(&bench->clock, "tsc", &bench->error));
    make_messages(bench);
    start_servers(bench);
}

int main(int argc, char **argv)
{
    bool tcp = argc < 2 || strcmp(argv[1], "udp") != 0;
    unsigned repeats = bench_count(argc, argv, 2, 5), rounds = bench_count(argc, argv, 3, 300);
    static double ratios[REPEATS_MAXIMUM];
    static struct bench bench;

    if (repeats < 1 || repeats > REPEATS_MAXIMUM || rounds < 1) {
        fprintf(stderr, "usage: %s [tcp|udp [REPEATS [ROUNDS]]]\n", argv[0]);
        return 2;
    }
    cpu_keep_awake();
    open_bench(&bench, tcp);
    repeat(&bench, WARM_UP);
    printf("NULL over %s, mean round trip in us\n  %8s %8s\n", tcp ? "TCP" : "UDP", "echo",
           "server");
    for (unsigned i = 0; i < repeats; i++) {
        ratios[i] = repeat(&bench, rounds);
        printf("  %8.3f %8.3f\n", bench.bare.sum / rounds / 1000, bench.nfs.sum / rounds / 1000);
    }
    printf("median of the ratios [lowest, highest]\n");
    bench_print_ratio("embedded server / bare echo", ratios, repeats);
    self_stop(&bench.nfs.process);
    self_stop(&bench.bare.process);
    return 0;
}
