/* Measure the XDR of each op. For each of a session's ops, a round has a block of round trips and a
 * block of each kind of XDR work, in random order. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cpu.h"
#include "explain/explain_run.h"
#include "explain/xdr/xdr.h"
#include "measure/statistics/estimate.h"

/* One sample of XDR is a batch of repetitions. A batch is so long that the clock's resolution, and
 * the error in the cost of reading the clock, are negligible. */
enum { XDR_BATCH_NS = 10 * 1000, XDR_BATCHES = 10 /* most batches in a block */ };

enum { XDR_OPS_MAXIMUM = RUN_PLAN_OPS_MAXIMUM + 2 };

_Static_assert((int)XDR_WORKS *XDR_OPS_MAXIMUM <= (int)EXTRA_SERIES_MAXIMUM,
               "the series of all ops");

struct xdr_run_op {
    size_t index; /* index in the session's series */
    struct xdr_work work;
    size_t repetitions[XDR_WORKS]; /* number of repetitions of each kind of work in a batch */
};

struct xdr_run {
    /* run whose rounds have the session's series (the round trips), then, op by op, a series for
     * each kind of work */
    struct explain_run run;
    struct xdr_run_op ops[XDR_OPS_MAXIMUM];
    size_t op_count;
    struct xdr_row rows[XDR_OPS_MAXIMUM];
    struct result_skipped skipped[RUN_PLAN_OPS_MAXIMUM];
    struct xdr_result result;
};

static uint64_t time_batch(const struct clock *clock, struct xdr_work *work,
                           enum xdr_work_kind kind, size_t repetitions)
{
    uint64_t started = clock->start();

    xdr_work_repeat(work, kind, repetitions);
    return clock->stop() - started;
}

/* Return true if two successive batches are long enough. (One alone may have been disturbed.) */
static bool takes_long_enough(const struct clock *clock, struct xdr_work *work,
                              enum xdr_work_kind kind, size_t repetitions)
{
    for (unsigned i = 0; i < 2; i++)
        if (clock_sample_ns(clock, time_batch(clock, work, kind, repetitions)) < XDR_BATCH_NS)
            return false;
    return true;
}

static size_t choose_repetitions(const struct clock *clock, struct xdr_work *work,
                                 enum xdr_work_kind kind)
{
    enum { MAXIMUM = 1 << 16 };
    size_t repetitions = 1;

    while (repetitions < MAXIMUM && !takes_long_enough(clock, work, kind, repetitions))
        repetitions *= 2;
    return repetitions;
}

static int add_op(struct xdr_run *xdr, size_t index, struct error *error)
{
    const struct clock *clock = &xdr->run.session.clock;
    struct xdr_run_op *op = &xdr->ops[xdr->op_count++];
    const struct run_series *series = xdr->run.session.set.series[index];
    struct rpc_client *client =
        xdr->run.session.setup.clients[series->service]; /* NULL: the connection was lost */
    struct gss_client *security = client ? channel_security(rpc_client_channel(client)) : NULL;
    int code = xdr_work_open(&op->work, &series->call, security, error);

    op->index = index;
    for (unsigned kind = 0; kind < XDR_WORKS && code == 0; kind++)
        if (xdr_work_has(&op->work, kind)) {
            op->repetitions[kind] = choose_repetitions(clock, &op->work, kind);
            xdr->run.times.round_ns += XDR_BATCHES * XDR_BATCH_NS;
        }
    return code;
}

static int open_xdr(struct explain_run *run, struct error *error)
{
    struct xdr_run *xdr = (struct xdr_run *)run;
    const struct series_set *set = &run->session.set;
    int code = 0;

    for (size_t i = 0; i < set->count && code == 0; i++)
        if (set->series[i] != set->control)
            code = add_op(xdr, i, error);
    return code;
}

/* The rounds */

static uint32_t batches(const struct explain_run *run)
{
    return run->session.set.block < XDR_BATCHES ? run->session.set.block : XDR_BATCHES;
}

