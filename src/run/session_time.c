/* How sessions that are measured together use the time until their plan's deadline: makes a time
 * plan from the duration of the calls, and changes series, blocks and ledgers accordingly. Without
 * a deadline, estimates the run's time, and may limit the warm-up and close ledgers. */
#include "run/session.h"

#include <math.h>

enum {
    CALLS_TO_END = 4,   /* number of calls for unmounting and other final work */
    FILLINGS_LEAST = 3, /* least number of calls in a block per call in flight */
};

/* A run without a deadline that takes at least this time, ns, announces it and limits its warm-up.
 * At a rate, every run without a deadline limits its warm-up. */
#define LONG_NS 1e10

static bool has_end(const struct run_plan *plan)
{
    return plan->deadline.at_ns > 0;
}

/* Return the least number of calls in a block at a rate. With several series it is larger, because
 * a block's first calls leave no sample while calls of the op before are in flight. */
static uint32_t least_at_rate(const struct series_set *set)
{
    return set->count > 1 ? (uint32_t)(2 * set->plan->load.rate * set->slowest_ns / 1e9) + 1 : 1;
}

static uint32_t least_block(const struct series_set *set)
{
    const struct run_plan *plan = set->plan;

    if (plan->block || set->mix)
        return set->block;
    if (plan->load.rate > 0)
        return least_at_rate(set);
    return run_plan_makes_load(plan) ? (uint32_t)(FILLINGS_LEAST * load_in_flight(&plan->load)) : 1;
}

/* With ranks, the control is never left out, because all ranks must have the same series. */
static bool can_leave_out_control(const struct session *session)
{
    return session->set.control && !session->measuring.ranks;
}

static void add_op(struct time_needs *needs, const struct series_set *set,
                   const struct run_series *series, double one_ns)
{
    needs->ops_ns += one_ns;
    needs->round_least_ns += series->share_ns * fmin(series->block, least_block(set));
}

static void add_needs(struct time_needs *needs, const struct session *session)
{
    const struct series_set *set = &session->set;
    double null_ns = 0;

    for (size_t i = 0; i < set->count; i++) {
        const struct run_series *series = set->series[i];
        /* duration of SERIES->BLOCK calls (the role's DIVISOR is not applied), divided by the
         * number of calls in the longest block */
        const double one_ns = series->share_ns * series->block / needs->block;

        if (series_role(series)->divisor)
            needs->model_ns += one_ns * TIME_PLAN_MODEL_DIVISOR / series_role(series)->divisor;
        else if (series == set->control && can_leave_out_control(session))
            needs->control_ns += one_ns;
        else
            add_op(needs, set, series, one_ns);
        null_ns = series == set->baseline ? series->share_ns : null_ns;
    }
    needs->end_ns += CALLS_TO_END * null_ns;
    /* Removing the scratch directory takes about as long as filling it. */
    needs->end_ns += fmin((double)session->setup.scratch_filling_ns, needs->left_ns / 2);
    if (session->ledger.opened)
        needs->ledger_ns += ledger_run_time_of(set).least_ns;
    needs->setup_ns += (double)(deadline_now_ns() - session->began_ns);
}

/* Return the number of calls in the longest block of the COUNT SESSIONS. The time plan chooses a
 * length for this block; shorten_blocks() shortens all blocks in the same ratio. */
static uint32_t longest_block(const struct session *sessions, size_t count)
{
    uint32_t block = 0;

    for (size_t i = 0; i < count; i++)
        block = sessions[i].set.block > block ? sessions[i].set.block : block;
    return block;
}

static struct time_needs find_needs(const struct session *sessions, size_t count)
{
    const struct run_plan *plan = sessions->plan;
    const struct run_share *share = &plan->share;
    const uint32_t block = longest_block(sessions, count);
    struct time_needs needs = {.left_ns = (double)deadline_left_ns(&plan->deadline),
                               .block = block,
                               .block_least = plan->block || sessions->set.mix ? block : 1,
                               .launches = share->launches ? share->launches : 1,
                               .parts = share->parts ? share->parts : 1,
                               .launches_fixed = share->fixed,
                               .warms_up = !plan->no_warmup};

    for (size_t i = 0; i < count; i++)
        add_needs(&needs, &sessions[i]);
    time_use_reserve(plan, &needs);
    needs.end_ns += fmax(0, needs.left_ns) / needs.launches / needs.parts / TIME_SHARE_END;
    return needs;
}

