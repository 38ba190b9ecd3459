/* Makes the blocks of a run on a mount, and checks the RPCs that the kernel sent for them. */
#include <errno.h>
#include <string.h>

#include "engine/mounted/mounted_run.h"

enum { BLOCK_TRIES = 5 };

static struct mountstats expected_of(const struct mounted_operation *operation, uint64_t calls)
{
    struct mountstats expected = {0};

    if (operation->procedure != OPERATION_NO_RPC)
        expected.counters[operation->procedure][MOUNTSTATS_CALLS] = calls;
    if (operation->second)
        expected.counters[operation->second][MOUNTSTATS_CALLS] = calls;
    return expected;
}

static bool is_as_expected(const struct mounted_operation *operation, const struct mountstats *sent,
                           uint64_t calls)
{
    struct mountstats expected = expected_of(operation, calls);

    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++)
        if (sent->counters[i][MOUNTSTATS_CALLS] != expected.counters[i][MOUNTSTATS_CALLS])
            return false;
    return true;
}

static int read_mountstats(const struct series_set *set, struct mountstats *stats,
                           struct error *error)
{
    const char *point = set->setup->mounted_at.point;
    int code = mountstats_read(point, stats);

    return code == 0 ? 0
                     : error_set(error, ERROR_UNREACHABLE, code,
                                 "/proc/self/mountstats has no statistics of NFSv3 for %.200s any "
                                 "more: %s; was it unmounted?",
                                 point, strerror(-code));
}

/* Make a block. Set *GOOD to false if the block sent unexpected RPCs and must be made again. A
 * block that was cut short or has failed calls is always good; for example, a call on a stale
 * handle may send no RPC. Only blocks that were not cut and sent the expected RPCs contribute to
 * the mean numbers of RPCs. */
static int run_block_once(struct series_set *set, struct run_series *series, struct block *block,
                          struct engine_tally *tally, bool *good, struct error *error)
{
    struct mounted_series *mounted = series->mounted;
    struct mountstats before, after, sent = {0};
    struct engine_tally added = {.failed = 0};
    int code = read_mountstats(set, &before, error);
    uint64_t calls;

    if (code == 0)
        code = series_run_watched(set, series, set->engines[SERVICE_NFS], &series->call.engine,
                                  block, &added, error);
    if (code == 0)
        code = read_mountstats(set, &after, error);
    if (code)
        return code;
    mountstats_add(&sent, &before, &after);
    calls = block->count + caller_others(set->setup->on_mount->caller);
    *good = is_as_expected(mounted->operation, &sent, calls);
    if (block->is_cut || (!*good && added.failed > 0)) {
        *good = true;
        engine_tally_add(tally, &added);
        return 0;
    }
    if (!*good) {
        mounted->discarded++;
        mountstats_describe(&sent, mounted->instead, sizeof mounted->instead);
        return 0;
    }
    mountstats_add(&mounted->sent, &before, &after);
    mounted->calls += calls;
    engine_tally_add(tally, &added);
    return 0;
}

static int prepare_again(struct series_set *set, struct run_series *series, size_t count,
                         struct error *error)
{
    int code = series_set_clear(set, series, count, error);

    return code ? code : series_set_prepare(set, series, count, error);
}

static int refuse_block(const struct series_set *set, const struct run_series *series, size_t count,
                        struct error *error)
{
    const struct mounted_operation *operation = series->mounted->operation;
    struct mountstats stats = expected_of(operation, count);
    const char *change = mounted_setup_change(set->setup);
    char expected[80];

    mountstats_describe(&stats, expected, sizeof expected);
    return error_set(error, ERROR_FAILED, -EPROTO,
                     "%s: %zu calls of %s on %.100s should send %s, but sent %s; %s%s",
                     series->name, count, operation->system_call, set->setup->mounted_at.point,
                     expected, series->mounted->instead,
                     change             ? change
                     : operation->needs ? "the op needs a mount with -o "
                                        : "do other programs use the mount?",
                     operation->needs && !change ? operation->needs : "");
}

int mounted_run_block(struct series_set *set, struct run_series *series, struct block *block,
                      struct engine_tally *tally, struct error *error)
{
    bool good = false;
    int code = 0;

    for (int i = 0; i < BLOCK_TRIES && code == 0 && !good; i++) {
        if (i > 0)
            code = prepare_again(set, series, block->count, error);
        if (code == 0)
            code = run_block_once(set, series, block, tally, &good, error);
    }
    return code || good ? code : refuse_block(set, series, block->count, error);
}

int mounted_prepare(struct series_set *set, const struct run_series *series, size_t count,
                    struct error *error)
{
    return caller_prepare(set->setup->on_mount->caller, series->mounted->operation, count, error);
}

int mounted_clear(struct series_set *set, const struct run_series *series, size_t count,
                  struct error *error)
{
    return caller_clear(set->setup->on_mount->caller, series->mounted->operation, count, error);
}

void mounted_begin(struct run_series *series)
{
    *series->mounted = (struct mounted_series){.operation = series->mounted->operation};
}

/* Counts */

static double per_call(const struct mounted_series *series, enum mountstats_counter counter)
{
    uint64_t sum = mountstats_sum(&series->sent, counter);

    return series->calls ? (double)sum / (double)series->calls : 0;
}

/* Return the mean bytes sent and received for a system call, as mountstats counts them. */
static struct cost_lengths lengths_of(const struct mounted_series *series)
{
    double calls = series->calls ? (double)series->calls : 1;

    return (struct cost_lengths){
        .call = (double)mountstats_sum(&series->sent, MOUNTSTATS_BYTES_SENT) / calls,
        .reply = (double)mountstats_sum(&series->sent, MOUNTSTATS_BYTES_RECEIVED) / calls};
}

void mounted_count(const struct series_set *set, const struct run_series *series,
                   struct mount_counts *counts)
{
    const struct mounted_series *mounted = series->mounted;
    const struct mountstats *sent = &mounted->sent;

    *counts = (struct mount_counts){
        .means = {.system_call = mounted->operation->system_call,
                  .rpcs = per_call(mounted, MOUNTSTATS_CALLS),
                  .queue_ns = 1e6 * per_call(mounted, MOUNTSTATS_QUEUE_MS),
                  .rtt_ns = 1e6 * per_call(mounted, MOUNTSTATS_RTT_MS),
                  .execute_ns = 1e6 * per_call(mounted, MOUNTSTATS_EXECUTE_MS),
                  .timeouts = mountstats_sum(sent, MOUNTSTATS_TIMEOUTS),
                  .connections = sent->connections,
                  .slots = sent->slots,
                  .backlog = sent->sends ? (double)sent->backlog / (double)sent->sends : 0,
                  .blocks_again = mounted->discarded,
                  .instead = mounted->discarded ? mounted->instead : NULL},
        .retransmissions =
            mountstats_sum(sent, MOUNTSTATS_TRANSMISSIONS) - mountstats_sum(sent, MOUNTSTATS_CALLS),
        .lengths = lengths_of(mounted),
        .in_scratch = mounted->operation->object != OPERATION_TARGET &&
                      !set->setup->on_mount->file_system.is_file,
    };
}
