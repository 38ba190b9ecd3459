/* Measure a ladder: NULL and the op in a session's rounds, with additional blocks for the rungs
 * that are not calls. */
#include <math.h>
#include <stdlib.h>

#include "explain/explain_run.h"
#include "explain/ladder/ladder.h"
#include "nfs/procedures/xdr_work.h"
#include "run/echo_run.h"

/* Numbers of the additional series. In the rounds, they follow the session's series. */
enum ladder_beside {
    LADDER_BESIDE_TIMER,
    LADDER_BESIDE_XDR,
    LADDER_BESIDE_ECHO,
    LADDER_BESIDE_ECHO_OP,
    LADDER_BESIDES,
};

/* Exchanges with the echo, whose messages are as long as those of a call of NULL, or of the op. */
enum ladder_echo_kind { LADDER_ECHO_OF_NULL, LADDER_ECHO_OF_OP, LADDER_ECHOES };

struct ladder_echo {
    struct echo_run run;
    struct channel_bytes messages[LADDER_ECHOES];
    double both_ns; /* time of two exchanges, one of each kind */
};

struct ladder_run {
    struct explain_run run;
    size_t null_index, control_index, op_index; /* indexes in the session's series */
    struct ladder_echo echo;
    struct xdr_work xdr;
    char echo_name[ENDPOINT_NAME_SIZE];
    struct ladder_result result;
};

/* The bare echo: at the address in the plan, or started on this machine. If the server is embedded,
 * an echo that is started here runs on the server's processor. */

/* Make one exchange of each kind, and add their times to BOTH_NS. */
static int try_exchanges(struct ladder_echo *echo, const struct clock *clock, struct error *error)
{
    uint64_t ticks = 0;
    int code = 0;

    for (size_t i = 0; i < LADDER_ECHOES && code >= 0; i++) {
        code = echo_run_exchange(&echo->run, &echo->messages[i], clock, &ticks, error);
        echo->both_ns += clock_sample_ns(clock, ticks);
    }
    return code < 0 ? code : 0;
}

/* Start the echo or find it, connect as the session's engine connects, and check that it is an
 * echo. OF: the series of NULL and of the op, from which the lengths of the messages are taken. */
static int open_echo(struct ladder_echo *echo, const struct target *address,
                     const struct setup *setup, const struct clock *clock,
                     const struct run_series *const of[LADDER_ECHOES], struct error *error)
{
    /* -1: don't bind the echo to a processor; a server that is not embedded isn't bound either */
    const int cpu = setup->self.pid ? setup->self.pinned_cpu : -1;
    size_t longest = 0;
    int code =
        echo_run_open(&echo->run, address, setup, of[LADDER_ECHO_OF_OP]->service, cpu, error);

    for (size_t i = 0; i < LADDER_ECHOES && code == 0; i++) {
        code = echo_run_message(&echo->run, &of[i]->call, &echo->messages[i], error);
        if (echo->messages[i].answer > longest)
            longest = echo->messages[i].answer;
    }
    if (code == 0)
        code = echo_run_connect(&echo->run, setup, longest, clock, error);
    return code ? code : try_exchanges(echo, clock, error);
}

static void close_echo(struct ladder_echo *echo)
{
    echo_run_close(&echo->run);
    for (size_t i = 0; i < LADDER_ECHOES; i++)
        free((void *)(uintptr_t)echo->messages[i].bytes);
}

/* Find the requested op and its baseline. If the op is NULL, its control takes the op's place. */
static void find_series(struct ladder_run *ladder)
{
    const struct series_set *set = &ladder->run.session.set;

    ladder->control_index = ladder->op_index = set->control->index;
    for (size_t i = 0; i < set->count; i++)
        if (series_role(set->series[i])->is_op)
            ladder->op_index = i; /* the last op is the requested one; a baseline is before it */
    ladder->null_index = set->series[ladder->op_index]->baseline->index;
}

