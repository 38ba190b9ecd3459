/* Measure the time that the engines add to the floor, a bare loop of send() and recv() with the
 * same bytes and the same server. Floor, wire and tirpc take turns block by block, each on its own
 * connection, and are timed by the same clock.
 * usage: floor TARGET [OP [REPEATS [ROUNDS [tcp|udp]]]]
 * (default: getattr, 5 repeats of 300 rounds, tcp or the transport of a URL)
 * Prints the mean round trips of each repeat, and the median ratios with the lowest and highest. */
#include <string.h>

#include "bench.h"
#include "common/random.h"
#include "engine/channel/channel.h"
#include "engine/engines.h"
#include "made_call.h"

enum { BLOCK = 100, REPEATS_MAXIMUM = 100, WAYS = 3, WARM_UP = 30 };

static const char *const way_names[WAYS] = {"floor", "wire", "tirpc"};

struct bench {
    struct clock clock;
    struct made_call made;
    struct engine *engines[WAYS]; /* engine of each way; NULL for the floor */
    struct channel *floor;
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
    struct channel_options options = bench->made.mount.options.channel;
    struct engine_config config = {.endpoint = bench->made.mount.nfs,
                                   .channel = bench->made.mount.options.channel,
                                   .clock = &bench->clock};

    options.reply_maximum = bench->made.reply_length;
    check(bench, channel_open(&bench->floor, &bench->made.mount.nfs, &options, &bench->error));
    for (size_t way = 1; way < WAYS; way++)
        check(bench, engine_open(&bench->engines[way], engine_find(way_names[way]), &config,
                                 &bench->error));
}

/* Make a block of calls with send() and recv() alone. Returns the mean round trip in ns. */
static double floor_block(struct bench *bench)
{
    struct channel_message *call = &bench->made.call.engine.messages[0];
    size_t mark = bench->made.mount.nfs.transport == TRANSPORT_TCP ? RPC_RECORD_MARK_SIZE : 0;
    const struct channel_bytes message = {call->bytes + RPC_RECORD_MARK_SIZE - mark,
                                          mark + call->length, bench->made.reply_length};
    double sum = 0;

    for (int i = 0; i < BLOCK; i++) {
        uint64_t ticks = 0;
        int code;

        /* A new xid, because a server may answer a repeated xid with its old reply. */
        call->bytes[RPC_RECORD_MARK_SIZE]++;
        code = channel_exchange_bytes(bench->floor, &message, &bench->clock, &ticks);

        if (code)
            check(bench,
                  error_set(&bench->error, ERROR_FAILED, code, "the floor: %s", strerror(-code)));
        sum += clock_sample_ns(&bench->clock, ticks);
    }
    return sum / BLOCK;
}

static double engine_block(struct bench *bench, struct engine *engine)
{
    struct engine_tally tally = {0};
    struct block block = {.count = BLOCK, .ticks = bench->ticks};
    double sum = 0;

    check(bench, engine_run(engine, &bench->made.call.engine, &block, &tally, &bench->error));
    for (size_t i = 0; i < block.recorded; i++)
        sum += clock_sample_ns(&bench->clock, bench->ticks[i]);
    return sum / (double)block.recorded;
}

/* Make one repeat: in each of ROUNDS rounds, one block of each way, in random order. Set BENCH's
 * `sums` to the mean round trips in ns. */
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
    cpu_keep_awake();
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
