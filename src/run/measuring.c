/* Measuring in a session: makes the blocks of its series, and decides when the rounds end. */
#include <errno.h>
#include <math.h>

#include "common/counted.h"
#include "measure/statistics/above_null.h"
#include "run/local_run.h"
#include "run/mount_calls.h"
#include "run/session.h"
#include "run/witness.h"

static int nothing_timed(const struct run_plan *plan, const struct run_series *series,
                         const struct block *block, struct error *error)
{
    if (block->unanswered == 0)
        return series_failed_block_error(plan, series, error);
    return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                     "no reply to the last %s (RPC_TIMEDOUT) within the timeout after the last "
                     "call was due; see --timeout",
                     counted(block->unanswered, "call").text);
}

/* Make BLOCK of SERIES. If BLOCK has at most FEW calls and no sample, and SERIES has retransmitted
 * calls, make BLOCK again, up to TRIES times in total. If BLOCK still has no sample, and the time
 * BLOCK->until_ns is over, mark BLOCK as cut. */
static int run_until_timed(struct session *session, struct run_series *series, struct block *block,
                           struct error *error)
{
    enum { TRIES = 3, FEW = 4 };
    struct series_set *set = &session->set;
    int code = series_set_run(set, series, block, &series->tally, error);

    for (int i = 1; i < TRIES && code == 0 && block->recorded == 0 && !block->is_cut &&
                    block->count <= FEW && series->tally.counts.retransmissions > 0;
         i++) {
        code = series_set_clear(set, series, block->count, error);
        if (code == 0)
            code = series_set_prepare(set, series, block->count, error);
        if (code == 0)
            code = series_set_run(set, series, block, &series->tally, error);
    }
    if (code == 0 && block->recorded == 0 && block->until_ns &&
        deadline_now_ns() >= block->until_ns)
        block->is_cut = true;
    return code;
}

static int run_own_block(struct session *session, struct run_series *series, struct block *block,
                         struct error *error)
{
    int code;

    if (series == session->set.mix) {
        code = mix_run_block(&session->mix, block, error);
        return code == 0 && block->unanswered > 0 && block->recorded == 0
                   ? nothing_timed(session->plan, series, block, error)
                   : code;
    }
    if (run_plan_makes_load(session->plan))
        code = load_run_block(&session->load, series, &series->call.engine, block, error);
    else
        code = run_until_timed(session, series, block, error);
    if (code)
        return code;
    return block->recorded > 0 || block->is_cut
               ? 0
               : nothing_timed(session->plan, series, block, error);
}

/* End a step of SERIES' block (its preparation, calls or clean-up) that returned CODE. If
 * series_can_be_given_up(), give up SERIES and warn. All ranks meet here and give up a series
 * together, because they must make the same rounds. An error that ends the rounds is exchanged
 * after the rounds. Returns 0, -ECANCELED if SERIES was given up in any rank, or the error that
 * ends the rounds. */
static int end_step(struct session *session, struct run_series *series, int code,
                    struct error *error)
{
    struct ranks *ranks = session->measuring.ranks;

    if (code && series_can_be_given_up(&session->set, series, code, error))
        code = -ECANCELED;
    if (code == 0 || code == -ECANCELED)
        code = ranks_meet(ranks, code, NULL, error);
    if (code == -ECANCELED && !series->failure)
        code = series_give_up(series, error);
    if (code == -ECANCELED && !(ranks && ranks->rank > 0))
        series_set_warn_of_failed(&session->set, series);
    return code;
}

/* Return the time when a block under way is cut, on clock_raw_ns(); 0: never. With think times, a
 * block of the measured rounds is cut when the rounds' time ends, because a block may take far
 * longer than the run. Any other block is cut at the session's TIME.CUT_NS or, if that is 0, at
 * the plan's deadline. */
static uint64_t cut_ns(const struct session *session)
{
    const struct time_use *time = &session->time;

    if (session->plan->load.think && session->measuring.began_ns)
        return time->rounds_end_ns;
    return time->cut_ns ? time->cut_ns : session->plan->deadline.at_ns;
}

