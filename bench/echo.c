/* What the embedded server adds to a bare echo: the null call on it, against the same bytes sent to
 * a server that does nothing but recv() and send(). Both servers run on the last processor that may
 * be used, the client on the first; blocks of both take turns in one run.
 *
 * usage: echo [tcp|udp [REPEATS [ROUNDS]]]      (default: tcp, 5 repeats of 300 rounds) */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "common/address.h"
#include "engine/endpoint.h"
#include "nfs/call.h"
#include "target/self.h"

enum { BLOCK = 100, REPEATS_MAXIMUM = 100, MESSAGE_MAXIMUM = 1024, WARM_UP = 30 };

struct peer {
    int fd;
    double sum;
};

struct bench {
    struct clock clock;
    struct self_server self;
    struct endpoint endpoint;
    struct nfs_call call;
    pid_t echo;
    size_t reply_length;
    struct peer nfs, bare;
    struct error error;
};

static void fail(struct bench *bench, const char *what)
{
    error_set(&bench->error, ERROR_FAILED, -errno, "%s: %s", what, strerror(errno));
    bench_fail(&bench->error);
}

/* The bare server: each message is answered by the first REPLY bytes of what came. */
static void echo_forever(int fd, bool tcp, size_t reply)
{
    char bytes[MESSAGE_MAXIMUM];
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;

    for (;;) {
        ssize_t got =
            recvfrom(fd, bytes, sizeof bytes, 0, tcp ? NULL : (void *)&peer, tcp ? NULL : &length);

        if (got <= 0 || sendto(fd, bytes, reply, 0, tcp ? NULL : (void *)&peer, tcp ? 0 : length) !=
                            (ssize_t)reply)
            _exit(0);
    }
}

static void run_echo(int listener, bool tcp, size_t reply)
{
    int fd = listener, one = 1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_pin(cpu_allowed_edge(1));
    if (tcp) {
        fd = accept(listener, NULL, NULL);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    echo_forever(fd, tcp, reply);
}

/* Start the bare server; returns its port. The processors that it may run on are still all. */
static uint16_t start_echo(struct bench *bench, bool tcp)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, tcp ? SOCK_STREAM : SOCK_DGRAM, 0);

    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        (tcp && listen(listener, 1) != 0) ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        fail(bench, "the echo server's socket");
    bench->echo = fork();
    if (bench->echo == 0)
        run_echo(listener, tcp, bench->reply_length);
    close(listener);
    return ntohs(address.sin_port);
}

static void connect_peer(struct bench *bench, struct peer *peer, uint16_t port)
{
    address_set_port(&bench->endpoint.address, port);
    if (endpoint_connect(&bench->endpoint, &peer->fd, &bench->error) != 0)
        bench_fail(&bench->error);
}

static double block(struct bench *bench, struct peer *peer)
{
    struct channel_message *message = &bench->call.engine.messages[0];
    bool tcp = bench->endpoint.transport == TRANSPORT_TCP;
    const uint8_t *bytes = message->bytes + (tcp ? 0 : RPC_RECORD_MARK_SIZE);
    size_t length = message->length + (tcp ? RPC_RECORD_MARK_SIZE : 0);
    char reply[MESSAGE_MAXIMUM];
    double sum = 0;

    for (int i = 0; i < BLOCK; i++) {
        uint64_t started = bench->clock.start();

        if (send(peer->fd, bytes, length, 0) != (ssize_t)length ||
            recv(peer->fd, reply, sizeof reply, 0) != (ssize_t)bench->reply_length)
            fail(bench, "a round trip");
        sum += clock_sample_ns(&bench->clock, bench->clock.stop() - started);
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
    struct target target = {.self = true};
    struct identity identity;

    identity_own(&identity);
    bench->endpoint = (struct endpoint){.transport = tcp ? TRANSPORT_TCP : TRANSPORT_UDP,
                                        .timeout_ns = 1000000000};
    *(struct sockaddr_in *)&bench->endpoint.address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bench->reply_length = 24 + (tcp ? RPC_RECORD_MARK_SIZE : 0);
    if (clock_open(&bench->clock, "tsc", &bench->error) != 0 ||
        nfs_call_make(&bench->call, nfs_procedure_find("null"), NULL, &identity, 1,
                      &bench->error) != 0)
        bench_fail(&bench->error);
    wire_store_u32(bench->call.engine.messages[0].bytes,
                   RPC_LAST_FRAGMENT | (uint32_t)bench->call.engine.messages[0].length);
    connect_peer(bench, &bench->bare, start_echo(bench, tcp));
    if (self_start(&bench->self, &target, NFSBENCH_PROGRAM, NULL, &bench->error) != 0)
        bench_fail(&bench->error);
    connect_peer(bench, &bench->nfs, target.nfs_port);
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
    awake_begin();
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
    self_stop(&bench.self);
    kill(bench.echo, SIGKILL);
    waitpid(bench.echo, NULL, 0);
    return 0;
}
