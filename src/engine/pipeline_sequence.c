/* Ops of several calls over a pipeline of one connection: as many of an op's calls are in flight as
 * it has ready and the connection has room for, and one op at a time. */
#include <errno.h>

#include "engine/pipeline.h"

void pipeline_add_parts(struct pipeline *pipeline, struct link *link)
{
    struct pipeline_op *op = &pipeline->op;
    const struct channel_message *message;
    uint32_t tag;

    while (op->status == 0 && connection_has_room(&link->connection) &&
           (message = op->call->sequence->next(op->call->sequence_state, &tag))) {
        if (pipeline->in_flight++ == 0)
            op->busy_from = pipeline->config->clock->start();
        sequence_count_call(&op->made, message->length);
        connection_put(&link->connection, message, NULL, tag, 0, 0);
    }
}

static int take_part(struct pipeline *pipeline, const struct connection_reply *reply, uint64_t now)
{
    struct pipeline_op *op = &pipeline->op;
    int status = engine_check_part(op->call, (uint32_t)reply->call.number, reply->message.bytes,
                                   reply->message.length, pipeline->tally);

    if (reply->call.resent > 0)
        engine_gaps_note(&pipeline->tally->gaps, reply->call.submitted, now);
    if (status == -EBADMSG)
        return engine_refuse_garbage(reply->message.length, pipeline->error);
    op->made.reply_bytes += reply->message.length;
    op->made.first_try &= reply->call.resent == 0;
    if (status)
        op->status = status;
    return 0;
}

int pipeline_take_parts(struct pipeline *pipeline, uint64_t now)
{
    int code = 0;

    if (pipeline->reply_count > 0 && pipeline->in_flight == 0)
        pipeline->op.made.ticks += now - pipeline->op.busy_from;
    for (size_t i = 0; i < pipeline->reply_count && code == 0; i++)
        code = take_part(pipeline, &pipeline->replies[i], now);
    return code;
}

static void finish(struct pipeline *pipeline, const struct sample_of *of)
{
    struct pipeline_op *op = &pipeline->op;

    if (op->status) {
        engine_count_error(pipeline->tally, op->status);
        return;
    }
    sequence_count_op(op->call, &op->made, pipeline->tally);
    pipeline->tally->steady_calls++;
    if (op->made.first_try)
        samples_add(pipeline->samples, *of, op->made.ticks, pipeline->config->clock->stop());
}

int pipeline_run_sequences(struct pipeline *pipeline)
{
    struct link *link = &pipeline->links[0];
    size_t number;
    int code = 0;

    while (code == 0 && work_take(pipeline->work, 1, &number) == 1) {
        const struct engine_call *call = pipeline->work->call;

        pipeline->op = (struct pipeline_op){.call = call, .made.first_try = true};
        call->sequence->begin(call->sequence_state, call->first + number);
        pipeline_add_parts(pipeline, link);
        code = pipeline_send(pipeline, link);
        while (code == 0 && pipeline->in_flight > 0)
            code = closed_loop_wait(pipeline);
        if (code == 0)
            finish(pipeline, &(struct sample_of){link->client, (uint32_t)number});
    }
    work_ends(pipeline->work, pipeline->config->clock->stop());
    return code;
}
