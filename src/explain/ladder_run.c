/* A ladder: NULL and the op in a session's rounds, with additional blocks that are not calls. */

#include "explain/ladder.h"
#include "explain/ladder_echo.h"
#include "nfs/xdr_work.h"
#include "run/outcome.h"

/* The additional blocks, as series after the session's. */
enum ladder_beside {
    LADDER_BESIDE_TIMER,
    LADDER_BESIDE_XDR,
    LADDER_BESIDE_ECHO,
    LADDER_BESIDE_ECHO_OP,
    LADDER_BESIDES,
};

_Static_assert(SERIES_MAXIMUM + LADDER_BESIDES <= EXPLAIN_SERIES_MAXIMUM, "a ladder's series");

struct ladder_run {
    struct explain_run run; /* its rounds have the session's series, then the additional ones */
    size_t null_index, control_index, op_index; /* in the session's series */
    struct ladder_echo echo;
    struct xdr_work xdr;
    struct outcome calls; /* null and the op as a run of their own */
    char echo_name[ENDPOINT_NAME_SIZE];
    struct ladder_result result;
};

/* Opening */

/* Find the requested op and its baseline; for NULL itself, that is the control. */
static void find_series(struct ladder_run *ladder)
{
    const struct series_set *set = &ladder->run.session.set;

    ladder->control_index = ladder->op_index = set->control->index;
    for (size_t i = 0; i < set->count; i++)
        if (series_role(set->series[i])->is_op)
            ladder->op_index = i; /* the op follows its own baseline, if there is one */
    ladder->null_index = set->series[ladder->op_index]->baseline->index;
}

static int open_ladder(struct explain_run *run, struct error *error)
{
    struct ladder_run *ladder = (struct ladder_run *)run;
    struct session *session = &run->session;
    const struct run_series *of[LADDER_ECHOES];
    int code;

    /* The timer is a rung and included in all others, so its cost is not subtracted. */
    session->clock.cost_ticks = session->clock.cost_ns = 0;
    find_series(ladder);
    of[LADDER_ECHO_OF_NULL] = session->set.series[ladder->null_index];
    of[LADDER_ECHO_OF_OP] = session->set.series[ladder->op_index];
    code = ladder_echo_open(&ladder->echo, &run->plan->echo, session, of, error);
    return code ? code : xdr_work_open(&ladder->xdr, &of[LADDER_ECHO_OF_OP]->call, NULL, error);
}

/* The rounds */

static uint64_t shape(const struct explain_run *run, size_t *series, uint32_t *blocks,
                      bool *follows)
{
    const struct session *session = &run->session;
    uint64_t calls = session_block_sizes(session, blocks, follows);

    *series = session->set.count + LADDER_BESIDES;
    for (size_t i = session->set.count; i < *series; i++) {
        blocks[i] = session->set.block;
        calls += session->set.block;
    }
    return calls;
}

static size_t calls_of(const struct explain_run *run, size_t series)
{
    return series < run->session.set.count ? series : EXPLAIN_BESIDE;
}

static void run_timer_block(const struct clock *clock, struct block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        uint64_t started = clock->start();

        block->ticks[i] = clock->stop() - started;
    }
}

/* One call per sample, as in a real client, and not a batch. */
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
        code = ladder_echo_exchange(echo, kind, &ladder->run.session.clock,
                                    &block->ticks[block->recorded], error);
        block->recorded += code == 0;
    }
    ladder->run.beside_failed = code < 0;
    return code < 0 ? code : 0;
}

static int run_block(void *context, size_t series, struct block *block, struct error *error)
{
    struct ladder_run *ladder = context;
    struct explain_run *run = &ladder->run;

    if (series < run->session.set.count)
        return run->calls.run(run->calls.context, series, block, error);
    block->recorded = block->count;
    switch ((enum ladder_beside)(series - run->session.set.count)) {
    case LADDER_BESIDE_XDR:
        run_xdr_block(ladder, block);
        return 0;
    case LADDER_BESIDE_ECHO:
        return run_echo_block(ladder, LADDER_ECHO_OF_NULL, block, error);
    case LADDER_BESIDE_ECHO_OP:
        return run_echo_block(ladder, LADDER_ECHO_OF_OP, block, error);
    default:
        run_timer_block(&run->session.clock, block);
        return 0;
    }
}

