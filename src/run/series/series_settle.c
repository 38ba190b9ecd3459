/* Chooses the number of calls in a block, from the duration of a few calls of each series. */
#include <errno.h>
#include <math.h>

#include "measure/statistics/estimate.h"
#include "measure/time_plan.h"
#include "measure/validity.h"
#include "run/load_block.h"
#include "run/mount_calls.h"
#include "run/series/series.h"

enum { TRIED_CALLS = 30, SLOW_CALLS = 3, BLOCK_MINIMUM = 5, ROUND_NS = 200 * 1000 * 1000 };

/* Set SERIES' spacing from the duration of its first call, which was made alone, and return that
 * duration, ns (0: unknown). For use if no more trial calls are made. */
static double level_of_first_call(const struct series_set *set, struct run_series *series)
{
    const double level = (double)series->tried_ns;

    series->spacing_ns = level / (double)load_in_flight(&set->plan->load);
    return level;
}

static int try_calls(struct series_set *set, struct run_series *series, struct block *block,
                     struct error *error)
{
    struct engine_tally tally = {.failed = 0};
    int code = series_set_prepare(set, series, block->count, error);

    block->recorded = 0;
    if (block->until_ns == 0)
        block->until_ns = set->plan->deadline.at_ns;
    if (code == 0)
        code = series_set_run(set, series, block, &tally, error);
    set->trial_calls += block->recorded;
    set->trial_resent += tally.counts.retransmissions;
    return code ? code : series_set_clear(set, series, block->count, error);
}

/* Make calls of SERIES to see whether UDP loses some. Makes none over TCP, without a deadline, or
 * if a trial has already lost calls. A call takes LEVEL ns. The calls of all series together take
 * at most 1/SHARE of the time left. */
static int look_for_losses(struct series_set *set, struct run_series *series, double level,
                           struct error *error)
{
    enum { SHARE = 10 };
    const struct deadline *deadline = &set->plan->deadline;
    const uint64_t part_ns = deadline_left_ns(deadline) / SHARE / set->count;
    uint64_t ticks[ROUNDS_BLOCK];
    struct block block = {.count = (size_t)fmin(ROUNDS_BLOCK, (double)part_ns / level),
                          .ticks = ticks,
                          .until_ns = deadline_within(deadline, part_ns).at_ns};

    if (set->plan->target.transport != TRANSPORT_UDP || deadline->at_ns == 0 || block.count == 0 ||
        set->trial_resent > 0)
        return 0;
    return try_calls(set, series, &block, error);
}

/* Return the mean time that losses add to a call, ns; 0 if the trials lost no call. One more loss
 * and fifty more calls are assumed, because few trials give only a rough share of lost calls. */
static double lost_ns(const struct series_set *set)
{
    const double lost = (double)set->trial_resent, calls = (double)set->trial_calls;

    return lost > 0 ? (lost + 1) / (calls + lost + 50) * (double)set->plan->timeout_ns : 0;
}

/* Does the time between calls determine the number of calls in PLAN's blocks? Only under load in a
 * closed loop without think times; not with ranks, which must have the same blocks; not for a mix,
 * whose calls differ; and not for an op of several calls. */
static bool goes_by_spacing(const struct run_plan *plan)
{
    const struct load *load = &plan->load;

    return run_plan_makes_load(plan) && load->rate == 0 && !load->think && load->ranks == 0 &&
           !plan->mix_name && !run_plan_sequence(plan);
}

/* Set SERIES' spacing from a trial block, unless preparing the block would exceed the deadline
 * TRIALS. QUICK: calls are short, so the block has more calls. The first calls, during which the
 * queue builds up, are not used if enough other calls are left. */