static void leave_out_series(struct series_set *set, const struct time_plan *plan)
{
    for (size_t i = set->count; i-- > 0;) {
        const struct run_series *series = set->series[i];
        const bool is_control = series == set->control;

        if ((series_role(series)->divisor && !plan->model) || (is_control && !plan->control))
            series_set_remove(set, i);
        if (is_control && !plan->control)
            set->control = NULL;
    }
}

static uint32_t shortened(uint32_t block, double share, uint32_t least)
{
    return (uint32_t)fmin(block, fmax(least, block * share));
}

/* Shorten the blocks of SESSION in the ratio in which USE's plan shortens the longest block, but
 * not below least_block(). A mix is opened again even if no block is shortened, because series
 * before the mix may have been removed. Returns 0 or -ENOMEM. */
static int shorten_blocks(struct session *session, const struct time_use *use, struct error *error)
{
    const double share = (double)use->plan.block / use->needs.block;
    struct series_set *set = &session->set;
    const uint32_t least = least_block(set);

    if (use->plan.block == use->needs.block && !set->mix)
        return 0;
    if (!set->equal_in_time)
        return session_set_block(session, shortened(set->block, share, least), error);
    for (size_t i = 0; i < set->count; i++)
        set->series[i]->block = shortened(set->series[i]->block, share, least);
    set->block = shortened(set->block, share, least);
    return 0;
}

static int apply_time_plan(struct session *session, const struct time_use *use, struct error *error)
{
    if (!session->measuring.ranks)
        leave_out_series(&session->set, &use->plan);
    if (!use->plan.ledger)
        ledger_run_close(&session->ledger);
    session->time = *use;
    return shorten_blocks(session, use, error);
}

/* Set the ends of the warm-up and the rounds in USE, so that no round begins if less than half of
 * its duration is left, and the time when a block is cut. */
static void set_ends(struct time_use *use)
{
    const uint64_t now = deadline_now_ns();
    const double share_ns = use->plan.share_ns, half_ns = use->plan.round_ns / 2;
    const double rounds_ns = share_ns - use->needs.end_ns - use->ledger_ns;

    use->warmup_end_ns = now + (uint64_t)fmax(1, use->plan.warmup_ns - half_ns);
    use->rounds_end_ns = now + (uint64_t)fmax(1, rounds_ns - half_ns);
    use->cut_ns = now + (uint64_t)fmax(1, share_ns);
}

/* Return the time for the ledgers of the COUNT SESSIONS, ns: the usual time, at most
 * 1/TIME_SHARE_LEDGER of this run's time, but at least the time for the least number of calls. */
static double ledger_ns(const struct session *sessions, size_t count, const struct time_use *use)
{
    double usual_ns = 0;

    for (size_t i = 0; i < count; i++)
        if (sessions[i].ledger.opened)
            usual_ns += ledger_run_time_of(&sessions[i].set).usual_ns;
    return fmax(use->needs.ledger_ns, fmin(usual_ns, use->plan.share_ns / TIME_SHARE_LEDGER));
}

/* Do think times or a number of calls (--cold) determine SESSION's rounds, not the time plan? */
static bool has_own_course(const struct session *session)
{
    return session->plan->load.think || session->calls > 0;
}

/* Limit the total duration of warm-up, rounds and ledger to PLAN's PART_NS (0: no limit) or, if
 * TIME_PLAN_ROUNDS_LEAST rounds take longer, to the duration of these rounds. The warm-up gets at
 * most half of this limit. */
static void limit_to_part(const struct run_plan *plan, struct time_use *use)
{
    const double least_ns = TIME_PLAN_ROUNDS_LEAST * use->plan.round_ns;
    const double rounds_ns = fmax((double)plan->part_ns, least_ns);

    if (plan->part_ns == 0)
        return;
    use->plan.share_ns = fmin(use->plan.share_ns, rounds_ns + use->needs.end_ns);
    use->plan.warmup_ns = fmin(use->plan.warmup_ns, rounds_ns / 2);
    use->plan.whole_warmup = false;
}

static int plan_all(struct session *sessions, size_t count, struct time_use *use,
                    struct error *error)
{
    int code = 0;