static void add_xdr_series(const struct explain_run *run, struct beside *beside)
{
    const struct xdr_run *xdr = (const struct xdr_run *)run;

    for (size_t i = 0; i < xdr->op_count * XDR_WORKS; i++)
        explain_add_series(beside, EXTRA_WITHOUT_CALLS, batches(run));
}

static int run_xdr_work_block(void *context, size_t series, struct block *block,
                              struct error *error)
{
    struct xdr_run *xdr = context;
    struct xdr_run_op *op = &xdr->ops[series / XDR_WORKS];
    enum xdr_work_kind kind = (enum xdr_work_kind)(series % XDR_WORKS);

    block->recorded = block->count;
    memset(block->ticks, 0, block->count * sizeof *block->ticks);
    if (!xdr_work_has(&op->work, kind))
        return 0;
    xdr_work_repeat(&op->work, kind, 1); /* warm the caches, which other ops have used */
    for (size_t i = 0; i < block->count; i++)
        block->ticks[i] =
            time_batch(&xdr->run.session.clock, &op->work, kind, op->repetitions[kind]);
    return op->work.code
               ? op->work.security->type->describe(op->work.security, op->work.code, error)
               : 0;
}

/* Return true. With so many series, some series is never steady, so the warm-up ends after its
 * minimum length. */
static bool is_warm(void *context, bool steady)
{
    return true;
}

/* Return an array of one trimmed mean time per round for op number OP: of a round trip if KIND is
 * XDR_ROUND_TRIP, else of a batch of the work KIND (enum xdr_work_kind). */
static const double *blocks_of(const struct xdr_run *xdr, size_t op, size_t kind)
{
    size_t index = kind == XDR_ROUND_TRIP ? xdr->ops[op].index
                                          : xdr->run.session.set.count + op * XDR_WORKS + kind;

    return xdr->run.rounds.series[index].blocks[BLOCK_TRIMMED_MEAN];
}

/* Return true if the round trips are precise enough. The times of XDR are not checked. */
static bool are_round_trips_precise(const struct explain_run *run)
{
    const struct xdr_run *xdr = (const struct xdr_run *)run;
    const struct run_plan *plan = &run->plan->run;
    struct interval interval;
    struct error ignored;

    for (size_t i = 0; i < xdr->op_count; i++)
        if (estimate_median_interval(blocks_of(xdr, i, XDR_ROUND_TRIP), run->rounds.done,
                                     plan->seed, &interval, &ignored) != 0 ||
            !precision_reached(&plan->precision, &interval))
            return false;
    return true;
}

/* Return the factor that converts a time from blocks_of() for KIND to the time of one call. */
static double scale_of(const struct xdr_run_op *op, size_t kind)
{
    return kind < XDR_WORKS ? 1 / (double)op->repetitions[kind] : 1;
}

static int fill_time(struct xdr_run *xdr, size_t op, size_t kind, struct error *error)
{
    struct interval *interval = &xdr->rows[op].figures[kind];
    double scale = scale_of(&xdr->ops[op], kind);
    int code;

    *interval = (struct interval){NAN, NAN, NAN};
    if (kind < XDR_WORKS && !xdr_work_has(&xdr->ops[op].work, (enum xdr_work_kind)kind))
        return 0;
    code = estimate_median_interval(blocks_of(xdr, op, kind), xdr->run.rounds.done,
                                    xdr->run.session.plan->seed, interval, error);

    interval->estimate *= scale;
    interval->low *= scale;
    interval->high *= scale;
    return code;
}

/* Add the times per call of KIND for op number OP, round by round, to SUM. */
static void add_times(const struct xdr_run *xdr, size_t op, size_t kind, double *sum)
{
    const double *blocks = blocks_of(xdr, op, kind);
    double scale = scale_of(&xdr->ops[op], kind);

    for (size_t i = 0; i < xdr->run.rounds.done; i++)
        sum[i] += scale * blocks[i];
}

/* Set FIGURE of op number OP: the share that the kinds of work FIRST and FIRST + 1 have in a call
 * that consists of these two and the round trip. */