static int find_spacing(struct series_set *set, struct run_series *series, bool quick,
                        const struct deadline *trials, struct error *error)
{
    enum { FILLINGS = 8, FILLINGS_SLOW = 3, CALLS_MAXIMUM = 4096 };
    const uint64_t in_flight = load_in_flight(&set->plan->load);
    const double wanted = (quick ? FILLINGS : FILLINGS_SLOW) * (double)in_flight;
    uint64_t ticks[CALLS_MAXIMUM];
    struct block block = {.count = (size_t)fmin(fmax(wanted, TRIED_CALLS), CALLS_MAXIMUM),
                          .ticks = ticks};
    const uint64_t began_ns = clock_raw_ns();
    double calls_ns;
    int code;

    if (series->call.procedure->varies && block.count > series->call.engine.variants)
        block.count = series->call.engine.variants;
    if (series_preparation_ns(series, block.count) > (double)deadline_left_ns(trials))
        return 0;
    code = try_calls(set, series, &block, error);
    calls_ns = (double)(clock_raw_ns() - began_ns) - series_preparation_ns(series, block.count);
    if (code == 0 && 2 * block.steady_calls + in_flight >= block.count && block.steady_ticks > 0)
        series->spacing_ns =
            clock_sample_ns(set->clock, block.steady_ticks) / (double)block.steady_calls;
    else
        series->spacing_ns = fmin(series->spacing_ns, calls_ns / (double)block.count);
    return code;
}

/* Set *LEVEL to the median duration of some calls of SERIES, ns (0: no samples), and set SERIES'
 * spacing. *QUICK becomes true if the first call took less than SLOW_NS, so that TRIED_CALLS calls
 * were made. */
static int try_level(struct series_set *set, struct run_series *series, double *level, bool *quick,
                     struct error *error)
{
    enum { SLOW_NS = 10 * 1000 * 1000 };
    uint64_t ticks[TRIED_CALLS];
    double samples[TRIED_CALLS];
    struct block block = {.count = series->call.engine.sequence ? 1 : SLOW_CALLS, .ticks = ticks};
    int code = try_calls(set, series, &block, error);

    *quick = block.recorded > 0 && clock_sample_ns(set->clock, ticks[0]) < SLOW_NS;
    if (code == 0 && *quick) {
        block.count = TRIED_CALLS;
        code = try_calls(set, series, &block, error);
    }
    for (size_t i = 0; i < block.recorded; i++)
        samples[i] = clock_sample_ns(set->clock, ticks[i]);
    *level = block.recorded ? estimate_median(samples, block.recorded) : 0;
    series->spacing_ns =
        *level / fmin((double)load_in_flight(&set->plan->load), (double)block.count);
    return code;
}

/* Does SERIES' first call, which was made alone, suffice as trial? It does at a low rate, or if
 * more calls of all series would exceed TRIALS, but not if it took as long as the timeout. */
static bool is_first_call_enough(const struct series_set *set, const struct run_series *series,
                                 const struct deadline *trials)
{
    const double more_ns = (double)series->tried_ns * SLOW_CALLS * (double)set->count;

    return series->tried_ns > 0 && series->tried_ns < set->plan->timeout_ns &&
           (series_set_is_rate_low(set) || more_ns > (double)deadline_left_ns(trials));
}

static int find_level(struct series_set *set, struct run_series *series, double *level,
                      const struct deadline *trials, struct error *error)
{
    bool quick = false;
    int code = 0;

    if (is_first_call_enough(set, series, trials))
        *level = level_of_first_call(set, series);
    else
        code = try_level(set, series, level, &quick, error);
    if (code == 0 && quick && !run_plan_makes_load(set->plan))
        code = look_for_losses(set, series, *level, error);
    return code == 0 && goes_by_spacing(set->plan) && !deadline_is_over(trials)
               ? find_spacing(set, series, quick, trials, error)
               : code;
}

/* Return the largest number of calls in a block, up to USUAL, with which a round takes at most
 * ROUND_NS, but at least LEAST. With one call in each block, a round takes ROUND_OF_ONE_NS. */