/* Give the session access to its own series of the rounds. */
static void show_rounds(struct explain_run *run)
{
    session_set_rounds(&run->session, &run->rounds, 0);
}

/* Result */

static const struct series *series_of(const struct ladder_run *ladder, enum ladder_rung rung)
{
    const struct series *series = ladder->run.rounds.series;
    const struct series *beside = &series[ladder->run.session.set.count];

    switch (rung) {
    case LADDER_XDR:
        return &beside[LADDER_BESIDE_XDR];
    case LADDER_ECHO:
        return &beside[LADDER_BESIDE_ECHO];
    case LADDER_NULL:
        return &series[ladder->null_index];
    case LADDER_ECHO_OP:
        return &beside[LADDER_BESIDE_ECHO_OP];
    case LADDER_OP:
        return &series[ladder->op_index];
    default:
        return &beside[LADDER_BESIDE_TIMER];
    }
}

static void fill_bytes(struct ladder_result *result, const struct channel_bytes *messages)
{
    const struct channel_bytes *null = &messages[LADDER_ECHO_OF_NULL];
    const struct channel_bytes *op = &messages[LADDER_ECHO_OF_OP];
    const struct ladder_bytes of_null = {null->length, null->answer};
    const struct ladder_bytes of_op = {op->length, op->answer};

    result->bytes[LADDER_ECHO] = result->bytes[LADDER_NULL] = of_null;
    result->bytes[LADDER_ECHO_OP] = result->bytes[LADDER_OP] = of_op;
}

static int fill_ladder(struct ladder_run *ladder, struct error *error)
{
    const struct session *session = &ladder->run.session;
    const struct rounds *rounds = &ladder->run.rounds;
    struct ladder_result *result = &ladder->result;

    result->op = session->plan->ops[0]->op;
    result->null_op = session->set.series[ladder->null_index]->name;
    result->echo = endpoint_describe(&ladder->echo.endpoint, ladder->echo_name);
    result->echo_is_own = ladder->echo.process.pid > 0;
    fill_bytes(result, ladder->echo.messages);
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        result->series[i] = series_of(ladder, i);
    return ladder_estimate(&result->ladder, result->series, &rounds->series[ladder->control_index],
                           rounds->done, session->plan->seed, error);
}

static uint64_t calls_beside(const struct explain_run *run)
{
    uint64_t calls = 0;

    for (size_t i = run->session.set.count; i < run->rounds.series_count; i++)
        calls += run->rounds.series[i].calls;
    return calls;
}

static int make_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error)
{
    struct ladder_run *ladder = (struct ladder_run *)run;
    int code;

    run->session.measuring.calls_beside = calls_beside(run);
    code = outcome_fill(&ladder->calls, &run->session, cut_short_by, error);
    if (code == 0)
        code = fill_ladder(ladder, error);
    ladder->result.run = &ladder->calls.result;
    *result = code ? NULL : &ladder->result;
    return code;
}

static void close_ladder(struct explain_run *run)
{
    struct ladder_run *ladder = (struct ladder_run *)run;

    outcome_free(&ladder->calls);
    run->session.measuring.rounds = (struct rounds){.series = NULL}; /* owned by the run */
    ladder_echo_close(&ladder->echo);
    xdr_work_close(&ladder->xdr);
}

const struct explain_method explain_ladder = {
    .size = sizeof(struct ladder_run),
    .open = open_ladder,
    .shape = shape,
    .calls_of = calls_of,
    .run_block = run_block,
    .show_rounds = show_rounds,
    .result = make_result,
    .close = close_ladder,
};
