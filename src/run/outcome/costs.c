#include "run/outcome/costs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/statistics/mean_cost.h"
#include "output/view/number.h"

static const struct op_costs *costs_baseline(const struct costs *costs, const struct result *result,
                                             size_t index)
{
    return &costs->ops[result->ops[index].baseline - result->ops];
}

static const struct series *find_echo(const struct measured *measured, const struct result_op *op)
{
    const bool has_one = op->role == RESULT_NULL || op->role == RESULT_OP;

    for (size_t i = 0; i < measured->count && measured->has_witness && has_one; i++)
        if (measured->series[i].role == SERIES_ECHO &&
            strcmp(measured->series[i].name, op->op) == 0)
            return measured->series[i].samples;
    return NULL;
}

/* Set the ops' ECHO_BLOCKS to the median of the exchanges in each block of the witness. These
 * blocks are too short for a trimmed mean. */
static void fill_echo_blocks(struct result *result, const struct measured *measured)
{
    for (size_t i = 0; i < result->op_count; i++) {
        const struct series *echo = find_echo(measured, &result->ops[i]);

        result->ops[i].echo_blocks = echo ? echo->blocks[BLOCK_P50] : NULL;
    }
}

static int fill_echoes(const struct costs *costs, struct result *result, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < result->op_count && code == 0; i++) {
        struct result_op *op = &result->ops[i];
        struct replicates replicates;

        if (!op->echo_blocks)
            continue;
        code = estimate_median_replicates(op->echo_blocks, &costs->resampling, &replicates, error);
        op->has_echo = code == 0;
        if (code == 0)
            estimate_interval(&replicates, &op->echo);
    }
    return code;
}

/* Set LEVELS, for each round, to the mean of ECHO_BLOCKS over the ops or, without a witness, to the
 * level of NULL. */
static void find_levels(double *levels, const struct result *result)
{
    size_t series = 0;

    for (size_t i = 0; i < result->op_count; i++) {
        const double *blocks = result->ops[i].echo_blocks;

        for (size_t round = 0; blocks && round < result->rounds.done; round++)
            levels[round] = (levels[round] * (double)series + blocks[round]) / (double)(series + 1);
        series += blocks != NULL;
    }
    if (series == 0)
        memcpy(levels, result->null_calls->blocks, result->rounds.done * sizeof *levels);
}

static int find_regimes(struct costs *costs, struct result *result, struct error *error)
{
    const size_t n = result->null_calls ? result->rounds.done : 0;
    double *levels = calloc(n + 1, sizeof *levels);
    int code = levels ? 0 : -ENOMEM;

    if (levels && n > 0) {
        find_levels(levels, result);
        code = regimes_find(&costs->regimes, levels, n, error);
    }
    free(levels);
    result->regimes =
        arena_alloc(&result->arena, costs->regimes.count + 1, sizeof *result->regimes);
    if (code || !result->regimes)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the rounds' levels");
    result->regime_count = costs->regimes.count;
    memcpy(result->regimes, costs->regimes.list, result->regime_count * sizeof *result->regimes);
    return 0;
}

/* Choose one resampling for all estimates of the run, so that costs and the model's rates can be
 * combined. The resampling block, in rounds, is the longest that the difference of any op from its
 * baseline requires, but at least BLOCK. */
static int choose_resampling(struct costs *costs, const struct result *result, size_t block,
                             struct error *error)
{
    struct resampling *resampling = &costs->resampling;
    int code = 0;

    *resampling = (struct resampling){result->rounds.done, 1, result->seed, &costs->regimes};
    if (block > 1)
        resampling->block = block;
    for (size_t i = 0; i < costs->count && code == 0; i++)
        if (result->ops[i].baseline)
            code = above_null_lengthen(resampling, costs->ops[i].series,
                                       costs_baseline(costs, result, i)->series, error);
    return code;
}

static struct result_cost cost_of(const struct above_null *above, double ns_per_tick)
{
    return (struct result_cost){.cost = above->cost,
                                .p50 = above->p50,
                                .p90 = above->p90,
                                .p99 = above->p99,
                                .mean_difference = above->mean_difference,
                                .tsc_cycles = number_as_written(above->cost.estimate / ns_per_tick),
                                .share = above->share,
                                .distinguishable = above->distinguishable};
}

