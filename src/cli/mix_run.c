#include "cli/mix_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/session.h"

int mix_run_open(struct session *session, size_t first, uint32_t block, struct error *error)
{
    struct mix_run *mix = &session->mix;
    size_t ops = session->settings->mix.count;

    mix->first = first;
    mix->shares = calloc(NFS_MIX_OPS_MAXIMUM, sizeof *mix->shares);
    mix->recorded = calloc(ops, sizeof *mix->recorded);
    mix->made = calloc(ops, sizeof *mix->made);
    if (mix->shares)
        mix->length = nfs_mix_divide(&session->settings->mix, block, mix->shares);
    mix->room = mix->length + ops;
    mix->sequence = calloc(mix->room, sizeof *mix->sequence);
    mix->steps = calloc(mix->room, sizeof *mix->steps);
    mix->ticks = calloc(ops * mix->room, sizeof *mix->ticks);
    random_seed(&mix->random, session->settings->seed);
    if (mix->shares && mix->recorded && mix->made && mix->sequence && mix->steps && mix->ticks)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the mix");
}

void mix_run_close(struct mix_run *mix)
{
    free(mix->shares);
    free(mix->sequence);
    free(mix->steps);
    free(mix->ticks);
    free(mix->recorded);
    free(mix->made);
    memset(mix, 0, sizeof *mix);
}

uint32_t mix_run_share(const struct mix_run *mix, size_t index, size_t count)
{
    uint64_t share = (uint64_t)mix->shares[index] * count / mix->length;

    return share < 1 ? 1 : (uint32_t)share;
}

/* The calls of a block of COUNT in random order; their number. */
static size_t draw_sequence(struct session *session, size_t count)
{
    struct mix_run *mix = &session->mix;
    size_t length = 0;

    for (size_t op = 0; op < session->settings->mix.count; op++)
        for (uint32_t i = mix_run_share(mix, op, count); i > 0; i--)
            mix->sequence[length++] = op;
    random_shuffle(&mix->random, mix->sequence, length);
    return length;
}

int mix_run_prepare(struct session *session, size_t count, struct error *error)
{
    struct mix_run *mix = &session->mix;
    int code = 0;

    for (size_t op = 0; op < session->settings->mix.count && code == 0; op++)
        code =
            nfs_call_prepare(&session->series[mix->first + op].call, mix_run_share(mix, op, count),
                             session->clients[SERVICE_NFS], error);
    return code;
}

int mix_run_clear(struct session *session, size_t count, struct error *error)
{
    struct mix_run *mix = &session->mix;
    int code = 0;

    for (size_t op = 0; op < session->settings->mix.count && code == 0; op++)
        code = nfs_call_clear(&session->series[mix->first + op].call, mix_run_share(mix, op, count),
                              session->clients[SERVICE_NFS], error);
    return code;
}

/* Which of its variants OP's next call is: those that need something made ready go through it once
 * a block. */
static size_t next_variant(struct session *session, size_t op)
{
    struct session_series *series = &session->series[session->mix.first + op];
    size_t made = session->mix.made[op]++;

    return series->call.procedure->varies ? made : calls_next_variant(series, 1);
}

/* One call of OP, in its turn among its kind. */
static int call_op(struct session *session, size_t op, uint64_t *ticks, size_t *recorded,
                   struct error *error)
{
    struct mix_run *mix = &session->mix;
    struct session_series *series = &session->series[mix->first + op];
    uint64_t *own = mix->ticks + op * mix->room;
    size_t got;
    int code;

    series->call.engine.first = next_variant(session, op);
    code = engine_run(session->engines[SERVICE_NFS], &series->call.engine, 1,
                      own + mix->recorded[op], &got, &series->tally, error);
    series->call.engine.first = 0;
    if (code == 0 && got) {
        ticks[(*recorded)++] = own[mix->recorded[op]];
        mix->recorded[op]++;
    }
    return code;
}

/* A rare op has one call in a block: where that failed, it is called again, so that each round has
 * something of each op. */
static int make_up_for(struct session *session, size_t op, struct error *error)
{
    enum { TRIES = 5 };
    uint64_t unused_ticks;
    int code = 0;

    for (int i = 0; i < TRIES && session->mix.recorded[op] == 0 && code == 0; i++) {
        size_t unused = 0;

        session->mix.made[op] = 0;
        code = call_op(session, op, &unused_ticks, &unused, error);
    }
    return code;
}

static int call_one_by_one(struct session *session, size_t length, uint64_t *ticks,
                           size_t *recorded, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < length && code == 0; i++)
        code = call_op(session, session->mix.sequence[i], ticks, recorded, error);
    return code;
}

/* Under load, LENGTH calls go to the engine as one block; their ticks are sorted out afterwards.
 * What failed is told of the mix. */
static int call_at_once(struct session *session, size_t length, uint64_t *ticks, size_t *recorded,
                        struct error *error)
{
    struct mix_run *mix = &session->mix;
    const struct engine_call all = {.steps = mix->steps};
    int code;

    for (size_t i = 0; i < length; i++) {
        size_t op = mix->sequence[i];

        mix->steps[i] = (struct engine_step){&session->series[mix->first + op].call.engine,
                                             next_variant(session, op)};
    }
    code = load_run_block(session, mix->first - 1, &all, length, ticks, recorded, error);
    for (size_t i = 0; i < *recorded; i++) {
        size_t op = mix->sequence[session->load.detail.number[i]];

        mix->ticks[op * mix->room + mix->recorded[op]++] = ticks[i];
    }
    return code;
}

int mix_run_block(struct session *session, size_t count, uint64_t *ticks, size_t *recorded,
                  struct error *error)
{
    struct mix_run *mix = &session->mix;
    size_t ops = session->settings->mix.count, length = draw_sequence(session, count);
    int code;

    memset(mix->recorded, 0, ops * sizeof *mix->recorded);
    memset(mix->made, 0, ops * sizeof *mix->made);
    *recorded = 0;
    code = settings_make_load(session->settings)
               ? call_at_once(session, length, ticks, recorded, error)
               : call_one_by_one(session, length, ticks, recorded, error);
    for (size_t op = 0; op < ops && code == 0; op++)
        code = make_up_for(session, op, error);
    return code;
}

void mix_run_take(const struct mix_run *mix, size_t series, uint64_t *ticks, size_t *recorded)
{
    size_t op = series - mix->first;

    *recorded = mix->recorded[op];
    memcpy(ticks, mix->ticks + op * mix->room, *recorded * sizeof *ticks);
}

void mix_run_weigh(struct session *session)
{
    const struct mix_run *mix = &session->mix;
    size_t ops = session->settings->mix.count;
    struct series *series = session->rounds.series;
    double *level = series[mix->first - 1].blocks[BLOCK_TRIMMED_MEAN];

    for (size_t round = 0; round < session->rounds.done; round++) {
        level[round] = 0;
        for (size_t op = mix->first; op < mix->first + ops; op++)
            level[round] += series[op].blocks[BLOCK_TRIMMED_MEAN][round] *
                            mix->shares[op - mix->first] / mix->length;
    }
    for (size_t op = mix->first; op < mix->first + ops; op++)
        series[op].elapsed_ns = 0;
}
