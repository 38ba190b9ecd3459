#include "run/filling.h"

#include <math.h>
#include <stdio.h>

#include "measure/mean_cost.h"

#define MEBIBYTE 1048576.0

static const double *spacings_of(const struct rounds *rounds, size_t index)
{
    return rounds->series[index].blocks[BLOCK_SPACING];
}

/* NAN where it is not known. */
static double client_cpu_ns(const struct result_op *op)
{
    if (op->client)
        return op->client->values[COUNTER_CPU_NS];
    return op->load ? op->load->client_cpu_ns : NAN;
}

static double server_cpu_ns(const struct result_op *op)
{
    return op->server && op->role != RESULT_LOCAL ? op->server->values[COUNTER_CPU_NS] : NAN;
}

static int fill_op(struct result *result, const struct rounds *rounds, size_t index,
                   struct error *error)
{
    struct result_op *op = &result->ops[index];
    struct result_bandwidth *bandwidth = &op->bandwidth;
    double mebibytes = op->data_bytes / MEBIBYTE;

    if (!(op->megabytes_per_s > 0))
        return 0;
    op->has_bandwidth = true;
    bandwidth->client_cpu_ns = client_cpu_ns(op) / mebibytes;
    bandwidth->server_cpu_ns = server_cpu_ns(op) / mebibytes;
    return ratio_interval(op->megabytes_per_s, spacings_of(rounds, index), NULL,
                          result->rounds.done, result->seed, &bandwidth->megabytes_per_s, error);
}

/* The rates are of calls of the same length. */
static int compare_with_local(struct result *result, const struct rounds *rounds, size_t index,
                              struct error *error)
{
    struct result_op *op = &result->ops[index];
    const struct result_op *local = result_local_of(result, op);

    if (!local || !(op->rate_per_s > 0) || !(local->rate_per_s > 0))
        return 0;
    op->has_of_local = true;
    return ratio_interval(op->rate_per_s / local->rate_per_s, spacings_of(rounds, index),
                          spacings_of(rounds, (size_t)(local - result->ops)), result->rounds.done,
                          result->seed, &op->of_local, error);
}

int bandwidth_fill(struct result *result, const struct rounds *rounds, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < result->op_count && code == 0; i++) {
        code = fill_op(result, rounds, i, error);
        if (code == 0)
            code = compare_with_local(result, rounds, i, error);
    }
    return code;
}