static uint32_t choose_block(double round_of_one_ns, uint32_t usual, uint32_t least)
{
    double calls = round_of_one_ns > 0 ? ROUND_NS / round_of_one_ns : usual;

    return calls >= usual ? usual : (uint32_t)(calls > least ? calls : least);
}

/* Return the number of calls in a block at the plan's rate. SLOWEST_NS is the duration of a
 * call of the slowest op. If ops alternate, calls within one response time after a change of op
 * leave no sample. Blocks are therefore long, but short enough for ROUNDS rounds. */
static uint32_t choose_block_at_rate(const struct series_set *set, double slowest_ns)
{
    enum { RESPONSES = 5, ROUNDS = 8 };
    const struct run_plan *plan = set->plan;
    const uint32_t usual = load_block(&plan->load, plan->calls);
    const double run = plan->calls
                           ? (double)plan->calls
                           : plan->load.rate * run_plan_rounds_ns(plan) / 1e9 / (double)set->count;
    const double wanted = fmin(plan->load.rate * slowest_ns / 1e9 * RESPONSES, run / ROUNDS);

    /* Without COUNT, RUN includes the warm-up, so twice as many rounds must fit. */
    const double rounds = plan->calls ? VALIDITY_ROUNDS_SUSPECT : 2 * VALIDITY_ROUNDS_SUSPECT;
    const double shorter = fmin(usual, fmax(1, run / rounds));

    return (uint32_t)(set->count > 1 ? fmax(shorter, wanted) : shorter);
}

/* Return the default number of calls in a block. On a mount with verified WRITEs, it is the number
 * of WRITEs that can be read back. */
static uint32_t usual_block(const struct run_plan *plan)
{
    const bool reads_back =
        plan->target.mounted && plan->verify && run_plan_transfers(plan, NFS_TRANSFER_WRITE);

    return reads_back ? plan->engine->mount->verified_writes : ROUNDS_BLOCK;
}

static uint32_t choose_load_block(const struct series_set *set, double round_of_one_ns,
                                  double slowest_ns)
{
    const struct load *load = &set->plan->load;

    if (load->rate > 0)
        return choose_block_at_rate(set, slowest_ns);
    return choose_block(round_of_one_ns, load_block(load, set->plan->calls),
                        load_block_minimum(load));
}

static uint32_t wanted_block(const struct series_set *set, double round_of_one_ns,
                             double slowest_ns)
{
    const struct run_plan *plan = set->plan;

    if (plan->block)
        return plan->block;
    if (run_plan_sequence(plan)) /* one op may make as many calls as a block of others */
        return choose_block(round_of_one_ns, ROUNDS_BLOCK, 1);
    return run_plan_makes_load(plan)
               ? choose_load_block(set, round_of_one_ns, slowest_ns)
               : choose_block(round_of_one_ns, usual_block(plan), BLOCK_MINIMUM);
}

static double tried_at_once(const struct run_plan *plan)
{
    return run_plan_makes_load(plan) ? fmin((double)load_in_flight(&plan->load), TRIED_CALLS) : 1;
}

uint64_t series_set_places_left(const struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct nfs_places *places = &set->series[i]->call.places.places;

        if (series_role(set->series[i])->is_op && set->series[i]->call.places.differ)
            return places->count - places->drawn;
    }
    return 0;
}

/* Return the number of calls in a block for --cold: the plan's number or, without one, a number for
 * which the places in files suffice for VALIDITY_ROUNDS_SUSPECT rounds. */
static uint32_t choose_cold_block(const struct series_set *set)
{
    uint64_t block = series_set_places_left(set) / VALIDITY_ROUNDS_SUSPECT;

    if (set->plan->block)
        return set->plan->block;
    return block < 1 ? 1 : block < ROUNDS_BLOCK ? (uint32_t)block : ROUNDS_BLOCK;
}

