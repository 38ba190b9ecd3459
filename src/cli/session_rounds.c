/* The measuring part of a session: its series' blocks in the rounds, and what ends them. */
#include <errno.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/ledger_run.h"
#include "cli/mix_run.h"
#include "cli/series.h"
#include "cli/session_rounds.h"
#include "common/cpu.h"
#include "measure/above_null.h"
#include "nfs/status.h"

int session_explain_failed_block(const struct session_series *series, struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];
    const struct engine_tally *tally = &series->tally;

    if (tally->error_kinds == 0)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "every call of a block of %s had to be sent again; nothing to time",
                         series->name);
    return error_set(error, ERROR_FAILED, -ENODATA,
                     "every call of a block of %s failed; the server answers %s", series->name,
                     nfs_status_name(tally->errors[tally->error_kinds - 1].status, name));
}

static int run_own_block(struct session *session, size_t index, size_t count, uint64_t *ticks,
                         size_t *recorded, struct error *error)
{
    struct session_series *series = &session->series[index];
    int code;

    series->call.engine.first = calls_next_variant(series, count);
    if (settings_make_load(session->settings))
        code = load_run_block(session, index, &series->call.engine, count, ticks, recorded, error);
    else
        code = engine_run(session->engines[series->service], &series->call.engine, count, ticks,
                          recorded, &series->tally, error);
    if (code)
        return code;
    return *recorded > 0 ? 0 : session_explain_failed_block(series, error);
}

static int run_block(void *context, size_t index, size_t count, uint64_t *ticks, size_t *recorded,
                     struct error *error)
{
    struct session *session = context;

    if (session->series[index].role == SERIES_MIX)
        return mix_run_block(session, count, ticks, recorded, error);
    if (!series_is_in_mix(session, index))
        return run_own_block(session, index, count, ticks, recorded, error);
    mix_run_take(&session->mix, index, ticks, recorded);
    return *recorded > 0 ? 0 : session_explain_failed_block(&session->series[index], error);
}

static int prepare_block(void *context, size_t index, size_t count, struct error *error)
{
    struct session *session = context;
    int code;

    if (session->series[index].role == SERIES_MIX)
        return mix_run_prepare(session, count, error);
    if (series_is_in_mix(session, index))
        return 0;
    code =
        nfs_call_prepare(&session->series[index].call, count, session->clients[SERVICE_NFS], error);
    return ranks_meet(session->ranks, code, NULL, error); /* all begin the block together */
}

static int clear_block(void *context, size_t index, size_t count, struct error *error)
{
    struct session *session = context;

    if (session->series[index].role == SERIES_MIX)
        return mix_run_clear(session, count, error);
    if (series_is_in_mix(session, index))
        return 0;
    return nfs_call_clear(&session->series[index].call, count, session->clients[SERVICE_NFS],
                          error);
}

static void read_counters(struct counters *counters)
{
    counters_clear(counters);
    counters_read_machine(counters);
    counters_read_process(counters, 0);
}

/* Ranks warm up until all are steady. Where one has failed, the next block tells. */
static bool is_warm(void *context, bool steady)
{
    struct session *session = context;
    uint64_t least = steady;
    struct error ignored;

    ranks_meet(session->ranks, 0, &least, &ignored);
    return least;
}

/* The warm-up is over: what it met does not count. */
static void measuring_begins(void *context)
{
    struct session *session = context;
    struct error ignored;

    ranks_meet(session->ranks, 0, NULL, &ignored); /* as above */
    for (size_t i = 0; i < session->series_count; i++)
        session->series[i].tally = (struct engine_tally){0};
    if (settings_make_load(session->settings))
        load_run_begin(session);
    progress_begin(&session->progress);
    session->began_ns = clock_raw_ns();
    session->frequency_before = cpu_frequency(cpu_current());
    machine_log_update(&session->machine_log, true);
    read_counters(&session->before);
    clock_check_edge(&session->clock_check, &session->clock, true);
}

static void round_done(void *context, size_t round)
{
    struct session *session = context;

    if (session->began_ns) {
        clock_check_step(&session->clock_check, &session->clock);
        machine_log_update(&session->machine_log, false);
    }
    progress_update(&session->progress, round);
}

/* Does the run go on for this series' sake? For that of each op; of the control, where null alone
 * was asked for. */
