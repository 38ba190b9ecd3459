/* The time of a run: estimates how long calls take, plans the run, and ends warm-up and rounds. */
#include <math.h>

#include "explain/explain_run.h"
#include "measure/statistics/mean_interval.h"
#include "measure/time_plan.h"

/* Duration of calls */

enum { CALLS_MAXIMUM = 4096 }; /* most calls in a trial block */

/* The measured or estimated times of a trial block. */
struct trial {
    size_t count;
    /* CALLS_NS: time of the calls; WHOLE_NS: time of the block with creation and removal of
     * objects. Both are 0 if the block failed, because the rounds will report the error. */
    double calls_ns, whole_ns;
};

/* In a closed loop, the shortest block has FILLINGS times as many calls as can be in flight, so
 * that most calls wait behind other calls. */
enum { FILLINGS = 4 };

/* Return the number of calls that a load makes in 0.1 s at RATE calls/s; at least 1. */
static uint64_t calls_at(double rate)
{
    return (uint64_t)fmax(rate / 10, 1);
}

/* Return the number of calls in a trial block. At a fixed rate: the calls of a tenth of a second,
 * but at most CALLS_AT_RATE. In a closed loop: twice as many calls as can be in flight. Both are
 * limited to CALLS_MAXIMUM and to a block of SERIES. */
static size_t count_to_try(const struct series_set *set, const struct run_series *series)
{
    enum { CALLS_AT_RATE = 10 };
    const struct load *load = &set->plan->load;
    const uint64_t at_rate = calls_at(load->rate);
    const uint64_t few = at_rate < CALLS_AT_RATE ? at_rate : CALLS_AT_RATE;
    const uint64_t wanted = load->rate > 0 ? few : 2 * load_in_flight(load);
    const uint64_t most = series->block < CALLS_MAXIMUM ? series->block : CALLS_MAXIMUM;

    return wanted < most ? wanted : most;
}

/* Run a block of COUNT calls of SERIES. If the block fails, the trial's times are 0. */
static struct trial try_block(struct series_set *set, struct run_series *series, size_t count)
{
    uint64_t ticks[CALLS_MAXIMUM], before = clock_raw_ns(), began, ended;
    struct block block = {.count = count, .ticks = ticks};
    struct engine_tally unused = {.failed = 0};
    struct trial trial = {.count = count};
    struct error ignored;
    int code = series_set_prepare(set, series, block.count, &ignored);

    began = ended = clock_raw_ns();
    if (code == 0) {
        code = series_set_run(set, series, &block, &unused, &ignored);
        ended = clock_raw_ns();
        series_set_clear(set, series, block.count, &ignored);
    }
    if (code == 0) {
        trial.calls_ns = (double)(ended - began);
        trial.whole_ns = (double)(clock_raw_ns() - before);
    }
    return trial;
}

/* Estimate the times of a block of COUNT calls of SERIES from the load and one trial call. */
static struct trial expect_block(const struct series_set *set, const struct run_series *series,
                                 size_t count)
{
    const struct load *load = &set->plan->load;
    const double calls = (double)count, first_ns = (double)series->tried_ns;
    const double calls_ns = load->rate > 0 ? calls * 1e9 / load->rate + first_ns
                                           : calls * first_ns / (double)load_in_flight(load);

    return (struct trial){count, calls_ns, calls_ns + series_preparation_ns(series, count)};
}

/* Add the time of SERIES under load to TIMES, per call of the session's longest blocks. SERIES'
 * blocks may have fewer calls, so that all blocks take equally long. At a fixed rate, a block also
 * needs the time until its last calls are answered. The times are measured in a trial block, or
 * estimated if the trial block would not end before the deadline TRIALS. */
static void add_load(struct schedule_times *times, struct series_set *set,
                     struct run_series *series, const struct deadline *trials)
{
    const double rate = set->plan->load.rate;
    const size_t to_try = count_to_try(set, series);
    const struct trial expected = expect_block(set, series, to_try);
    const bool has_time = expected.whole_ns <= (double)deadline_left_ns(trials);
    const struct trial trial = has_time ? try_block(set, series, to_try) : expected;
    const double count = (double)trial.count;
    const double call_ns = rate > 0 ? 1e9 / rate : trial.calls_ns / count;
    const double others_ns = (trial.whole_ns - trial.calls_ns) / count;

