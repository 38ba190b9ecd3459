/* The bare loop of bench/batch as a separate client, for bench/peers: it only sends, receives and
 * counts replies (with several connections, it also waits by epoll).
 *
 * usage: bare_loop URL OP DEPTH CONNECTIONS MILLISECONDS [SIZE]
 *   OP    one that changes no file; READs have SIZE bytes (default 4096)
 *   DEPTH calls in flight on each connection
 * Prints one line: mean time of a call in microseconds, calls per second, the client's CPU time per
 * call in microseconds, and the number of calls. The CPU time of connecting is not counted. */
#include <stdio.h>
#include <string.h>

#include "batch_loop.h"
#include "bench.h"
#include "common/system_clock.h"
#include "made_call.h"

int main(int argc, char **argv)
{
    static struct made_call made;
    static struct batch_calls calls;
    struct made_call_request request = {.target = argc > 1 ? argv[1] : "",
                                        .op = argc > 2 ? argv[2] : "",
                                        .read_size = bench_count(argc, argv, 6, 4096)};
    size_t depth = bench_count(argc, argv, 3, 0), connections = bench_count(argc, argv, 4, 0);
    uint64_t lasts_ns = UINT64_C(1000000) * bench_count(argc, argv, 5, 0), count, cpu_ns, began;
    double elapsed_ns, made_calls;
    struct batch_loop loop;
    struct error error;

    if (depth < 1 || depth > BATCH_MAXIMUM || connections < 1 || lasts_ns == 0) {
        fprintf(stderr, "usage: %s URL OP DEPTH CONNECTIONS MILLISECONDS [SIZE]\n", argv[0]);
        return 2;
    }
    cpu_keep_awake();
    if (made_call_open(&made, &request, &error) != 0)
        bench_fail(&error);
    batch_calls_open(&calls, &made.call.engine.messages[0],
                     made.mount.nfs.transport == TRANSPORT_TCP, depth, made.reply_length);
    batch_loop_open(&loop, &calls, &made.mount.nfs, connections);
    began = monotonic_ns();
    cpu_ns = system_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    count = batch_loop_run(&loop, lasts_ns);
    elapsed_ns = (double)(monotonic_ns() - began);
    made_calls = (double)count;
    printf("%.3f %.0f %.4f %.0f\n", elapsed_ns / made_calls * (double)(depth * connections) / 1e3,
           made_calls / elapsed_ns * 1e9,
           (double)(system_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns) / made_calls / 1e3,
           made_calls);
    made_call_close(&made);
    return 0;
}