static bool is_awaited(const struct session *session, size_t index)
{
    bool only_null = !session->settings->no_baseline && session->series_count == 2;

    enum series_role role = session->settings->mix_name ? SERIES_MIX : SERIES_OP;

    return session->series[index].role == (only_null ? SERIES_CONTROL : role);
}

/* Is the interval of each op's cost narrow enough; or, without a baseline, that of its level? */
static bool all_precise(const struct session *session, size_t rounds)
{
    const struct series *series = session->rounds.series;
    struct interval interval;
    struct error ignored;

    for (size_t i = 0; i < session->series_count; i++) {
        int code;

        if (!is_awaited(session, i))
            continue;
        if (session->settings->no_baseline)
            code = estimate_median_interval(series[i].blocks[BLOCK_TRIMMED_MEAN], rounds,
                                            session->settings->seed, &interval, &ignored);
        else
            code = above_null_interval(&series[i], &series[session->series[i].baseline], rounds,
                                       session->settings->seed, &interval, &ignored);
        if (code || !precision_reached(&session->settings->precision, &interval))
            return false;
    }
    return true;
}

/* All ranks end in the same round: when the time of any is over, or all are precise. */
static enum session_end agree_end(const struct session *session, enum session_end end)
{
    static const enum session_end by_weight[] = {SESSION_END_TIME, SESSION_END_COUNT,
                                                 SESSION_END_PRECISION};
    uint64_t least = 0;
    struct error ignored;

    while (by_weight[least] != end)
        least++;
    ranks_meet(session->ranks, 0, &least, &ignored);
    return by_weight[least];
}

/* Of a run without a number of calls. */
static bool enough(void *context, size_t rounds)
{
    struct session *session = context;
    enum session_end end = SESSION_END_COUNT;

    if (precision_is_look(rounds) && precision_ends(&session->narrow, all_precise(session, rounds)))
        end = SESSION_END_PRECISION;
    else if (clock_raw_ns() - session->began_ns >= session->settings->maximum_ns)
        end = SESSION_END_TIME;
    session->end = agree_end(session, end);
    return session->end != SESSION_END_COUNT;
}

struct block_source session_blocks(struct session *session)
{
    return (struct block_source){.run = run_block,
                                 .prepare = prepare_block,
                                 .clear = clear_block,
                                 .warm = is_warm,
                                 .measuring_begins = measuring_begins,
                                 .round_done = round_done,
                                 .enough = session->settings->calls ? NULL : enough,
                                 .context = session};
}

uint64_t session_shape(const struct session *session, uint32_t *blocks, bool *follows)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < session->series_count; i++) {
        blocks[i] = series_block(session, i);
        follows[i] = series_is_in_mix(session, i);
        calls += follows[i] ? 0 : blocks[i];
    }
    return calls;
}

int session_rounds_begin(struct session *session, struct error *error)
{
    return settings_make_load(session->settings) ? load_run_open(session, error) : 0;
}

void session_rounds_end(struct session *session, int code)
{
    if (session->settings->mix_name)
        mix_run_weigh(session);
    if (session->load.series)
        load_run_end(session);
    read_counters(&session->after);
    clock_check_edge(&session->clock_check, &session->clock, false);
    machine_log_update(&session->machine_log, true);
    session->frequency_after = cpu_frequency(cpu_current());
    progress_end(&session->progress);
    session->healthy = code == 0 || code == -EINTR;
}

int session_measure(struct session *session, struct error *error)
{
    const struct settings *settings = session->settings;
    uint32_t blocks[SESSION_SERIES_MAXIMUM];
    bool follows[SESSION_SERIES_MAXIMUM];
    struct rounds_plan plan = {.series = session->series_count,
                               .calls = settings->calls,
                               .block = session->block,
                               .blocks = blocks,
                               .follows = follows,
                               .warmup = !settings->no_warmup,
                               .seed = settings->seed};
    struct block_source source = session_blocks(session);
    uint64_t calls_per_round = session_shape(session, blocks, follows);
    int code = rounds_open(&session->rounds, &plan, error);

    if (code == 0)
        code = session_rounds_begin(session, error);
    if (code)
        return code;
    progress_start(&session->progress, settings->quiet,
                   settings->calls ? session->rounds.planned : 0, settings->maximum_ns,
                   calls_per_round);
    code = rounds_run(&session->rounds, &plan, &session->clock, &source, error);
    session_rounds_end(session, code);
    if (code == 0 && !settings->no_ledger)
        ledger_run_count(session);
    return code;
}
