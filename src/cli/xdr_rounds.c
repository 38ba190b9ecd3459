#include "cli/xdr_rounds.h"

#include <errno.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/session_rounds.h"

/* Of each op: its XDR by kind, then its round trips. */
enum { SERIES_OF_OP = XDR_WORKS + 1, SERIES_MAXIMUM = SERIES_OF_OP * (SETTINGS_OPS_MAXIMUM + 2) };

static uint64_t time_batch(const struct clock *clock, struct xdr_work *work,
                           enum xdr_work_kind kind, size_t repetitions)
{
    uint64_t started = clock->start();

    xdr_work_repeat(work, kind, repetitions);
    return clock->stop() - started;
}

/* Twice as many, until they take long enough twice in a row: the first may have been slow. */
static size_t choose_repetitions(const struct clock *clock, struct xdr_work *work,
                                 enum xdr_work_kind kind)
{
    enum { MAXIMUM = 1 << 16 };
    size_t repetitions = 1;

    while (repetitions < MAXIMUM &&
           (clock_sample_ns(clock, time_batch(clock, work, kind, repetitions)) < XDR_BATCH_NS ||
            clock_sample_ns(clock, time_batch(clock, work, kind, repetitions)) < XDR_BATCH_NS))
        repetitions *= 2;
    return repetitions;
}

static int add_op(struct xdr_rounds *run, size_t index, struct error *error)
{
    struct xdr_rounds_op *op = &run->ops[run->op_count++];
    int code = xdr_work_open(&op->work, &run->session->series[index].call, error);

    op->index = index;
    for (unsigned kind = 0; kind < XDR_WORKS && code == 0; kind++)
        op->repetitions[kind] = choose_repetitions(&run->session->clock, &op->work, kind);
    return code;
}

int xdr_rounds_open(struct xdr_rounds *run, struct session *session, struct error *error)
{
    int code = 0;

    memset(run, 0, sizeof *run);
    run->session = session;
    run->source = session_blocks(session);
    for (size_t i = 0; i < session->series_count && code == 0; i++)
        if (session->series[i].role != SERIES_CONTROL)
            code = add_op(run, i, error);
    return code;
}

void xdr_rounds_close(struct xdr_rounds *run)
{
    for (size_t i = 0; i < run->op_count; i++)
        xdr_work_close(&run->ops[i].work);
    rounds_close(&run->rounds);
}

const struct series *xdr_rounds_series(const struct xdr_rounds *run, size_t op, size_t kind)
{
    return &run->rounds.series[op * SERIES_OF_OP + kind];
}

double xdr_rounds_scale(const struct xdr_rounds *run, size_t op, size_t kind)
{
    return kind < XDR_WORKS ? 1 / (double)run->ops[op].repetitions[kind] : 1;
}

uint32_t xdr_rounds_batches(const struct xdr_rounds *run)
{
    return run->session->block < XDR_BATCHES ? run->session->block : XDR_BATCHES;
}

/* The blocks */

static int run_block(void *context, size_t series, size_t count, uint64_t *ticks, size_t *recorded,
                     struct error *error)
{
    struct xdr_rounds *run = context;
    struct xdr_rounds_op *op = &run->ops[series / SERIES_OF_OP];
    unsigned kind = (unsigned)(series % SERIES_OF_OP);

    if (kind == XDR_WORKS)
        return run->source.run(run->source.context, op->index, count, ticks, recorded, error);
    xdr_work_repeat(&op->work, kind, 1); /* other ops had the caches */
    for (size_t i = 0; i < count; i++)
        ticks[i] = time_batch(&run->session->clock, &op->work, kind, op->repetitions[kind]);
    *recorded = count;
    return interrupt_flag ? error_set(error, ERROR_FAILED, -EINTR, "interrupted") : 0;
}

static int prepare_block(void *context, size_t series, size_t count, struct error *error)
{
    struct xdr_rounds *run = context;

    if (series % SERIES_OF_OP != XDR_WORKS)
        return 0;
    return run->source.prepare(run->source.context, run->ops[series / SERIES_OF_OP].index, count,
                               error);
}

static int clear_block(void *context, size_t series, size_t count, struct error *error)
{
    struct xdr_rounds *run = context;

    if (series % SERIES_OF_OP != XDR_WORKS)
        return 0;
    return run->source.clear(run->source.context, run->ops[series / SERIES_OF_OP].index, count,
                             error);
}

/* With so many series some level always moves: what is warm after the windows that it takes to see
 * that will do. */
static bool is_warm(void *context, bool steady)
{
    (void)context;
    (void)steady;
    return true;
}

static void measuring_begins(void *context)
{
    struct xdr_rounds *run = context;

    run->source.measuring_begins(run->source.context);
}

static void round_done(void *context, size_t round)
{
    struct xdr_rounds *run = context;

    run->source.round_done(run->source.context, round);
}

static bool all_precise(const struct xdr_rounds *run, size_t rounds)
{
    const struct settings *settings = run->session->settings;
    struct interval interval;
    struct error ignored;

    for (size_t i = 0; i < run->op_count; i++)
        if (estimate_median_interval(
                xdr_rounds_series(run, i, XDR_WORKS)->blocks[BLOCK_TRIMMED_MEAN], rounds,
                settings->seed, &interval, &ignored) != 0 ||
            !precision_reached(&settings->precision, &interval))
            return false;
    return true;
}

/* Of a run without a number of calls: when all round trips are known well enough, or its time is
 * over. */
static bool enough(void *context, size_t rounds)
{
    struct xdr_rounds *run = context;
    const struct session *session = run->session;

    return (precision_is_look(rounds) && precision_ends(&run->narrow, all_precise(run, rounds))) ||
           clock_raw_ns() - session->began_ns >= session->settings->maximum_ns;
}

/* The run */

static void shape(const struct xdr_rounds *run, uint32_t *blocks)
{
    for (size_t i = 0; i < run->op_count * SERIES_OF_OP; i++)
        blocks[i] = i % SERIES_OF_OP == XDR_WORKS ? run->session->block : xdr_rounds_batches(run);
}

int xdr_rounds_measure(struct xdr_rounds *run, struct error *error)
{
    struct session *session = run->session;
    const struct settings *settings = session->settings;
    uint32_t blocks[SERIES_MAXIMUM];
    struct rounds_plan plan = {.series = run->op_count * SERIES_OF_OP,
                               .calls = settings->calls,
                               .block = session->block,
                               .blocks = blocks,
                               .warmup = !settings->no_warmup,
                               .seed = settings->seed};
    struct block_source source = {.run = run_block,
                                  .prepare = prepare_block,
                                  .clear = clear_block,
                                  .warm = is_warm,
                                  .measuring_begins = measuring_begins,
                                  .round_done = round_done,
                                  .enough = settings->calls ? NULL : enough,
                                  .context = run};
    int code = rounds_open(&run->rounds, &plan, error);

    if (code)
        return code;
    shape(run, blocks);
    progress_start(&session->progress, settings->quiet, settings->calls ? run->rounds.planned : 0,
                   settings->maximum_ns, run->op_count * session->block);
    code = rounds_run(&run->rounds, &plan, &session->clock, &source, error);
    session_rounds_end(session, code);
    return code;
}
