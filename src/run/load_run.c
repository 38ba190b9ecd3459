#include "run/load_run.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/system_clock.h"
#include "engine/worker.h"
#include "run/load_block.h"
#include "run/series/series.h"

enum { LEAD_IN_DIVISOR = 4 };

static int open_series(struct load_run *run, struct run_series *series)
{
    struct load_series *load = arena_alloc(&run->arena, 1, sizeof *load);

    if (!load)
        return -ENOMEM;
    series->load = load;
    load->clients = arena_alloc(&run->arena, run->set->plan->load.clients, sizeof *load->clients);
    series->tally.clients = load->clients;
    series->tally.detail = &run->detail;
    return load->clients ? 0 : -ENOMEM;
}

int load_run_open(struct load_run *run, struct series_set *set, struct error *error)
{
    struct engine_detail *detail = &run->detail;
    size_t block = set->block;
    int code = 0;

    run->set = set;
    detail->done = arena_alloc(&run->arena, block, sizeof *detail->done);
    detail->service = arena_alloc(&run->arena, block, sizeof *detail->service);
    detail->number = arena_alloc(&run->arena, block, sizeof *detail->number);
    detail->held = arena_alloc(&run->arena, block, sizeof *detail->held);
    run->done_ns = arena_alloc(&run->arena, block, sizeof *run->done_ns);
    run->ns = arena_alloc(&run->arena, block, sizeof *run->ns);
    run->part = arena_alloc(&run->arena, block, sizeof *run->part);
    run->spare = arena_alloc(&run->arena, block, sizeof *run->spare);
    if (!detail->done || !detail->service || !detail->number || !detail->held || !run->done_ns ||
        !run->ns || !run->part || !run->spare)
        code = -ENOMEM;
    for (size_t i = 0; i < set->count && code == 0; i++)
        code = open_series(run, set->series[i]);
    if (code)
        error_set(error, ERROR_FAILED, code, "out of memory for %u clients",
                  set->plan->load.clients);
    return code;
}

void load_run_close(struct load_run *run)
{
    arena_free(&run->arena);
    memset(run, 0, sizeof *run);
}

void load_run_begin(struct load_run *run)
{
    for (size_t i = 0; i < run->set->count; i++) {
        struct run_series *series = run->set->series[i];
        struct load_client *clients = series->load->clients;

        timeline_free(&series->load->timeline);
        memset(clients, 0, run->set->plan->load.clients * sizeof *clients);
        *series->load = (struct load_series){.clients = clients};
        series->tally.clients = clients;
        series->tally.detail = &run->detail;
    }
    run->began_ticks = run->set->clock->start();
}

static double since_begin(const struct load_run *run, uint64_t ticks)
{
    uint64_t began = run->began_ticks;

    return ticks > began ? (double)(ticks - began) * run->set->clock->ns_per_tick : 0;
}

/* Return the trimmed mean latency, in ticks, of BLOCK's calls with numbers from FIRST to END - 1.
 * The fastest and slowest tenth are not used. NAN: no calls. */
static double level_between(const struct load_run *run, const struct block *block, size_t first,
                            size_t end)
{
    size_t count = 0, tenth;
    double sum = 0;

    for (size_t i = 0; i < block->recorded; i++)
        if (run->detail.number[i] >= first && run->detail.number[i] < end)
            run->part[count++] = block->ticks[i];
    ticks_sort(run->part, run->spare, count);
    tenth = count / 10;
    for (size_t i = tenth; i < count - tenth; i++)
        sum += (double)run->part[i];
    return count ? sum / (double)(count - 2 * tenth) : NAN;
}

/* Set BLOCK's trend: level of the last third of timed calls less that of the first; 0: unknown. */
static void find_trend(const struct load_run *run, struct block *block)
{
    const size_t cool_down = block->lead_in ? load_in_flight(&run->set->plan->load) : 0;
    const size_t first = block->lead_in, end = block->count - cool_down, third = (end - first) / 3;
    double trend = level_between(run, block, end - third, end) -
                   level_between(run, block, first, first + third);

    block->trend_ns = isnan(trend) ? 0 : trend * run->set->clock->ns_per_tick;
}