/* Return the number of SERIES' calls in a round divided by the usual number of calls in a block. */
static double weight_in_round(const struct series_set *set, const struct run_series *series)
{
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];

    if (series_role(series)->divisor)
        return 1.0 / series_role(series)->divisor;
    if (!series_role(series)->in_mix)
        return 1;
    return 1.0 / nfs_mix_divide(&set->mix_ops, ROUNDS_BLOCK, shares) *
           shares[series->index - set->mix->index - 1];
}

/* Are trial calls of SERIES forbidden? They are in a replay, which makes only its workload's calls,
 * and with --cold if SERIES has several places in files, because trials would use up places. */
static bool is_spared(const struct series_set *set, const struct run_series *series)
{
    return set->plan->working_set.visits ||
           (set->plan->working_set.once && series->call.places.differ);
}

/* If a trial of SERIES failed with CODE and the run can go on, mark SERIES as given up without a
 * warning, because end_step() (measuring.c) warns in the first round, where all ranks give up
 * SERIES together. An op of a mix has no blocks of its own, so warn here. Returns 0, or an error
 * with ERROR set. */
static int give_up_early(struct series_set *set, struct run_series *series, int code,
                         struct error *error)
{
    if (series_role(series)->in_mix)
        return series_set_give_up(set, series, code, error);
    if (series_can_be_given_up(set, series, code, error))
        code = series_give_up(series, error);
    return code == -ECANCELED ? 0 : code;
}

/* Return the number of calls that a block of SERIES needs, and set SERIES' lead-in. If each call
 * needs its own object, a block has at most as many calls as there are objects. */
static uint32_t own_block(const struct series_set *set, struct run_series *series)
{
    const struct run_plan *plan = set->plan;
    const size_t variants = series->call.engine.variants;
    struct block_length block = {.calls = load_block(&plan->load, plan->calls)};

    if (series->spacing_ns > 0)
        block = load_block_of(&plan->load, series->spacing_ns, run_plan_rounds_ns(plan));
    series->lead_in = block.lead_in;
    return series->call.procedure->varies && block.calls > variants ? (uint32_t)variants
                                                                    : block.calls;
}

/* Let blocks have about the same duration rather than the same number of calls. The series keep the
 * blocks that choose_by_spacing() gave them. Only a block that takes longer than an equal share of
 * ROUND_NS is shortened, but not below the least number of calls. */
static void choose_in_time(struct series_set *set)
{
    const uint32_t least = load_block_minimum(&set->plan->load);
    const double share_ns = (double)ROUND_NS / (double)set->count;

    set->equal_in_time = true;
    set->block = 0;
    for (size_t i = 0; i < set->count; i++) {
        struct run_series *series = set->series[i];

        if (series->block * series->spacing_ns > share_ns)
            series->block = (uint32_t)fmax(share_ns / series->spacing_ns, least);
        set->block = series->block > set->block ? series->block : set->block;
    }
}

/* Return the number of calls in each block: the plan's or, without one, the largest that a series
 * needs. It is reduced, but not below the least number, if COUNT calls would not fill
 * VALIDITY_ROUNDS_SUSPECT rounds, or a round would take over ROUND_NS. */
static uint32_t choose_in_calls(const struct series_set *set, double round_of_one_ns)
{
    const struct run_plan *plan = set->plan;
    const uint32_t least = load_block_minimum(&plan->load);
    uint32_t longest = 0;

    if (plan->block)
        return plan->block;
    for (size_t i = 0; i < set->count; i++)
        if (set->series[i]->block > longest)
            longest = set->series[i]->block;
    if (plan->calls / VALIDITY_ROUNDS_SUSPECT < longest)
        longest = (uint32_t)(plan->calls / VALIDITY_ROUNDS_SUSPECT);
    return choose_block(round_of_one_ns, longest > least ? longest : least, least);
}