/* Return -ETIME with ERROR set, which is reported only if no round is complete. */
static int time_over(const struct session *session, struct error *error)
{
    const double asked = (double)session->plan->maximum_ns / 1e9;
    /* this run's share of the time, s; 0: no time plan */
    const double share = session->time.plan.share_ns / 1e9;
    const double more = share > 0 ? TIME_PLAN_ROUNDS_LEAST * share : asked;

    return error_set(error, ERROR_USAGE, -ETIME,
                     "--max-time: %g s ended before a round was complete, because calls took "
                     "longer than in the trials; use --max-time %.0fs",
                     asked, ceil(asked + more));
}

static const struct block_watch *watch_of(const struct session *session, size_t index)
{
    const struct block_watch *watch = session->watch;

    while (watch && watch->series != index)
        watch = watch->next;
    return session->measuring.began_ns ? watch : NULL;
}

/* With one schedule for all blocks, begin the watch of series INDEX when its block is first asked
 * for. It can't begin with the preparation, because several blocks are prepared together. */
static void watch_once(struct session *session, size_t index)
{
    const struct block_watch *watch = watch_of(session, index);

    if (watch && session->load.continuous && !session->measuring.is_watching) {
        watch->begins(watch->context);
        session->measuring.is_watching = true;
    }
}

int session_run_block(void *context, size_t index, struct block *block, struct error *error)
{
    struct session *session = context;
    struct run_series *series = session->set.series[index];
    int code;

    watch_once(session, index);
    if (series_role(series)->in_mix)
        return mix_run_op_samples(&session->mix, series, block);
    block->until_ns = cut_ns(session);
    code = run_own_block(session, series, block, error);
    if (block->is_cut) {
        session->measuring.end = MEASURING_END_TIME;
        return code ? code : time_over(session, error);
    }
    if (code == -EAGAIN || series == session->set.mix)
        return code;
    if (series->failure) /* given up after the block was submitted */
        return series_can_be_given_up(&session->set, series, code, error) ? -ECANCELED : code;
    return code || session->load.continuous ? end_step(session, series, code, error)
                                            : 0; /* clear_session_block() ends the step */
}

static int prepare_session_block(void *context, size_t index, size_t count, struct error *error)
{
    struct session *session = context;
    struct run_series *series = session->set.series[index];
    const struct block_watch *watch = watch_of(session, index);
    int code;

    if (session->load.continuous)
        load_run_interrupt(&session->load);
    if (series == session->set.mix)
        return mix_run_prepare(&session->mix, count, error);
    if (series_role(series)->in_mix)
        return 0;
    if (series->failure) /* the series was given up after its trial */
        code = error_set(error, ERROR_FAILED, -ECANCELED, "%s", series->failure);
    else if (session->load.continuous && !nfs_call_needs_preparation(&series->call))
        code = 0; /* session_submit_block() draws places for each block */
    else
        code = series_set_prepare(&session->set, series, count, error);
    code = end_step(session, series, code, error);
    if (code == 0 && watch && !session->load.continuous)
        watch->begins(watch->context);
    return code;
}

static void session_block_done(void *context, size_t index, size_t count)
{
    struct session *session = context;
    const struct block_watch *watch = watch_of(session, index);

    if (watch && (!session->load.continuous || session->measuring.is_watching))
        watch->ended(watch->context, count);
    session->measuring.is_watching = false;
}

static int clear_session_block(void *context, size_t index, size_t count, struct error *error)
{
    struct session *session = context;
    struct run_series *series = session->set.series[index];

    if (series == session->set.mix)
        return mix_run_clear(&session->mix, error);
    if (series_role(series)->in_mix)
        return 0;
    return end_step(session, series, series_set_clear(&session->set, series, count, error), error);
}

static void show_progress(const struct session *session)
{
    const struct run_observer *observer = session->plan->observer;
    struct run_progress progress = session->measuring.progress;

    if (!observer || session->plan->quiet || progress.calls_per_round == 0)
        return;
    progress.began_ns = session->measuring.began_ns;
    progress.launch = session->plan->launch.number;
    progress.launches = session->plan->launch.of;
    observer->progress(observer->context, &progress);
}

void session_enter(const struct session *session, const char *phase)
{
    const struct run_plan *plan = session->plan;
    const struct run_progress progress = {
        .phase = phase, .launch = plan->launch.number, .launches = plan->launch.of};

    if (plan->observer && !plan->quiet)
        plan->observer->progress(plan->observer->context, &progress);
}