    use->needs = find_needs(sessions, count);
    use->plan = time_use_make(sessions->plan, &use->needs);
    if (has_own_course(sessions))
        use->plan = (struct time_plan){.launches = use->plan.launches,
                                       .block = use->needs.block,
                                       .model = true,
                                       .control = true,
                                       .ledger = true,
                                       .warmup_ns = use->plan.warmup_ns,
                                       .share_ns = use->plan.share_ns};
    else if (use->plan.least_ns > 0)
        return time_use_refuse(sessions->plan, use->plan.least_ns - use->needs.left_ns,
                               use->plan.block, error);
    limit_to_part(sessions->plan, use);
    use->ledger_ns = use->plan.ledger ? ledger_ns(sessions, count, use) : 0;
    set_ends(use);
    use->ledger_ns /= (double)count;
    for (size_t i = 0; i < count && code == 0; i++)
        code = apply_time_plan(&sessions[i], use, error);
    return code;
}

/* Return the duration of SESSION's rounds, ns; 0 without a number of calls. */
static double time_of_calls(const struct session *session)
{
    double ns = 0;

    for (size_t i = 0; i < session->set.count; i++) {
        const struct run_series *series = session->set.series[i];

        ns += (double)session->calls * series->share_ns /
              (series_role(series)->divisor ? series_role(series)->divisor : 1);
    }
    return ns;
}

static double time_of_round(const struct series_set *set)
{
    double ns = 0;

    for (size_t i = 0; i < set->count; i++)
        ns += set->series[i]->share_ns * set->series[i]->block;
    return ns;
}

/* Return the maximum duration of SESSION's warm-up, ns, if the rounds take ROUNDS_NS. At a rate,
 * two more rounds are already submitted when the warm-up ends, so their duration is subtracted. */
static double time_of_warmup(const struct session *session, double rounds_ns)
{
    enum { WARMUP_SHARE = 10, BEGUN = 2 };
    const double begun = session->plan->load.rate > 0 ? BEGUN : 0;

    return fmax(0, rounds_ns / WARMUP_SHARE - begun * time_of_round(&session->set));
}

/* Limit the warm-up to a tenth of ROUNDS_NS, the duration of the rounds, and close each ledger that
 * needs over 1/TIME_SHARE_LEDGER of ROUNDS_NS. Used without a deadline, for long runs or a rate. */
static void bound_the_rest(struct session *sessions, size_t count, double rounds_ns,
                           struct time_use *use)
{
    use->warmup_end_ns = deadline_now_ns() + 1 + (uint64_t)time_of_warmup(sessions, rounds_ns);
    for (size_t i = 0; i < count; i++)
        if (ledger_run_time_of(&sessions[i].set).least_ns > rounds_ns / TIME_SHARE_LEDGER)
            ledger_run_close(&sessions[i].ledger);
}

/* Return the duration of SESSION's calls and its ledger, ns. At a rate, the calls take the duration
 * of the drawn schedule, including the warm-up. */
static double time_to_announce(const struct session *session)
{
    const struct run_plan *plan = session->plan;
    const double calls_ns = time_of_calls(session);
    const double ledger_ns =
        session->ledger.opened ? ledger_run_time_of(&session->set).usual_ns : 0;
    const bool warms_up = !plan->no_warmup && time_of_warmup(session, calls_ns) > 0;

    if (plan->load.rate <= 0)
        return calls_ns + ledger_ns;
    return load_schedule_ns(&plan->load, (warms_up ? 1.1 : 1) * calls_ns * plan->load.rate / 1e9) +
           ledger_ns;
}

static void plan_calls(struct session *sessions, size_t count, struct time_use *use)
{
    const struct run_plan *plan = sessions->plan;
    const unsigned launches = plan->launch.of ? plan->launch.of : 1;
    double ns = 0;

    for (size_t i = 0; i < count; i++)
        ns += time_of_calls(&sessions[i]);
    if (ns >= LONG_NS || plan->load.rate > 0)
        bound_the_rest(sessions, count, ns, use);
    use->calls_ns = ns * (launches - 1);
    for (size_t i = 0; i < count; i++)
        use->calls_ns += time_to_announce(&sessions[i]);
}

void session_announce_time(const struct session *session)
{
    const struct run_plan *plan = session->plan;

    if (session->time.calls_ns >= LONG_NS && plan->launch.number == 0)
        run_plan_notice(plan, "the run will take about %.0f s", session->time.calls_ns / 1e9);
}

int sessions_plan_time(struct session *sessions, size_t count, struct error *error)
{
    struct time_use use = {.rounds_end_ns = 0};
    int code = 0;

    if (has_end(sessions->plan))
        return plan_all(sessions, count, &use, error);
    plan_calls(sessions, count, &use);
    for (size_t i = 0; i < count; i++)
        sessions[i].time = use;
    return code;
}