static int keep_block(struct load_run *run, struct load_series *load, uint64_t began,
                      const struct block *block)
{
    const struct clock *clock = run->set->clock;
    bool open_loop = run->set->plan->load.rate > 0;
    uint64_t ended;

    clock_samples_ns(clock, block->ticks, run->ns, block->recorded);
    /* The timeline shows a call when its reply came or, in an open loop, when the call was due. */
    for (size_t i = 0; i < block->recorded; i++)
        run->done_ns[i] = since_begin(run, run->detail.done[i] - (open_loop ? block->ticks[i] : 0));
    for (size_t i = 0; i < block->recorded && open_loop; i++) {
        uint64_t ticks = block->ticks[i], service = run->detail.service[i];

        histogram_record(&load->service, clock_sample_ns(clock, service));
        histogram_record(&load->lateness,
                         (double)(ticks - service - run->detail.held[i]) * clock->ns_per_tick);
    }
    ended = open_loop && block->steady_ticks ? began + block->steady_ticks : clock->stop();
    return timeline_add(&load->timeline, (uint64_t)since_begin(run, began),
                        (uint64_t)since_begin(run, ended), run->done_ns, run->ns, block->recorded);
}

/* Return how many of the first calls in a block of COUNT calls of SERIES are not timed: SERIES'
 * lead-in, at most 1/LEAD_IN_DIVISOR of the block; 0 for a short block. */
static size_t lead_in_of(const struct load_run *run, const struct run_series *series, size_t count)
{
    if (count < LOAD_BLOCK_FILLINGS * load_in_flight(&run->set->plan->load))
        return 0;
    return series->lead_in < count / LEAD_IN_DIVISOR ? series->lead_in : count / LEAD_IN_DIVISOR;
}

bool load_run_is_continuous(const struct series_set *set)
{
    if (set->plan->load.rate <= 0)
        return false;
    for (size_t i = 0; i < set->count; i++)
        if (series_set_engine(set, set->series[i]) != series_set_engine(set, set->series[0]))
            return false;
    return true;
}

static struct engine *schedule_engine(const struct load_run *run)
{
    return series_set_engine(run->set, run->set->series[0]);
}

int load_run_submit(struct load_run *run, const struct engine_call *call, size_t count,
                    struct error *error)
{
    return worker_pool_submit(schedule_engine(run), call, count, error);
}

bool load_run_wants_block(const struct load_run *run)
{
    return worker_pool_wants_block(schedule_engine(run));
}

void load_run_finish(const struct load_run *run)
{
    worker_pool_finish(schedule_engine(run));
}

/* Return the maximum number of calls of a series that are prepared together. The maximum may be
 * smaller if the run verifies its WRITEs, each of which has its own data in memory. */
static double prepared_most(const struct series_set *set)
{
    enum { CALLS = 1 << 15, DATA = 64 << 20 };
    const struct run_plan *plan = set->plan;

    return plan->verify && run_plan_transfers(plan, NFS_TRANSFER_WRITE)
               ? fmin(CALLS, (double)DATA / set->setup->objects.write.count)
               : CALLS;
}

/* Return the time to prepare a round and to clear up after it, ns. 0: no series needs preparation;
 * NAN: unknown, because a series that needs preparation was never prepared. */
static double preparation_of(const struct series_set *set)
{
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];
    double ns = 0;

    if (set->mix)
        nfs_mix_divide(&set->mix_ops, set->block, shares);
    for (size_t i = 0; i < set->count; i++) {
        const struct run_series *series = set->series[i];
        const bool in_mix = series_role(series)->in_mix;
        const uint32_t calls = in_mix ? shares[i - set->mix->index - 1] : series->block;

        if (nfs_call_needs_preparation(&series->call))
            ns += series->preparation_ns > 0 ? series_preparation_ns(series, calls) : NAN;
    }
    return ns;
}

/* The rounds that are prepared together should take much longer than one response time, because the
 * queue of calls in flight builds up during one response time. Without a number of calls, preparing
 * these rounds takes at most 1/RUN_DIVISOR of the run, but at least one round is prepared. */
size_t load_run_rounds_ahead(const struct load_run *run, uint64_t round_calls)
{
    enum { RESPONSES = 20, RUN_DIVISOR = 4 };
    const struct series_set *set = run->set;
    const struct run_plan *plan = set->plan;
    const double preparation_ns = preparation_of(set);
    double lasts_ns = 2e9, rounds;

    if (preparation_ns == 0)
        return 0;
    for (size_t i = 0; i < set->count; i++)
        lasts_ns = fmax(lasts_ns, RESPONSES * set->series[i]->usual_ns);
    rounds = fmin(plan->load.rate * lasts_ns / 1e9 / (double)round_calls,
                  prepared_most(set) / set->block);
    if (plan->calls == 0)
        rounds = isnan(preparation_ns)
                     ? 1
                     : fmin(rounds, run_plan_rounds_ns(plan) / RUN_DIVISOR / preparation_ns);
    return rounds > 1 ? (size_t)rounds : 1;
}