static int fill_mean_cost(struct costs *costs, struct result *result, size_t index,
                          struct error *error)
{
    const struct op_costs *op = &costs->ops[index];
    struct result_op *filled = &result->ops[index];
    struct mean_cost mean;
    double noise = filled == result->null_control ? 0 : result_noise(result, RESULT_MEAN_COST);
    int code = mean_cost_estimate(&mean, op->series, costs_baseline(costs, result, index)->series,
                                  &costs->resampling, &op->above_null.cost, noise, error);

    if (code)
        return code;
    filled->has_mean_cost = true;
    filled->mean_cost =
        (struct result_mean_cost){mean.cost, mean.rare, mean.rare_share, mean.disagrees};
    return 0;
}

static void fill_p99_cost(struct costs *costs, struct result *result, size_t index)
{
    struct result_op *filled = &result->ops[index];
    double p99 =
        above_null_p99(costs->ops[index].series, costs_baseline(costs, result, index)->series);

    filled->has_p99_cost = !isnan(p99);
    filled->p99_cost = (struct interval){p99, NAN, NAN};
}

static int estimate_op(struct costs *costs, struct result *result, size_t index, double noise_floor,
                       struct error *error)
{
    struct op_costs *op = &costs->ops[index];
    double ns_per_tick = isnan(result->host.tsc_hz) ? NAN : result->clock.ns_per_tick;
    int code = above_null_estimate(&op->above_null, op->series,
                                   costs_baseline(costs, result, index)->series, &costs->resampling,
                                   noise_floor, error);

    if (code)
        return code;
    result->ops[index].has_above_null = true;
    result->ops[index].above_null = cost_of(&op->above_null, ns_per_tick);
    fill_p99_cost(costs, result, index);
    return fill_mean_cost(costs, result, index, error);
}

/* Estimate the ops' costs above NULL, first the control's, whose interval is the noise floor. */
static int fill_above_null(struct costs *costs, struct result *result, struct error *error)
{
    const struct result_op *control = result->null_control; /* NULL: the run has no control */
    int code = control ? estimate_op(costs, result, (size_t)(control - result->ops), 0, error) : 0;
    double noise_floor = result_noise(result, RESULT_COST);

    for (size_t i = 0; i < costs->count && code == 0; i++)
        if (&result->ops[i] != control && result->ops[i].baseline)
            code = estimate_op(costs, result, i, noise_floor, error);
    return code;
}

static void add_point(struct cost_points *points, const struct measured_series *series)
{
    if (points->count < COST_MODEL_POINTS_MAXIMUM)
        points->points[points->count++] = (struct cost_point){series->lengths, series->samples};
}

static int compare_replies(const void *a, const void *b)
{
    const struct cost_point *x = a, *y = b;

    return (x->lengths.reply > y->lengths.reply) - (x->lengths.reply < y->lengths.reply);
}

static bool is_point(const struct measured_series *series, enum nfs_transfer transfer)
{
    const struct nfs_procedure *procedure = series->procedure;

    return series_roles[series->role].is_op && procedure->fits_cost_model &&
           procedure->transfer == transfer;
}

/* Add each series to which the model is fitted to COSTS' points of call, reply or pause, whichever
 * the series varies. READ and WRITE ops that suit the model are included, because the model also
 * splits their costs. Only the points of reply are sorted by length. */
static void collect_points(struct costs *costs, const struct measured *measured)
{
    struct cost_points_by *points = &costs->points;

    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_series *series = &measured->series[i];

        if (series->role == SERIES_CALL_LENGTH)
            costs->call_op = series->procedure->op;
        if (series->role == SERIES_CALL_LENGTH || is_point(series, NFS_TRANSFER_WRITE))
            add_point(&points->call, series);
        else if (series->role == SERIES_REPLY_LENGTH || is_point(series, NFS_TRANSFER_READ))
            add_point(&points->reply, series);
        else if (series->role == SERIES_PAUSE || series->role == SERIES_NULL)
            add_point(&points->pause, series);
    }
    qsort(points->reply.points, points->reply.count, sizeof points->reply.points[0],
          compare_replies);
}

