#include "run/session.h"

#include <errno.h>
#include <string.h>

#include "common/cpu.h"

/* The processor's counter, unless the plan names another clock or the counter is unreliable. */
static int open_clock(struct clock *clock, const char *name, struct error *error)
{
    int code = clock_open(clock, name ? name : "tsc", error);

    if (code == -ENOTSUP && !name)
        code = clock_open(clock, "monotonic-raw", error);
    return code;
}

int session_set_block(struct session *session, uint32_t block, struct error *error)
{
    int code = 0;

    if (session->set.mix) {
        mix_run_close(&session->mix);
        code = mix_run_open(&session->mix, &session->set, &session->load, block, error);
        block = session->mix.length;
    }
    session->set.block = block;
    return code;
}

static int settle(struct session *session, struct error *error)
{
    uint32_t block;
    int code = series_set_settle(&session->set, &block, error);

    return code ? code : session_set_block(session, block, error);
}

/* Where each place is visited once, as many calls as places. */
static int settle_calls(struct session *session, struct error *error)
{
    uint64_t left = series_set_places_left(&session->set);

    session->calls = session->plan->calls;
    if (!session->plan->working_set.once)
        return 0;
    if (left == 0)
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "--cold: trying the op took the last place; give more --files, or a longer "
            "--file");
    if (session->calls == 0 || session->calls > left)
        session->calls = left;
    return 0;
}

int session_open(struct session *session, const struct run_plan *plan, struct error *error)
{
    int code;

    memset(session, 0, sizeof *session);
    session->plan = plan;
    session->started = time(NULL);
    session->awake = plan->let_sleep ? -1 : cpu_keep_awake();
    code = open_clock(&session->clock, plan->clock_name, error);
    if (code == 0)
        code = setup_open(&session->setup, plan, &session->clock, error);
    if (code == 0 && !plan->target.mounted)
        code = contexts_run_make(&session->contexts, &session->setup, error);
    /* Ops of several calls may take long: their trials and warm-up are part of the time, too. */
    if (run_plan_sequence(plan) && plan->calls == 0 && plan->load.ranks <= 1)
        session->measuring.ends_ns = clock_raw_ns() + plan->maximum_ns;
    if (code == 0)
        code = series_set_open(&session->set, &session->setup, &session->clock, error);
    if (code == 0)
        code = settle(session, error);
    if (code == 0)
        code = settle_calls(session, error);
    if (code == 0 && !plan->no_ledger)
        ledger_run_open(&session->ledger, &session->setup);
    session->setup.healthy = code == 0 || code == -EINTR;
    return code;
}

/* Series that lack rounds are left out. */
static void remove_failed(struct session *session)
{
    struct rounds *rounds = &session->measuring.rounds;
    char reason[SERIES_SKIP_REASON_SIZE];

    for (size_t i = session->set.count; i-- > 0;) {
        const struct run_series *series = session->set.series[i];

        if (!series_lacks_rounds(series, rounds, &rounds->series[i]))
            continue;
        series_describe_failure(series, &rounds->series[i], reason);
        session_leave_out(session, i, reason);
        rounds_remove(rounds, i);
    }
}

uint64_t session_warmup_until_ns(const struct session *session)
{
    uint64_t ends_ns = session->measuring.ends_ns;

    return ends_ns ? ends_ns - session->plan->maximum_ns / 2 : 0;
}

int session_measure(struct session *session, struct error *error)
{
    const struct run_plan *plan = session->plan;
    struct measuring *measuring = &session->measuring;
    uint32_t blocks[SERIES_MAXIMUM];
    bool follows[SERIES_MAXIMUM];
    struct rounds_plan rounds = {.series = session->set.count,
                                 .calls = session->calls,
                                 .block = session->set.block,
                                 .blocks = blocks,
                                 .follows = follows,
                                 .warmup = !plan->no_warmup,
                                 .warmup_until_ns = session_warmup_until_ns(session),
                                 .load = run_plan_makes_load(plan),
                                 .open_loop = plan->load.rate > 0,
                                 .seed = plan->seed};
    struct block_source source = session_block_source(session);
    uint64_t calls_per_round = session_block_sizes(session, blocks, follows);
    int code = rounds_open(&measuring->rounds, &rounds, error);

    if (code == 0)
        code = session_rounds_begin(session, error);
    if (code)
        return code;
    session_rounds_observe(session, &measuring->rounds, calls_per_round);
    announce_plan(session);
    code = rounds_run(&measuring->rounds, &rounds, &session->clock, &source, error);
    session_rounds_end(session, code);
    remove_failed(session);
    session_rounds_complete(session);
    if (code == 0 && !plan->no_ledger)
        ledger_run_count(&session->ledger, &session->set, &measuring->rounds);
    return code;
}

int session_unmount(struct session *session, struct error *error)
{
    ledger_run_close(&session->ledger);
    return setup_take_down(&session->setup, error);
}

void session_close(struct session *session)
{
    ledger_run_free(&session->ledger);
    series_set_close(&session->set);
    setup_close(&session->setup);
    load_run_close(&session->load);
    mix_run_close(&session->mix);
    rounds_close(&session->measuring.rounds);
    intervals_free(&session->measuring.intervals);
    machine_log_close(&session->measuring.machine_log);
    cpu_let_sleep(session->awake);
}