    times->call_ns += (call_ns + others_ns) * series->block / set->block;
    times->round_ns += fmax(trial.calls_ns - count * call_ns, 0);
}

/* Add the time of a call of SERIES, including the preparation of its object, to TIMES. If the calls
 * share one object, its preparation counts once a round. */
static void add_single(struct schedule_times *times, const struct run_series *series)
{
    const double one_ns = series->preparation_ns > 0 ? series_preparation_ns(series, 1) : 0;
    const bool of_each = series_preparation_ns(series, 2) > one_ns;

    times->call_ns += series->share_ns;
    times->round_ns += of_each ? 0 : one_ns;
}

static void add_calls(struct schedule_times *times, struct series_set *set)
{
    const struct deadline trials = deadline_part(&set->plan->deadline, TIME_SHARE_TRIALS);

    if (set->mix)
        times->call_ns = set->round_of_one_ns;
    for (size_t i = 0; i < set->count && !set->mix; i++)
        if (run_plan_makes_load(set->plan))
            add_load(times, set, set->series[i], &trials);
        else
            add_single(times, set->series[i]);
}

/* Return the time that is needed after the rounds, ns: for analysis, removal of the scratch
 * directory and unmounting. */
static uint64_t end_ns(const struct series_set *set)
{
    enum { UNMOUNT_CALLS = 4, SCRATCH_CALLS = 16, ANALYSIS_NS = 200 * 1000 * 1000 };
    const unsigned calls = run_plan_needs_scratch(set->plan) ? SCRATCH_CALLS : UNMOUNT_CALLS;
    double slowest = 0;

    for (size_t i = 0; i < set->count; i++)
        slowest = fmax(slowest, set->series[i]->spacing_ns);
    return ANALYSIS_NS + (uint64_t)(calls * slowest);
}

/* Return the fewest calls that a block may have. USUAL is the usual number, which is the maximum.
 * If the user gave the block length, return USUAL. */
static uint32_t least_block(const struct run_plan *plan, uint32_t usual)
{
    const double rate = plan->load.rate;
    uint64_t least = 1;

    if (run_plan_makes_load(plan))
        least = rate > 0 ? calls_at(rate) : FILLINGS * load_in_flight(&plan->load);
    return plan->block || usual < least ? usual : (uint32_t)least;
}

double explain_time_shortest_round(const struct run_plan *plan, double round_trip_ns,
                                   uint32_t *block)
{
    *block = least_block(plan, plan->block ? plan->block : UINT32_MAX);
    return time_use_round_ns(plan, *block, round_trip_ns);
}

void explain_time_session(struct explain_run *run)
{
    struct series_set *set = &run->session.set;

    run->times = (struct schedule_times){.block = set->block,
                                         .least = least_block(set->plan, set->block),
                                         .warms_up = !set->plan->no_warmup,
                                         .end_ns = end_ns(set)};
    add_calls(&run->times, set);
    run->schedule.compares = true;
    run->warm_until = set->plan->deadline;
}

void explain_note_observed_series(struct explain_run *run)
{
    run->times.call_ns *= 2;
    run->times.round_ns *= 2;
    run->times.spare = 0.5;
}

/* The schedule */

/* If the plan's calls take long, notify the user, because no deadline ends them. */
static void announce_calls(const struct explain_run *run)
{
    enum { LONG_S = 10, MINUTE_S = 60 };
    const struct run_plan *plan = &run->plan->run;
    const double seconds = schedule_of_calls_ns(&run->times, plan->calls) / 1e9;
    const bool in_minutes = seconds > 2 * MINUTE_S;

    if (seconds > LONG_S)
        run_plan_notice(plan,
                        "%llu calls of each op take about %.0f %s; without COUNT, explain ends "
                        "within --max-time",
                        (unsigned long long)plan->calls, seconds / (in_minutes ? MINUTE_S : 1),
                        in_minutes ? "min" : "s");
}