/* Add POINTS, to which the model was fitted, to MODEL, as points of OP. */
static void add_result_points(struct result_model *model, const char *op,
                              const struct cost_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct cost_point *point = &points->points[i];

        model->points[model->point_count++] =
            (struct result_point){.op = op,
                                  .call = point->lengths.call,
                                  .reply = point->lengths.reply,
                                  .reply_packets = point->lengths.packets,
                                  .pause_ns = point->lengths.pause,
                                  .calls = point->series->histogram.count,
                                  .p50 = histogram_quantile(&point->series->histogram, 0.5)};
    }
}

static struct result_rate result_rate_of(const struct cost_rate *rate)
{
    return (struct result_rate){rate->known, rate->ns};
}

static int describe_model(struct result *result, const struct costs *costs, struct error *error)
{
    const struct cost_points_by *points = &costs->points;
    struct result_model *model = arena_alloc(&result->arena, 1, sizeof *model);
    size_t count = points->call.count + points->reply.count + points->pause.count;

    if (model)
        model->points = arena_alloc(&result->arena, count, sizeof *model->points);
    if (!model || !model->points)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result");
    model->call = result_rate_of(&costs->model.call);
    model->reply = result_rate_of(&costs->model.reply);
    model->packet = result_rate_of(&costs->model.packet);
    model->pause = result_rate_of(&costs->model.pause);
    model->call_misfit_ns = costs->model.call_misfit_ns;
    model->reply_misfit_ns = costs->model.reply_misfit_ns;
    model->pause_misfit_ns = costs->model.pause_misfit_ns;
    add_result_points(model, costs->call_op ? costs->call_op : "null", &points->call);
    add_result_points(model, "read", &points->reply);
    add_result_points(model, "null", &points->pause);
    result->model = model;
    return 0;
}

static int split_op(struct costs *costs, struct result *result, size_t index, struct error *error)
{
    const struct op_costs *null_calls = &costs->ops[result->null_calls - result->ops];
    struct op_costs *op = &costs->ops[index];
    int code = cost_model_split(&costs->model, &op->above_null.cost_replicates, &op->lengths,
                                &null_calls->lengths, &op->split, error);

    if (code)
        return code;
    result->ops[index].has_split = true;
    result->ops[index].split =
        (struct result_split){.bytes = op->split.bytes,
                              .pause = op->split.pause,
                              .server = op->split.server,
                              .extrapolated = op->lengths.reply > costs->model.reply_longest};
    return 0;
}

/* Can the cost of op number INDEX be split? The model covers only ops of NFS with a single call. */
static bool can_be_split(const struct result *result, const struct measured *measured, size_t index)
{
    const struct measured_series *series = &measured->series[index];

    return result->ops[index].role >= RESULT_MIX && series->procedure->service == SERVICE_NFS &&
           !series->is_sequence;
}

static int fill_model(struct costs *costs, struct result *result, const struct measured *measured,
                      struct error *error)
{
    int code;

    if (measured->plan->no_model || result->op_count <= 2)
        return 0;
    collect_points(costs, measured);
    code = cost_model_fit(&costs->model, &costs->points, &costs->resampling, error);
    if (code == 0)
        code = describe_model(result, costs, error);
    if (code || !costs->model.call.known || !costs->model.reply.known)
        return code;
    for (size_t i = 0; i < costs->count && code == 0; i++)
        if (can_be_split(result, measured, i))
            code = split_op(costs, result, i, error);
    return code;
}

int costs_fill(struct costs *costs, struct result *result, const struct measured *measured,
               size_t block, struct error *error)
{
    int code;

    fill_echo_blocks(result, measured);
    code = find_regimes(costs, result, error);
    if (code == 0)
        code = choose_resampling(costs, result, block, error);
    if (code || !result->null_calls)
        return code;
    code = fill_above_null(costs, result, error);
    if (code == 0)
        code = fill_model(costs, result, measured, error);
    return code ? code : fill_echoes(costs, result, error);
}