void load_run_interrupt(struct load_run *run)
{
    run->interrupted |= run->previous != NULL;
    run->previous = NULL;
}

static int collect_block(const struct load_run *run, struct run_series *series, struct block *block,
                         struct error *error)
{
    enum { WAIT_NS = 100 * 1000 * 1000 };
    int code;

    series->tally.waits = (struct engine_gaps){0};
    code = worker_pool_collect(schedule_engine(run), block, &series->tally, WAIT_NS, error);
    if (code != -EAGAIN)
        series_note_block(run->set, series, block, &series->tally);
    return code;
}

/* Return the time, in ticks, from the start of the next block, which is of SERIES, in which calls
 * leave no sample. It is about one response time if the block has its own schedule or follows an
 * interruption, because few calls are in flight, and if the block before was of another op, because
 * calls of that op are in flight. It is 0 if one schedule runs through all blocks, and the op did
 * not change or this is the schedule's first block. */
static uint64_t transition_ticks(const struct load_run *run, const struct run_series *series)
{
    const struct run_series *before = run->previous;
    double ns = series->usual_ns;

    if (run->continuous && (before == series || (!before && !run->interrupted)))
        return 0;
    if (run->continuous && before)
        ns = fmax(ns, before->usual_ns);
    return (uint64_t)(ns / run->set->clock->ns_per_tick);
}

/* Make BLOCK of an open loop or, with one schedule for all blocks, take the submitted block. */
static int make_open_block(struct load_run *run, struct run_series *series,
                           const struct engine_call *call, struct block *block, struct error *error)
{
    struct load_series *load = series->load;
    int code;

    block->skip_ticks = transition_ticks(run, series);
    code = run->continuous
               ? collect_block(run, series, block, error)
               : series_run_watched(run->set, series, series_set_engine(run->set, series), call,
                                    block, &series->tally, error);
    if (code == -EAGAIN)
        return code;
    run->previous = series;
    run->interrupted = false;
    if (run->began_ticks && block->began_ticks > run->began_ticks + block->paused_ticks) {
        load->interruptions += block->paused_ticks > 0;
        load->paused_ticks += block->paused_ticks;
    }
    load->cpu_ns += block->cpu_ns;
    load->left_out += block->left_out;
    load->in_flight_area += block->in_flight * (double)block->in_flight_ticks;
    load->in_flight_ticks += (double)block->in_flight_ticks;
    if (run->began_ticks > block->began_ticks) /* BLOCK began during the warm-up */
        run->began_ticks = block->began_ticks;
    return code;
}

static int make_closed_block(struct load_run *run, struct run_series *series,
                             const struct engine_call *call, struct block *block,
                             struct error *error)
{
    const uint64_t cpu_ns = system_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    int code;

    block->lead_in = lead_in_of(run, series, block->count);
    code = series_run_watched(run->set, series, series_set_engine(run->set, series), call, block,
                              &series->tally, error);
    series->load->cpu_ns += system_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
    return code;
}

int load_run_block(struct load_run *run, struct run_series *series, const struct engine_call *call,
                   struct block *block, struct error *error)
{
    struct load_series *load = series->load;
    const bool open_loop = run->set->plan->load.rate > 0;
    uint64_t began = run->set->clock->start();
    int code = open_loop ? make_open_block(run, series, call, block, error)
                         : make_closed_block(run, series, call, block, error);

    if (code == -EAGAIN)
        return code;
    if (open_loop)
        began = block->began_ticks;
    load->calls += block->count;
    if ((code == 0 || open_loop) && run->began_ticks && keep_block(run, load, began, block) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the timeline of the run");
    if (code == 0 && run->began_ticks && !call->steps)
        find_trend(run, block);
    return code;
}

void load_run_end(struct load_run *run)
{
    /* If timeline_end() fails, the timeline lacks only its last point. */
    for (size_t i = 0; i < run->set->count; i++)
        timeline_end(&run->set->series[i]->load->timeline);
}