/* Shorten the longest blocks of RUN's session to BLOCK calls, other blocks in proportion. */
static int shorten_blocks(struct explain_run *run, uint32_t block, struct error *error)
{
    struct series_set *set = &run->session.set;
    const double ratio = (double)block / set->block;

    if (block >= set->block)
        return 0;
    if (set->mix)
        return session_set_block(&run->session, block, error);
    set->block = block;
    for (size_t i = 0; i < set->count; i++)
        set->series[i]->block = (uint32_t)fmax(set->series[i]->block * ratio, 1);
    return 0;
}

int explain_time_schedule(struct explain_run *run, struct error *error)
{
    struct run_plan *plan = &run->plan->run;
    const uint64_t now = deadline_now_ns();
    char text[SCHEDULE_TEXT_SIZE];

    run->times.left_ns = deadline_left_ns(&plan->deadline);
    run->times.spent_ns = now - (plan->calls ? run->session.setup.began_ns : plan->began_ns);
    if (plan->calls) {
        announce_calls(run);
        return 0;
    }
    if (!schedule_make(&run->schedule, &run->times))
        return time_use_refuse(plan, (double)run->schedule.least_ns - (double)plan->maximum_ns,
                               run->schedule.block, error);
    if (schedule_is_short(&run->schedule, &run->times))
        run_plan_notice(plan, "%s", schedule_describe(&run->schedule, &run->times, text));
    plan->no_warmup = !run->schedule.warms_up;
    run->warm_until = deadline_within(&plan->deadline, run->times.left_ns / TIME_SHARE_WARMUP);
    return shorten_blocks(run, run->schedule.block, error);
}

/* The rounds */

static bool is_warm(void *context, bool steady)
{
    const struct explain_run *run = context;

    return steady || deadline_is_over(&run->warm_until);
}

/* Note that the rounds begin. Mark the session's series as given up if the schedule omits them. */
static void measuring_begins(void *context)
{
    struct explain_run *run = context;

    run->rounds_began_ns = deadline_now_ns();
    for (size_t i = 0; i < run->session.set.count && !run->schedule.compares; i++)
        run->rounds.series[i].given_up = true;
    if (run->method->source.measuring_begins)
        run->method->source.measuring_begins(run);
}

/* Return true if the deadline leaves no time for another round and what follows the rounds. ROUNDS
 * rounds are complete, at least 1. */
static bool time_is_over(const struct explain_run *run, size_t rounds)
{
    const struct deadline *deadline = &run->plan->run.deadline;
    const uint64_t each_ns = (deadline_now_ns() - run->rounds_began_ns) / rounds;

    return deadline_left_ns(deadline) < run->times.end_ns + each_ns;
}

static bool enough_rounds(void *context, size_t rounds)
{
    struct explain_run *run = context;
    struct measuring *measuring = &run->session.measuring;

    if (schedule_is_check(rounds) && precision_ends(&run->narrow, run->method->is_precise(run)))
        measuring->end = MEASURING_END_PRECISION;
    else if (time_is_over(run, rounds))
        measuring->end = MEASURING_END_TIME;
    return measuring->end != MEASURING_END_COUNT;
}

void explain_time_source(struct explain_run *run, struct block_source *source)
{
    source->context = run;
    source->warm = source->warm ? source->warm : is_warm;
    source->measuring_begins = measuring_begins;
    source->enough = enough_rounds;
}

bool explain_mean_is_precise(const struct precision *precision, const double *values, size_t n,
                             double whole)
{
    const double mean = mean_of(values, n);
    struct interval interval = {.estimate = whole};
    double squares = 0, half;

    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    half = n > 1 ? student_975((double)(n - 1)) * sqrt(squares / (double)(n * (n - 1))) : INFINITY;
    interval.low = whole - half;
    interval.high = whole + half;
    return precision_reached(precision, &interval);
}