static void choose_by_spacing(struct series_set *set)
{
    double round_of_one_ns = 0;

    for (size_t i = 0; i < set->count; i++) {
        struct run_series *series = set->series[i];

        series->block = own_block(set, series);
        if (series->role == SERIES_LOCAL) /* it is compared with the preceding op */
            series->block = set->series[i - 1]->block;
        round_of_one_ns += series->spacing_ns;
    }
    if (set->plan->block || set->plan->calls)
        series_set_block(set, choose_in_calls(set, round_of_one_ns));
    else
        choose_in_time(set);
}

void series_set_block(struct series_set *set, uint32_t block)
{
    set->block = block;
    for (size_t i = 0; i < set->count; i++)
        set->series[i]->block = block;
}

/* Return the mean time to prepare a call of SERIES and to clear up after it, ns. Calls are prepared
 * one by one even under load. Without load, if only the first call was made, the result is 0,
 * because that call's duration includes the preparation. */
static double preparation_of_call(const struct series_set *set, const struct run_series *series)
{
    enum { CALLS = 100 };

    return series->preparation_ns > 0 || run_plan_makes_load(set->plan)
               ? series_preparation_ns(series, CALLS) / CALLS
               : 0;
}

/* Return SHARE_NS of SERIES / its CALL_NS. */
static double share_of_calls(const struct series_set *set, const struct run_series *series)
{
    return series_role(series)->divisor ? 1 : weight_in_round(set, series);
}

/* Set CALL_NS and SHARE_NS of SERIES. A call takes LEVEL ns without its preparation. */
static void set_share(const struct series_set *set, struct run_series *series, double level)
{
    if (set->plan->load.rate > 0) {
        series->call_ns = 1e9 / set->plan->load.rate;
        series->share_ns = series_role(series)->in_mix ? 0 : series->call_ns;
        return;
    }
    if (goes_by_spacing(set->plan) && series->spacing_ns > 0)
        series->call_ns = series->spacing_ns;
    else
        series->call_ns = (level + (double)series->call.engine.pause_ns) / tried_at_once(set->plan);
    series->call_ns += preparation_of_call(set, series);
    series->share_ns = series->call_ns * share_of_calls(set, series);
}

int series_set_choose_blocks(struct series_set *set, struct error *error)
{
    double null_level = 0, longest = MODEL_PAUSE_MINIMUM_NS, round_of_one_ns = 0, slowest = 0;
    const struct deadline trials = deadline_part(&set->plan->deadline, TIME_SHARE_TRIALS);
    size_t pauses = 0;
    int code = 0;

    for (size_t i = 0; i < set->count && code == 0; i++) {
        struct run_series *series = set->series[i];
        double level = series == set->mix ? 0 : null_level; /* a mix's time is that of its ops */

        if (series->role == SERIES_ECHO)
            level = (double)series->tried_ns;

        if (series_role(series)->counted && !is_spared(set, series))
            code = find_level(set, series, &level, &trials, error);
        if (code)
            code = give_up_early(set, series, code, error);
        if (series == set->baseline)
            null_level = level;
        longest = fmax(longest, level - null_level);
        slowest = fmax(slowest, level);
        if (series->role == SERIES_PAUSE)
            series->call.engine.pause_ns = (uint64_t)(longest * (double)++pauses / MODEL_PAUSES);
        set_share(set, series, level);
        round_of_one_ns +=
            (level + (double)series->call.engine.pause_ns) * weight_in_round(set, series);
    }
    for (size_t i = 0; i < set->count && !run_plan_makes_load(set->plan); i++) {
        set->series[i]->call_ns += lost_ns(set);
        set->series[i]->share_ns += lost_ns(set) * share_of_calls(set, set->series[i]);
    }
    set->round_of_one_ns = round_of_one_ns / tried_at_once(set->plan);
    set->slowest_ns = slowest;
    if (set->plan->working_set.once)
        series_set_block(set, choose_cold_block(set));
    else if (goes_by_spacing(set->plan))
        choose_by_spacing(set);
    else
        series_set_block(set, wanted_block(set, set->round_of_one_ns, slowest));
    return code;
}