static int open_ladder(struct explain_run *run, struct error *error)
{
    struct ladder_run *ladder = (struct ladder_run *)run;
    struct clock *clock = &run->session.clock;
    const struct run_series *of[LADDER_ECHOES];
    int code;

    /* The timer is a rung that all other rungs include, so its cost is not subtracted. */
    clock->cost_ticks = clock->cost_ns = 0;
    find_series(ladder);
    of[LADDER_ECHO_OF_NULL] = run->session.set.series[ladder->null_index];
    of[LADDER_ECHO_OF_OP] = run->session.set.series[ladder->op_index];
    code = open_echo(&ladder->echo, &run->plan->echo, &run->session.setup, clock, of, error);
    run->times.call_ns += ladder->echo.both_ns;
    return code ? code : xdr_work_open(&ladder->xdr, &of[LADDER_ECHO_OF_OP]->call, NULL, error);
}

/* The rounds */

static void add_ladder_series(const struct explain_run *run, struct beside *beside)
{
    for (unsigned i = 0; i < LADDER_BESIDES; i++)
        explain_add_series(beside, EXTRA_WITHOUT_CALLS, run->session.set.block);
}

static void run_timer_block(const struct clock *clock, struct block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        uint64_t started = clock->start();

        block->ticks[i] = clock->stop() - started;
    }
}

/* Encode and decode one call per sample, as a real client does, and not a batch. */
static void run_xdr_block(struct ladder_run *ladder, struct block *block)
{
    const struct clock *clock = &ladder->run.session.clock;

    for (size_t i = 0; i < block->count; i++) {
        uint64_t started = clock->start();

        xdr_work_repeat(&ladder->xdr, XDR_WORK_ENCODE, 1);
        xdr_work_repeat(&ladder->xdr, XDR_WORK_DECODE, 1);
        block->ticks[i] = clock->stop() - started;
    }
}

static int run_echo_block(struct ladder_run *ladder, enum ladder_echo_kind kind,
                          struct block *block, struct error *error)
{
    struct ladder_echo *echo = &ladder->echo;
    int code = 0;

    block->recorded = 0;
    for (size_t i = 0; i < block->count && code >= 0; i++) {
        code = echo_run_exchange(&echo->run, &echo->messages[kind], &ladder->run.session.clock,
                                 &block->ticks[block->recorded], error);
        block->recorded += code == 0;
    }
    return code < 0 ? code : 0;
}

static int run_ladder_block(void *context, size_t series, struct block *block, struct error *error)
{
    struct ladder_run *ladder = context;

    block->recorded = block->count;
    switch ((enum ladder_beside)series) {
    case LADDER_BESIDE_XDR:
        run_xdr_block(ladder, block);
        return 0;
    case LADDER_BESIDE_ECHO:
        return run_echo_block(ladder, LADDER_ECHO_OF_NULL, block, error);
    case LADDER_BESIDE_ECHO_OP:
        return run_echo_block(ladder, LADDER_ECHO_OF_OP, block, error);
    default:
        run_timer_block(&ladder->run.session.clock, block);
        return 0;
    }
}

/* Return true if the interval of the op's cost above NULL is as narrow as the plan's precision asks
 * for. For long network paths, a wider interval is enough: a tenth of the precision's share, taken
 * of the typical time of the op's calls instead of the cost. */
static bool is_ladder_precise(const struct explain_run *run)
{
    const struct ladder_run *ladder = (const struct ladder_run *)run;
    struct precision of_cost = run->plan->run.precision, of_call = {.share = of_cost.share / 10};
    struct interval cost;

    if (!explain_run_difference(run, ladder->null_index, ladder->op_index, &cost))
        return false;
    if (precision_reached(&of_cost, &cost))
        return true;
    of_call.ns = of_call.share * explain_run_typical(run, ladder->op_index);
    return precision_reached(&of_call, &cost);
}

static void fill_series(const struct ladder_run *ladder, const struct series *series[LADDER_RUNGS])
{
    size_t own = ladder->run.session.set.count;
    const size_t numbers[LADDER_RUNGS] = {
        [LADDER_TIMER] = own + LADDER_BESIDE_TIMER,     [LADDER_XDR] = own + LADDER_BESIDE_XDR,
        [LADDER_ECHO] = own + LADDER_BESIDE_ECHO,       [LADDER_NULL] = ladder->null_index,
        [LADDER_ECHO_OP] = own + LADDER_BESIDE_ECHO_OP, [LADDER_OP] = ladder->op_index};

    for (size_t i = 0; i < LADDER_RUNGS; i++)
        series[i] = &ladder->run.rounds.series[numbers[i]];
}

