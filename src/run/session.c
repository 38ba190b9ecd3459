#include "run/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cpu.h"
#include "measure/warmup.h"
#include "output/number.h"

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

/* The announcement */

enum { LINE_SIZE = 400 };

/* What is asked for, and what is measured to compare it with. */
struct counted_calls {
    size_t ops; /* that were named; 0: null alone, or a mix */
    bool of_model;
    uint64_t each, beside;
};

static unsigned launches_of(const struct run_plan *plan)
{
    return plan->launch.of ? plan->launch.of : 1;
}

static struct counted_calls count_calls(const struct session *session)
{
    const struct series_set *set = &session->set;
    struct counted_calls calls = {.each = session->calls * launches_of(session->plan)};
    uint64_t in_round = session->measuring.progress.calls_per_round;

    for (size_t i = 0; i < set->count; i++) {
        calls.ops += set->series[i]->role == SERIES_OP;
        calls.of_model = calls.of_model || series_role(set->series[i])->of_model;
    }
    calls.beside = calls.each * in_round / set->block - calls.each * (calls.ops ? calls.ops : 1);
    return calls;
}

static const char *first_op(const struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->series[i]->role == SERIES_OP)
            return set->series[i]->name;
    return "null";
}

/* "getattr: 1,000,000 calls, and 3,000,000 of null, its control and the cost model" */
static void describe(const struct session *session, char line[LINE_SIZE])
{
    const struct counted_calls calls = count_calls(session);
    const struct series_set *set = &session->set;
    char each[NUMBER_SIZE], beside[NUMBER_SIZE];
    bool null_alone = calls.ops == 0 && !set->mix;
    size_t used;

    if (set->mix)
        used = (size_t)snprintf(line, LINE_SIZE, "mix:%.200s", set->plan->mix_name);
    else if (calls.ops > 1)
        used = (size_t)snprintf(line, LINE_SIZE, "%zu ops", calls.ops);
    else
        used = (size_t)snprintf(line, LINE_SIZE, "%s", first_op(set));
    used +=
        (size_t)snprintf(line + used, LINE_SIZE - used, ": %s calls%s",
                         number_grouped((double)calls.each, each), calls.ops > 1 ? " each" : "");
    if (calls.beside > 0)
        snprintf(line + used, LINE_SIZE - used, ", and %s of %s%s",
                 number_grouped((double)calls.beside, beside),
                 null_alone       ? "its control"
                 : calls.of_model ? "null, its control"
                                  : "null and its control",
                 calls.of_model ? " and the cost model" : "");
}

static double expected_ns(const struct session *session)
{
    const struct run_plan *plan = session->plan;
    size_t planned = session->measuring.rounds.planned;
    double warmup = plan->no_warmup ? 0 : warmup_least(planned);

    return session->set.round_of_one_ns * session->set.block * launches_of(plan) *
           ((double)planned + warmup);
}

/* Tell the plan's observer the calls that SESSION is going to make, those to compare with among
 * them, and how long all launches take, as far as that is known: a number of calls was asked for,
 * and no rate. Later launches say nothing. */
static void announce_plan(const struct session *session)
{
    const struct run_plan *plan = session->plan;
    char line[LINE_SIZE];

    if (!plan->observer || plan->quiet || plan->launch.number > 0 || plan->calls == 0 ||
        plan->load.rate > 0)
        return;
    describe(session, line);
    plan->observer->planned(plan->observer->context, line, expected_ns(session));
}

/* Measuring */

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
    struct block_source source;
    uint64_t calls_per_round = session_block_sizes(session, blocks, follows);
    int code = rounds_open(&measuring->rounds, &rounds, error);

    if (code == 0)
        code = session_block_source(session, &source, error);
    if (code)
        return code;
    session_rounds_observe(session, &measuring->rounds, calls_per_round);
    announce_plan(session);
    code = rounds_run(&measuring->rounds, &rounds, &session->clock, &source, error);
    session_rounds_end(session, code);
    remove_failed(session);
    session_rounds_complete(session, code);
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
    readings_free(&session->readings);
    cpu_let_sleep(session->awake);
}
