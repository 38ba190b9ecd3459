#include "batch_whole.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/system_clock.h"

enum { WORD_SIZE = 80 };

static bool is_null(const struct batch_whole *whole)
{
    return strcmp(whole->op, "null") == 0;
}

static _Noreturn void execute(const struct batch_whole *whole, uint64_t calls)
{
    char target[WORD_SIZE], count[WORD_SIZE], clients[WORD_SIZE], depth[WORD_SIZE], size[WORD_SIZE];

    snprintf(target, sizeof target, "nfs://127.0.0.1:%u/export?mountport=%u", whole->port,
             whole->port);
    snprintf(count, sizeof count, "%" PRIu64, calls);
    snprintf(clients, sizeof clients, "%zu", whole->connections);
    snprintf(depth, sizeof depth, "%zu", whole->depth);
    snprintf(size, sizeof size, "%" PRIu32, whole->read_size ? whole->read_size : 1);
    if (!freopen("/dev/null", "w", stdout))
        _exit(1);
    execl(NFSBENCH_PROGRAM, "nfsbench", target, whole->op, count, "--proto", whole->proto,
          "--clients", clients, "--depth", depth, "--size", size, "--threads", "1", "--launches",
          "1", "--no-ledger", "--no-model", "--no-warmup", "--allow-suspect", "-q",
          is_null(whole) ? NULL : "--no-baseline", NULL);
    perror(NFSBENCH_PROGRAM);
    _exit(1);
}

static double time_ns(const struct timeval *time)
{
    return 1e9 * (double)time->tv_sec + 1e3 * (double)time->tv_usec;
}

static struct batch_whole_cost run_program(const struct batch_whole *whole, uint64_t calls)
{
    uint64_t began = monotonic_ns();
    pid_t pid = fork();
    struct rusage usage;
    int status = -1;

    if (pid == 0)
        execute(whole, calls);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) {
        fprintf(stderr, "the whole program: it ended with status %d\n", status);
        exit(1);
    }
    return (struct batch_whole_cost){(double)(monotonic_ns() - began),
                                     time_ns(&usage.ru_utime) + time_ns(&usage.ru_stime)};
}

struct batch_whole_cost batch_whole_run(const struct batch_whole *whole)
{
    struct batch_whole_cost less = run_program(whole, whole->calls),
                            more = run_program(whole, 2 * whole->calls);
    /* If the op is NULL, a run measures it twice: as the op and as the control. */
    double calls = (double)whole->calls * (is_null(whole) ? 2 : 1);

    return (struct batch_whole_cost){(more.elapsed_ns - less.elapsed_ns) / calls,
                                     (more.cpu_ns - less.cpu_ns) / calls};
}