static void set_bytes(struct ladder_level *level, const struct channel_bytes *message)
{
    level->call_bytes = message->length;
    level->reply_bytes = message->answer;
}

static void fill_bytes(struct ladder_level rungs[LADDER_RUNGS],
                       const struct channel_bytes *messages)
{
    set_bytes(&rungs[LADDER_ECHO], &messages[LADDER_ECHO_OF_NULL]);
    set_bytes(&rungs[LADDER_NULL], &messages[LADDER_ECHO_OF_NULL]);
    set_bytes(&rungs[LADDER_ECHO_OP], &messages[LADDER_ECHO_OF_OP]);
    set_bytes(&rungs[LADDER_OP], &messages[LADDER_ECHO_OF_OP]);
}

void ladder_set_rungs(struct ladder_result *result, const struct series *const series[LADDER_RUNGS])
{
    const struct ladder *ladder = &result->ladder;

    for (enum ladder_rung rung = 0; rung < LADDER_RUNGS; rung++) {
        const struct ladder_rung_type *type = &ladder_rungs[rung];
        const struct histogram *histogram = &series[rung]->histogram;

        result->rungs[rung] = (struct ladder_level){.rung = type->name,
                                                    .calls = series[rung]->calls,
                                                    .level = ladder->levels[rung],
                                                    .mean = histogram->mean,
                                                    .p50 = histogram_quantile(histogram, 0.5),
                                                    .p99 = histogram_quantile(histogram, 0.99)};
        result->steps[rung] = (struct breakdown_part){
            .key = type->step,
            .rung = type->name,
            .above = rung == LADDER_TIMER ? NULL : ladder_rungs[type->above].name,
            .ns = ladder->steps[rung],
            .share = type->beside ? (double)NAN : ladder_share(ladder, rung),
            .in_sum = !type->beside,
            .distinguishable = ladder_is_distinguishable(ladder, rung)};
    }
}

static int fill_ladder(struct ladder_run *ladder, struct error *error)
{
    const struct run_plan *plan = &ladder->run.plan->run;
    const struct series_set *set = &ladder->run.session.set;
    const struct rounds *rounds = &ladder->run.rounds;
    struct ladder_result *result = &ladder->result;
    const struct series *series[LADDER_RUNGS];
    int code;

    result->op = plan->ops[0]->op;
    result->null_op = set->series[ladder->null_index]->name;
    result->echo = endpoint_describe(&ladder->echo.run.endpoint, ladder->echo_name);
    result->echo_is_own = ladder->echo.run.process.pid > 0;
    fill_series(ladder, series);
    code = ladder_estimate(&result->ladder, series, &rounds->series[ladder->control_index],
                           rounds->done, plan->seed, error);
    if (code)
        return code;
    ladder_set_rungs(result, series);
    fill_bytes(result->rungs, ladder->echo.messages);
    return 0;
}

static int make_ladder_result(struct explain_run *run, const char *cut_short_by,
                              const void **result, struct error *error)
{
    struct ladder_run *ladder = (struct ladder_run *)run;
    int code = fill_ladder(ladder, error);

    ladder->result.run = &run->outcome.result;
    *result = code ? NULL : &ladder->result;
    return code;
}

static void close_ladder(struct explain_run *run)
{
    struct ladder_run *ladder = (struct ladder_run *)run;

    close_echo(&ladder->echo);
    xdr_work_close(&ladder->xdr);
}

/* Return the minimum time of a round, ns: one call of NULL, the op and the null control, and two
 * exchanges with the echo. */
static double shortest_ladder_round(const struct run_plan *plan, double round_trip_ns,
                                    uint32_t *block)
{
    return time_use_shortest_round(plan, round_trip_ns, block) +
           (1 + LADDER_ECHOES) * round_trip_ns;
}

const struct explain_method explain_ladder = {
    .size = sizeof(struct ladder_run),
    .shortest_round = shortest_ladder_round,
    .open = open_ladder,
    .add_series = add_ladder_series,
    .source = {.run = run_ladder_block},
    .is_precise = is_ladder_precise,
    .result = make_ladder_result,
    .close = close_ladder,
};