static pid_t session_server_pid(const struct session *session)
{
    return session->ledger.server_pid ? session->ledger.server_pid
                                      : setup_server_pid(&session->setup);
}

/* Is the warm-up over? Not until all ranks are STEADY. The next block reports a failed rank. */
static bool is_session_warm(void *context, bool steady)
{
    struct session *session = context;
    uint64_t least = steady;
    struct error ignored;

    ranks_meet(session->measuring.ranks, 0, &least, &ignored);
    return least;
}

static void begin_session_measuring(void *context)
{
    struct session *session = context;
    struct measuring *measuring = &session->measuring;
    struct error ignored;

    ranks_meet(measuring->ranks, 0, NULL, &ignored); /* the next block reports failed ranks */
    for (size_t i = 0; i < session->set.count; i++) {
        struct run_series *series = session->set.series[i];

        series->tally = (struct engine_tally){0};
        if (series->mounted)
            session->plan->engine->mount->begin(series);
    }
    if (run_plan_makes_load(session->plan))
        load_run_begin(&session->load);
    measuring->began_ns = clock_raw_ns();
    /* If there is no memory for reports, measure without them. */
    intervals_begin(&measuring->intervals, &session->set, session->plan->interval_ns);
    session->readings.scope.echo = witness_pid(session->set.witness);
    readings_begin(&session->readings, &session->setup, session_server_pid(session),
                   &session->clock);
}

static void note_session_round(void *context, size_t round)
{
    struct session *session = context;
    struct measuring *measuring = &session->measuring;

    if (measuring->began_ns) {
        readings_step(&session->readings, &session->clock);
        intervals_look(&measuring->intervals, &session->set, &measuring->rounds, false);
    }
    witness_follow(session->set.witness);
    measuring->progress.round = round;
    show_progress(session);
}

/* Does the run continue until SERIES' cost is precise? True for the mix and for ops outside of it
 * or, if the run has no ops, for the control. */
static bool is_awaited(const struct series_set *set, const struct run_series *series)
{
    bool only_null = set->control && set->count == set->control->index + 1;

    return only_null ? series == set->control : series_role(series)->awaited;
}

/* Is the confidence interval of the cost over ROUNDS rounds narrow enough for each series that
 * is_awaited() and was not given up? Without a baseline, the series' level replaces its cost. */
static bool all_precise(const struct session *session, size_t rounds)
{
    const struct series *measured = session->measuring.rounds.series;
    const struct run_plan *plan = session->plan;
    struct interval interval;
    struct error ignored;

    for (size_t i = 0; i < session->set.count; i++) {
        const struct run_series *series = session->set.series[i];
        int code;

        if (!is_awaited(&session->set, series) || series->failure)
            continue;
        if (!series->baseline)
            code = estimate_median_interval(measured[i].blocks[BLOCK_TRIMMED_MEAN], rounds,
                                            plan->seed, &interval, &ignored);
        else
            code = above_null_interval(&measured[i], &measured[series->baseline->index], rounds,
                                       plan->seed, &interval, &ignored);
        if (code || !precision_reached(&plan->precision, &interval))
            return false;
    }
    return true;
}

/* Exchange END, this rank's decision, so that all ranks end in the same round: when the time of any
 * rank is over, or when all ranks have reached their precision. Returns the common decision. */
static enum measuring_end agree_end(struct ranks *ranks, enum measuring_end end)
{
    static const enum measuring_end by_weight[] = {MEASURING_END_TIME, MEASURING_END_COUNT,
                                                   MEASURING_END_PRECISION};
    uint64_t least = 0;
    struct error ignored;

    while (by_weight[least] != end)
        least++;
    ranks_meet(ranks, 0, &least, &ignored);
    return by_weight[least];
}

bool session_is_time_over(const struct session *session)
{
    const struct deadline *whole = &session->plan->deadline;
    const uint64_t end_ns =
        session->time.rounds_end_ns ? session->time.rounds_end_ns : whole->at_ns;

    return end_ns && session->measuring.began_ns && deadline_now_ns() >= end_ns;
}

