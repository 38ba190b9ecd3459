#include "measure/statistics/cost_model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Weights of a least-squares fit y = constant + a X + b Z: a is the sum of x y, b of z y. */
struct weights {
    double x[COST_MODEL_POINTS_MAXIMUM], z[COST_MODEL_POINTS_MAXIMUM];
    bool has_z; /* true if the fit uses z */
};

struct regressors {
    double x[COST_MODEL_POINTS_MAXIMUM], z[COST_MODEL_POINTS_MAXIMUM];
    size_t count;
};

static void centre(double *values, size_t n)
{
    double mean = 0;

    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        values[i] -= mean;
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Centre REGRESSORS and compute their WEIGHTS. Returns false if there are fewer than two points, or
 * all x are equal. */
static bool find_weights(struct weights *weights, struct regressors *regressors)
{
    size_t n = regressors->count;
    double *x = regressors->x, *z = regressors->z;
    double xx, xz, zz, determinant;

    centre(x, n);
    centre(z, n);
    xx = product(x, x, n);
    xz = product(x, z, n);
    zz = product(z, z, n);
    determinant = xx * zz - xz * xz;
    if (n < 2 || xx <= 0)
        return false;
    /* z is used if a fit with z leaves a degree of freedom, and z is not nearly collinear with x */
    weights->has_z = n >= 4 && zz > 0 && determinant > 0.01 * xx * zz;
    for (size_t i = 0; i < n; i++) {
        weights->x[i] = weights->has_z ? (zz * x[i] - xz * z[i]) / determinant : x[i] / xx;
        weights->z[i] = weights->has_z ? (xx * z[i] - xz * x[i]) / determinant : 0;
    }
    return true;
}

/* In each round, add up the points' blocks, multiplied by WEIGHTS. Estimate the sums' median. */
static int weighted_median(struct replicates *replicates, const double *weights,
                           const struct cost_points *points, const struct resampling *resampling,
                           struct error *error)
{
    double *sums = calloc(resampling->n, sizeof *sums);
    int code;

    if (!sums)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the cost model");
    for (size_t i = 0; i < points->count; i++) {
        const double *blocks = points->points[i].series->blocks[BLOCK_TRIMMED_MEAN];

        for (size_t round = 0; round < resampling->n; round++)
            sums[round] += weights[i] * blocks[round];
    }
    code = estimate_median_replicates(sums, resampling, replicates, error);
    free(sums);
    return code;
}

static int fit_rate(struct cost_rate *rate, const double *weights, const struct cost_points *points,
                    const struct resampling *resampling, struct error *error)
{
    int code = weighted_median(&rate->replicates, weights, points, resampling, error);

    if (code)
        return code;
    estimate_interval(&rate->replicates, &rate->ns);
    rate->known = true;
    return 0;
}

/* Raise *MISFIT to the largest distance of a point's median from the fitted line with its best
 * constant. REGRESSORS are centred. */
static int find_misfit(double *misfit, const struct cost_points *points,
                       const struct regressors *regressors, const struct weights *weights, size_t n,
                       struct error *error)
{
    double left[COST_MODEL_POINTS_MAXIMUM], a, b;
    double *blocks = malloc(n * sizeof *blocks);

    if (!blocks)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the cost model");
    for (size_t i = 0; i < points->count; i++) {
        for (size_t round = 0; round < n; round++)
            blocks[round] = points->points[i].series->blocks[BLOCK_TRIMMED_MEAN][round];
        left[i] = estimate_median(blocks, n);
    }
    free(blocks);
    a = product(weights->x, left, points->count);
    b = product(weights->z, left, points->count);
    for (size_t i = 0; i < points->count; i++)
        left[i] -= a * regressors->x[i] + b * regressors->z[i];
    centre(left, points->count);
    for (size_t i = 0; i < points->count; i++)
        *misfit = fmax(*misfit, fabs(left[i]));
    return 0;
}

static int fit_points(struct cost_rate *byte, struct cost_rate *packet, double *misfit,
                      const struct cost_points *points, struct regressors *regressors,
                      const struct resampling *resampling, struct error *error)
{
    struct weights weights;
    int code;

    regressors->count = points->count;
    if (points->count < 2 || !find_weights(&weights, regressors))
        return 0;
    code = fit_rate(byte, weights.x, points, resampling, error);
    if (code == 0 && packet && weights.has_z)
        code = fit_rate(packet, weights.z, points, resampling, error);
    return code ? code : find_misfit(misfit, points, regressors, &weights, resampling->n, error);
}

int cost_model_fit(struct cost_model *model, const struct cost_points_by *points,
                   const struct resampling *resampling, struct error *error)
{
    struct regressors by_call = {.count = 0}, by_reply = {.count = 0}, by_pause = {.count = 0};
    int code;

    *model = (struct cost_model){.points = points, .resampling = *resampling};
    for (size_t i = 0; i < points->call.count; i++)
        by_call.x[i] = points->call.points[i].lengths.call;
    for (size_t i = 0; i < points->pause.count; i++)
        by_pause.x[i] = points->pause.points[i].lengths.pause;
    for (size_t i = 0; i < points->reply.count; i++) {
        by_reply.x[i] = points->reply.points[i].lengths.reply;
        by_reply.z[i] = points->reply.points[i].lengths.packets;
        model->reply_longest = fmax(model->reply_longest, by_reply.x[i]);
    }
    code = fit_points(&model->call, NULL, &model->call_misfit_ns, &points->call, &by_call,
                      resampling, error);
    if (code == 0)
        code = fit_points(&model->reply, &model->packet, &model->reply_misfit_ns, &points->reply,
                          &by_reply, resampling, error);
    if (code == 0)
        code = fit_points(&model->pause, NULL, &model->pause_misfit_ns, &points->pause, &by_pause,
                          resampling, error);
    return code;
}

/* Add to WEIGHTS, multiplied by SIGN, the weights that interpolate the cost at LENGTH between two
 * of POINTS. If LENGTH is outside of all points, only the nearest point gets a weight. Returns the
 * bytes by which LENGTH exceeds the longest point or (negative) falls below the shortest; 0 between
 * points. */
static double add_level(double *weights, double sign, const struct cost_points *points,
                        double length)
{
    size_t last = points->count - 1, above = 0;
    double low, high, share;

    while (above < last && points->points[above].lengths.reply < length)
        above++;
    high = points->points[above].lengths.reply;
    if (above == 0 || high < length) {
        weights[above] += sign;
        return length - high;
    }
    low = points->points[above - 1].lengths.reply;
    share = (length - low) / (high - low);
    weights[above] += sign * share;
    weights[above - 1] += sign * (1 - share);
    return 0;
}

/* Estimate by how much a reply of OP costs more than a reply of NULL_CALLS, due to its length. */
static int reply_cost(const struct cost_model *model, const struct cost_lengths *op,
                      const struct cost_lengths *null_calls, struct replicates *cost,
                      struct error *error)
{
    const struct cost_points *points = &model->points->reply;
    double weights[COST_MODEL_POINTS_MAXIMUM] = {0};
    double beyond = add_level(weights, 1, points, op->reply) -
                    add_level(weights, -1, points, null_calls->reply);
    int code = weighted_median(cost, weights, points, &model->resampling, error);

    if (code == 0)
        estimate_add(cost, beyond, &model->reply.replicates);
    if (code == 0 && model->packet.known && op->reply > model->reply_longest)
        estimate_add(cost, op->packets - points->points[points->count - 1].lengths.packets,
                     &model->packet.replicates);
    return code;
}

/* SERVER is the interval of the server's work after the full cost of the pause was subtracted,
 * UNPAID is the work without this subtraction. Extend SERVER to include the interval of UNPAID,
 * because it is unknown how much of the pause's cost arises in a call: in a pause the client spins
 * and the server is idle, in a call the server works and the client is idle. */
static void widen_for_pause(struct interval *server, const struct replicates *unpaid)
{
    struct interval none;

    estimate_interval(unpaid, &none);
    server->low = fmin(server->low, none.low);
    server->high = fmax(server->high, none.high);
}

int cost_model_split(const struct cost_model *model, const struct replicates *cost,
                     const struct cost_lengths *op, const struct cost_lengths *null_calls,
                     struct cost_split *split, struct error *error)
{
    struct replicates *bytes = &split->replicates.bytes, *pause = &split->replicates.pause;
    struct replicates *rest = &split->replicates.server, unpaid;
    int code = reply_cost(model, op, null_calls, bytes, error);

    if (code)
        return code;
    *pause = (struct replicates){.widen = 1};
    *rest = *cost;
    estimate_add(bytes, op->call - null_calls->call, &model->call.replicates);
    estimate_add(rest, -1, bytes);
    /* The server's work W makes the call longer by W and by the cost of W as a pause, so W = REST /
     * (1 + rate). The time that the bytes take does not count as a pause, because the rates per
     * byte include its effect. */
    if (model->pause.known)
        estimate_add(pause, rest->estimate / (1 + model->pause.replicates.estimate),
                     &model->pause.replicates);
    unpaid = *rest;
    estimate_add(rest, -1, pause);
    estimate_interval(bytes, &split->bytes);
    estimate_interval(pause, &split->pause);
    estimate_interval(rest, &split->server);
    widen_for_pause(&split->server, &unpaid);
    return 0;
}