static int fill_share(struct xdr_run *xdr, size_t op, enum xdr_work_kind first,
                      enum xdr_figure figure, struct error *error)
{
    size_t n = xdr->run.rounds.done;
    double *part = calloc(n, sizeof *part);
    int code;

    if (!part)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a share");
    add_times(xdr, op, first, part);
    add_times(xdr, op, first + 1, part);
    code =
        estimate_share_interval(part, blocks_of(xdr, op, XDR_ROUND_TRIP), n,
                                xdr->run.session.plan->seed, &xdr->rows[op].figures[figure], error);
    free(part);
    return code;
}

static int fill_row(struct xdr_run *xdr, size_t op, struct error *error)
{
    const struct run_series *series = xdr->run.session.set.series[xdr->ops[op].index];
    struct xdr_row *row = &xdr->rows[op];
    int code = 0;

    row->op = series->name;
    row->call_bytes = series->call.engine.messages[0].length;
    row->reply_bytes = series->call.reply_length;
    for (size_t kind = 0; kind <= XDR_ROUND_TRIP && code == 0; kind++)
        code = fill_time(xdr, op, kind, error);
    if (code == 0)
        code = fill_share(xdr, op, XDR_WORK_ENCODE, XDR_SHARE_RPCGEN, error);
    return code ? code : fill_share(xdr, op, XDR_WORK_STAMP, XDR_SHARE_WIRE, error);
}

static void fill_environment(struct xdr_run *xdr)
{
    const struct setup *setup = &xdr->run.session.setup;
    const struct clock *clock = &xdr->run.session.clock;
    struct xdr_result *result = &xdr->result;

    outcome_fill_origin(&result->origin, setup->plan, xdr->run.session.started,
                        transport_name(setup->mount.nfs.transport));
    cpu_allowed_list(result->client_cpus);
    result->server_cpu = setup->plan->target.self ? setup->self.pinned_cpu : -1;
    result->clock = clock->name;
    result->clock_cost_ns = clock->cost_ns;
}

static void fill_skipped(struct xdr_run *xdr)
{
    const struct series_set *set = &xdr->run.session.set;

    for (size_t i = 0; i < set->skipped_count; i++)
        xdr->skipped[i] = (struct result_skipped){set->skipped[i].op, set->skipped[i].reason};
    xdr->result.skipped = xdr->skipped;
    xdr->result.skipped_count = set->skipped_count;
}

static int make_xdr_result(struct explain_run *run, const char *cut_short_by, const void **result,
                           struct error *error)
{
    struct xdr_run *xdr = (struct xdr_run *)run;
    struct xdr_result *filled = &xdr->result;
    int code = 0;

    fill_environment(xdr);
    filled->cut_short_by = cut_short_by;
    filled->rounds = run->rounds.done;
    filled->batches = batches(run);
    filled->round_trips = run->session.set.block;
    filled->batch_ns = XDR_BATCH_NS;
    filled->rows = xdr->rows;
    filled->row_count = xdr->op_count;
    for (size_t i = 0; i < filled->row_count && code == 0; i++)
        code = fill_row(xdr, i, error);
    fill_skipped(xdr);
    *result = code ? NULL : filled;
    return code;
}

static void close_xdr(struct explain_run *run)
{
    struct xdr_run *xdr = (struct xdr_run *)run;

    for (size_t i = 0; i < xdr->op_count; i++)
        xdr_work_close(&xdr->ops[i].work);
}

/* Return the minimum time of the round trips in a round, ns: those of NULL, the ops and the null
 * control. */
static double shortest_xdr_round(const struct run_plan *plan, double round_trip_ns, uint32_t *block)
{
    return time_use_shortest_round(plan, round_trip_ns, block) + round_trip_ns;
}

const struct explain_method explain_xdr = {
    .shortest_round = shortest_xdr_round,
    .size = sizeof(struct xdr_run),
    .unjudged = true,
    .open = open_xdr,
    .add_series = add_xdr_series,
    .source = {.run = run_xdr_work_block, .warm = is_warm},
    .is_precise = are_round_trips_precise,
    .result = make_xdr_result,
    .close = close_xdr,
};