static bool has_session_enough(void *context, size_t rounds)
{
    struct session *session = context;
    struct measuring *measuring = &session->measuring;
    enum measuring_end end = MEASURING_END_COUNT;

    if (session->calls == 0 && precision_is_look(rounds) &&
        precision_ends(&measuring->narrow, all_precise(session, rounds)))
        end = MEASURING_END_PRECISION;
    else if (session_is_time_over(session))
        end = MEASURING_END_TIME;
    measuring->end = agree_end(measuring->ranks, end);
    return measuring->end != MEASURING_END_COUNT;
}

/* Calls of an op that were submitted before it was given up are still made, but ignored. */

int session_submit_block(struct session *session, size_t index, size_t count, struct error *error)
{
    struct run_series *series = session->set.series[index];
    int code;

    if (series == session->set.mix)
        return mix_run_submit(&session->mix, count, error);
    if (series_role(series)->in_mix)
        return 0;
    if (nfs_call_needs_preparation(&series->call)) {
        series->call.engine.first = series->used;
        series->used += count;
    } else {
        code = nfs_call_draw(&series->call, count, error);
        if (code)
            return code;
    }
    code = load_run_submit(&session->load, &series->call.engine, count, error);
    series->call.engine.first = 0;
    return code;
}

size_t session_rounds_ahead(const struct session *session)
{
    return load_run_rounds_ahead(&session->load, session->measuring.progress.calls_per_round);
}

const struct block_source session_blocks = {.run = session_run_block,
                                            .prepare = prepare_session_block,
                                            .clear = clear_session_block,
                                            .block_done = session_block_done,
                                            .warm = is_session_warm,
                                            .measuring_begins = begin_session_measuring,
                                            .round_done = note_session_round,
                                            .enough = has_session_enough};

static uint32_t block_of(const struct session *session, const struct run_series *series)
{
    const unsigned divisor = series_role(series)->divisor;
    const uint32_t block = divisor ? series->block / divisor : series->block;

    if (series_role(series)->in_mix)
        return mix_run_calls_in_block(&session->mix, series, session->set.block);
    return block ? block : 1;
}

uint64_t session_block_sizes(const struct session *session, uint32_t *blocks, bool *follows)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < session->set.count; i++) {
        blocks[i] = block_of(session, session->set.series[i]);
        follows[i] = series_role(session->set.series[i])->in_mix;
        calls += follows[i] ? 0 : blocks[i];
    }
    return calls;
}

void session_set_rounds(struct session *session, const struct rounds *rounds, size_t first)
{
    session->measuring.shares_rounds = rounds != &session->measuring.rounds;
    session->measuring.rounds = *rounds;
    session->measuring.rounds.series_count = session->set.count;
    session->measuring.rounds.series += first;
}

void session_rounds_observe(struct session *session, const struct rounds *rounds, uint64_t calls)
{
    session->measuring.progress =
        (struct run_progress){.planned = session->calls ? rounds->planned : 0,
                              .thinks = session->plan->load.think,
                              .calls_per_round = calls};
}

void session_rounds_end(struct session *session, int code)
{
    struct measuring *measuring = &session->measuring;

    intervals_look(&measuring->intervals, &session->set, &measuring->rounds, true);
    if (run_plan_makes_load(session->plan))
        load_run_end(&session->load);
    readings_end(&session->readings, &session->setup, session_server_pid(session), &session->clock);
    local_run_look(&session->setup);
    measuring->progress.ended = true;
    show_progress(session);
    measuring->progress.calls_per_round = 0;
    session->setup.healthy = code == 0 || code == -EINTR;
}

uint64_t session_calls(const struct session *session)
{
    const struct rounds *rounds = &session->measuring.rounds;
    uint64_t calls = 0;

    for (size_t i = 0; i < rounds->series_count; i++)
        if (session->set.series[i]->role != SERIES_MIX_OP) /* counted in the mix's calls */
            calls += rounds->series[i].calls;
    return calls;
}

int session_set_block(struct session *session, uint32_t block, struct error *error)
{
    int code = 0;

    if (session->set.mix) {
        mix_run_close(&session->mix);
        code = mix_run_open(&session->mix, &session->set, &session->load, block, error);
        block = session->mix.length;
    }
    series_set_block(&session->set, block);
    return code;
}
