/* How near the engines come to the physical floor: a bare loop of send() and recv() of the same
 * bytes with the same server. Floor, wire and tirpc take turns, block by block in one run, each on
 * a connection of its own, timed by the same clock; what is compared is the mean round trip.
 *
 * usage: floor TARGET [OP [REPEATS [ROUNDS [tcp|udp]]]]
 * (default: getattr, 5 repeats of 300 rounds, tcp or what a URL says)
 * Prints the means of each repeat, and the ratios' medians with the lowest and highest. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "common/random.h"
#include "engine/engine.h"
#include "made_call.h"

enum { BLOCK = 100, REPEATS_MAXIMUM = 100, REPLY_MAXIMUM = 65536, WAYS = 3, WARM_UP = 30 };

static const char *const way_names[WAYS] = {"floor", "wire", "tirpc"};

struct bench {
    struct clock clock;
    struct made_call made;
    struct engine *engines[WAYS]; /* the floor has none */
    int fd;                       /* the floor's socket */
    uint8_t reply[REPLY_MAXIMUM];
    uint64_t ticks[BLOCK];
    double sums[WAYS];
    struct error error;
};

static void check(struct bench *bench, int code)
{
    if (code)
        bench_fail(&bench->error);
}

static void open_ways(struct bench *bench)
{
    struct engine_config config = {.endpoint = bench->made.mount.nfs,
                                   .channel = bench->made.mount.options.channel,
                                   .clock = &bench->clock};

    check(bench, endpoint_connect(&bench->made.mount.nfs, &bench->fd, &bench->error));
    for (size_t way = 1; way < WAYS; way++)
        check(bench, engine_open(&bench->engines[way], engine_find(way_names[way]), &config,
                                 &bench->error));
}

/* The floor: nothing but the two system calls, until as many bytes are there as the reply has. */
static double floor_block(struct bench *bench)
{
    struct channel_message *message = &bench->made.call.engine.messages[0];
    bool tcp = bench->made.mount.nfs.transport == TRANSPORT_TCP;
    const uint8_t *bytes = message->bytes + (tcp ? 0 : RPC_RECORD_MARK_SIZE);
    size_t length = message->length + (tcp ? RPC_RECORD_MARK_SIZE : 0);
    double sum = 0;

    for (int i = 0; i < BLOCK; i++) {
        uint64_t started;
        size_t got = 0;

        message->bytes[RPC_RECORD_MARK_SIZE]++; /* another xid: servers may keep replies */
        started = bench->clock.start();
        if (send(bench->fd, bytes, length, 0) != (ssize_t)length)
            check(bench, error_set(&bench->error, ERROR_FAILED, -EIO, "send: %s", strerror(errno)));
        while (got < bench->made.reply_length) {
            ssize_t n = recv(bench->fd, bench->reply + got, REPLY_MAXIMUM - got, 0);

            if (n <= 0)
                check(bench, error_set(&bench->error, ERROR_FAILED, -EIO, "recv failed"));
            got += (size_t)n;
        }
        sum += clock_sample_ns(&bench->clock, bench->clock.stop() - started);
    }
    return sum / BLOCK;
}

static double engine_block(struct bench *bench, struct engine *engine)
{
    struct engine_tally tally = {0};
    size_t recorded;
    double sum = 0;

    check(bench, engine_run(engine, &bench->made.call.engine, BLOCK, bench->ticks, &recorded,
                            &tally, &bench->error));
    for (size_t i = 0; i < recorded; i++)
        sum += clock_sample_ns(&bench->clock, bench->ticks[i]);
    return sum / (double)recorded;
}

/* One repeat: ROUNDS rounds of a block of each way, in random order. Leaves the means in sums. */
static void repeat(struct bench *bench, struct random *random, unsigned rounds)
{
    size_t order[WAYS] = {0, 1, 2};

    memset(bench->sums, 0, sizeof bench->sums);
    for (unsigned round = 0; round < rounds; round++) {
        random_shuffle(random, order, WAYS);
        for (int i = 0; i < WAYS; i++) {
            struct engine *engine = bench->engines[order[i]];

            bench->sums[order[i]] += (engine ? engine_block(bench, engine) : floor_block(bench));
        }
    }
    for (int way = 0; way < WAYS; way++)
        bench->sums[way] /= rounds;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    static double ratios[WAYS][REPEATS_MAXIMUM];
    unsigned repeats = bench_count(argc, argv, 3, 5), rounds = bench_count(argc, argv, 4, 300);
    const struct made_call_request request = {.target = argc > 1 ? argv[1] : "",
                                              .op = argc > 2 ? argv[2] : "getattr",
                                              .proto = argc > 5 ? argv[5] : NULL,
                                              .read_size = 4096};
    struct random random;

    if (argc < 2 || repeats < 1 || repeats > REPEATS_MAXIMUM || rounds < 1) {
        fprintf(stderr, "usage: %s TARGET [OP [REPEATS [ROUNDS [tcp|udp]]]]\n", argv[0]);
        return 2;
    }
    awake_begin();
    check(&bench, clock_open(&bench.clock, "tsc", &bench.error));
    check(&bench, made_call_open(&bench.made, &request, &bench.error));
    open_ways(&bench);
    random_seed(&random, 1);
    repeat(&bench, &random, WARM_UP);
    printf("%s on %s over %s, mean round trip in us\n  %8s %8s %8s\n",
           bench.made.call.procedure->rpc.name, argv[1],
           transport_name(bench.made.mount.nfs.transport), way_names[0], way_names[1],
           way_names[2]);
    for (unsigned i = 0; i < repeats; i++) {
        repeat(&bench, &random, rounds);
        printf("  %8.3f %8.3f %8.3f\n", bench.sums[0] / 1000, bench.sums[1] / 1000,
               bench.sums[2] / 1000);
        ratios[0][i] = bench.sums[1] / bench.sums[0];
        ratios[1][i] = bench.sums[2] / bench.sums[0];
        ratios[2][i] = bench.sums[1] / bench.sums[2];
    }
    printf("median of the ratios [lowest, highest]\n");
    bench_print_ratio("wire / floor", ratios[0], repeats);
    bench_print_ratio("tirpc / floor", ratios[1], repeats);
    bench_print_ratio("wire / tirpc", ratios[2], repeats);
    made_call_close(&bench.made);
    return 0;
}
