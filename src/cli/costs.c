#include "cli/costs.h"

#include <stdlib.h>
#include <string.h>

/* A mix's are the mean of its ops', by their shares. */
static struct cost_lengths mix_lengths(const struct session *session)
{
    const struct mix_run *mix = &session->mix;
    struct cost_lengths mean = {.call = 0};

    for (size_t i = 0; i < session->settings->mix.count; i++) {
        struct cost_lengths op = costs_lengths(session, &session->series[mix->first + i]);
        double share = (double)mix->shares[i] / mix->length;

        mean.call += share * op.call;
        mean.reply += share * op.reply;
        mean.packets += share * op.packets;
    }
    return mean;
}

struct cost_lengths costs_lengths(const struct session *session,
                                  const struct session_series *series)
{
    size_t mark = session->mount.nfs.transport == TRANSPORT_TCP ? (size_t)RPC_RECORD_MARK_SIZE : 0;
    size_t reply = series->call.reply_length + mark;

    if (series->role == SERIES_MIX)
        return mix_lengths(session);
    return (struct cost_lengths){.call = (double)(series->call.engine.messages[0].length + mark),
                                 .reply = (double)reply,
                                 .packets =
                                     rpc_client_packets(session->clients[SERVICE_NFS], reply),
                                 .pause = (double)series->call.engine.pause_ns};
}

/* One resampling for the whole run, so that costs and the model's rates can be combined: its blocks
 * are as long as the most dependent op's differences ask for. */
static int choose_resampling(const struct result *result, const struct session *session,
                             struct resampling *resampling, struct error *error)
{
    *resampling = (struct resampling){result->rounds->done, 1, result->seed};
    if (session->resampling_block > 1)
        resampling->block = session->resampling_block;
    for (size_t i = 1; i < result->op_count && result->config.baseline; i++) {
        size_t length;
        int code = above_null_block_length(result->ops[i].series,
                                           result->ops[result->ops[i].baseline].series,
                                           resampling->n, &length, error);

        if (code)
            return code;
        if (length > resampling->block)
            resampling->block = length;
    }
    return 0;
}

/* The control comes first: its interval is the noise floor for all others. */
static int fill_above_null(struct result *result, const struct resampling *resampling,
                           struct error *error)
{
    double noise_floor = 0;

    for (size_t i = 1; i < result->op_count; i++) {
        struct result_op *op = &result->ops[i];
        int code =
            above_null_estimate(&op->above_null, op->series, result->ops[op->baseline].series,
                                resampling, noise_floor, error);

        if (code)
            return code;
        op->has_above_null = true;
        if (i == 1)
            noise_floor = above_null_noise_floor(&op->above_null);
    }
    return 0;
}

static void add_point(struct cost_points *points, const struct session *session, size_t index)
{
    if (points->count < COST_MODEL_POINTS_MAXIMUM)
        points->points[points->count++] = (struct cost_point){
            costs_lengths(session, &session->series[index]), &session->rounds.series[index]};
}

static int split_op(struct result *result, struct result_op *op, struct error *error)
{
    op->has_split = true;
    op->beyond_model = op->lengths.reply > result->model.reply_longest;
    return cost_model_split(&result->model, &op->above_null.cost_replicates, &op->lengths,
                            &result->ops[0].lengths, &op->split, error);
}

static int compare_replies(const void *a, const void *b)
{
    const struct cost_point *x = a, *y = b;

    return (x->lengths.reply > y->lengths.reply) - (x->lengths.reply < y->lengths.reply);
}

/* Sort the series that tell something about lengths by what they tell. An op READ is one of the
 * READs of chosen length, and an op WRITE one of the WRITEs; being the same series, it then is on
 * the line that its cost is split by.
 */
static void collect_points(struct cost_points_by *points, const struct session *session)
{
    for (size_t i = 0; i < session->series_count; i++) {
        const struct session_series *series = &session->series[i];
        bool reads = series->call.procedure->rpc.number == NFSPROC3_READ;
        bool writes = strcmp(series->name, "write") == 0;

        if (series->role == SERIES_CALL_LENGTH || (series->role == SERIES_OP && writes))
            add_point(&points->call, session, i);
        else if (series->role == SERIES_REPLY_LENGTH || (series->role == SERIES_OP && reads))
            add_point(&points->reply, session, i);
        else if (series->role == SERIES_PAUSE || series->role == SERIES_NULL)
            add_point(&points->pause, session, i);
    }
    qsort(points->reply.points, points->reply.count, sizeof points->reply.points[0],
          compare_replies);
}

static int fill_model(struct result *result, const struct session *session,
                      const struct resampling *resampling, struct error *error)
{
    int code;

    if (session->settings->no_model || result->op_count <= 2)
        return 0;
    collect_points(&result->points, session);
    result->has_model = true;
    code = cost_model_fit(&result->model, &result->points, resampling, error);
    if (code || !result->model.call.known || !result->model.reply.known)
        return code;
    for (size_t i = 2; i < result->op_count && code == 0; i++)
        if (session->series[i].service == SERVICE_NFS)
            code = split_op(result, &result->ops[i], error);
    return code;
}

int costs_fill(struct result *result, const struct session *session, struct error *error)
{
    int code = choose_resampling(result, session, &result->resampling, error);

    if (code || !result->config.baseline)
        return code;
    code = fill_above_null(result, &result->resampling, error);
    return code ? code : fill_model(result, session, &result->resampling, error);
}
