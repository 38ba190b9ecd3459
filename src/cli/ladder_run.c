#include "cli/ladder_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/interrupt.h"
#include "cli/session_rounds.h"
#include "rpc/echo.h"

/* Blocks */

static void run_timer_block(const struct clock *clock, size_t count, uint64_t *ticks)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t started = clock->start();

        ticks[i] = clock->stop() - started;
    }
}

/* One call each time, as it comes among others, and not many in a row. */
static void run_xdr_block(struct ladder_run *run, size_t count, uint64_t *ticks)
{
    const struct clock *clock = &run->session.clock;

    for (size_t i = 0; i < count; i++) {
        uint64_t started = clock->start();

        xdr_work_repeat(&run->xdr, XDR_WORK_ENCODE, 1);
        xdr_work_repeat(&run->xdr, XDR_WORK_DECODE, 1);
        ticks[i] = clock->stop() - started;
    }
}

static int run_echo_block(struct ladder_run *run, const struct bare_message *message, size_t count,
                          uint64_t *ticks, size_t *recorded, struct error *error)
{
    int code = 0;

    *recorded = 0;
    for (size_t i = 0; i < count && code >= 0; i++) {
        code = bare_exchange(run->bare, message, &run->session.clock, &ticks[*recorded], error);
        *recorded += code == 0;
    }
    run->echo_failed = code < 0;
    return code < 0 ? code : 0;
}

static int run_block(void *context, size_t series, size_t count, uint64_t *ticks, size_t *recorded,
                     struct error *error)
{
    struct ladder_run *run = context;

    if (series < run->session.series_count)
        return run->calls.run(run->calls.context, series, count, ticks, recorded, error);
    if (interrupt_flag)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    *recorded = count;
    switch ((enum ladder_beside)(series - run->session.series_count)) {
    case LADDER_BESIDE_XDR:
        run_xdr_block(run, count, ticks);
        return 0;
    case LADDER_BESIDE_ECHO:
        return run_echo_block(run, &run->null_bytes, count, ticks, recorded, error);
    case LADDER_BESIDE_ECHO_OP:
        return run_echo_block(run, &run->op_bytes, count, ticks, recorded, error);
    default:
        run_timer_block(&run->session.clock, count, ticks);
        return 0;
    }
}

static int prepare_block(void *context, size_t series, size_t count, struct error *error)
{
    struct ladder_run *run = context;

    return series < run->session.series_count
               ? run->calls.prepare(run->calls.context, series, count, error)
               : 0;
}

static int clear_block(void *context, size_t series, size_t count, struct error *error)
{
    struct ladder_run *run = context;

    return series < run->session.series_count
               ? run->calls.clear(run->calls.context, series, count, error)
               : 0;
}

static void measuring_begins(void *context)
{
    struct ladder_run *run = context;

    run->calls.measuring_begins(run->calls.context);
}

static void round_done(void *context, size_t round)
{
    struct ladder_run *run = context;

    run->calls.round_done(run->calls.context, round);
}

static bool enough(void *context, size_t round)
{
    struct ladder_run *run = context;

    return run->calls.enough(run->calls.context, round);
}

/* Opening */

/* The op that was asked for; NULL itself stands on its control. */
static void find_series(struct ladder_run *run)
{
    const struct session *session = &run->session;

    for (size_t i = 0; i < session->series_count; i++)
        if (session->series[i].role == SERIES_CONTROL)
            run->control_index = run->op_index = i;
    for (size_t i = 0; i < session->series_count; i++)
        if (session->series[i].role == SERIES_OP)
            run->op_index = i; /* behind its own baseline, where it has one */
    run->null_index = session->series[run->op_index].baseline;
}

/* A message as long as CALL's, that asks for an answer as long as its reply. */
static int make_message(struct ladder_run *run, const struct nfs_call *call,
                        struct bare_message *message, struct error *error)
{
    bool tcp = run->echo.endpoint.transport == TRANSPORT_TCP;
    size_t mark = tcp ? RPC_RECORD_MARK_SIZE : 0;
    struct echo_header header = {.length = (uint32_t)(mark + call->engine.messages[0].length),
                                 .answer = (uint32_t)(mark + call->reply_length)};
    uint8_t *bytes;

    if (!echo_header_is_valid(&header, tcp ? ECHO_MAXIMUM : ECHO_DATAGRAM_MAXIMUM))
        return error_set(error, ERROR_USAGE, -EMSGSIZE,
                         "%s's call of %u bytes or reply of %u is longer than an echo carries; see "
                         "--size",
                         call->procedure->op, header.length, header.answer);
    bytes = calloc(1, header.length);
    if (!bytes)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a message");
    echo_header_store(&header, bytes);
    *message = (struct bare_message){bytes, header.length, header.answer};
    return 0;
}

/* ERROR is of the connection to the echo, not to the server. */
static void name_echo(struct error *error)
{
    char text[sizeof error->text];

    snprintf(text, sizeof text, "the bare echo: %.480s", error->text);
    memcpy(error->text, text, sizeof text);
}

/* Connect to the echo as the engine does to the server, and see whether it is one. */
static int connect_echo(struct ladder_run *run, struct error *error)
{
    struct channel_options options = run->session.mount.options.channel;
    const struct bare_message *messages[] = {&run->null_bytes, &run->op_bytes};
    uint64_t ignored;
    int code;

    options.spin = run->session.settings->spin; /* mounting does without */
    options.reply_maximum = run->op_bytes.answer > run->null_bytes.answer ? run->op_bytes.answer
                                                                          : run->null_bytes.answer;
    code = bare_open(&run->bare, &run->echo.endpoint, &options, error);
    if (code)
        name_echo(error);
    for (size_t i = 0; i < 2 && code >= 0; i++)
        code = bare_exchange(run->bare, messages[i], &run->session.clock, &ignored, error);
    return code < 0 ? code : 0;
}

static int open_echo(struct ladder_run *run, struct error *error)
{
    const struct session_series *series = run->session.series;
    struct endpoint server = calls_endpoint(&run->session, series[run->op_index].service);
    int code = explain_echo_open(&run->echo, &run->session, &server, error);

    if (code == 0)
        code = make_message(run, &series[run->null_index].call, &run->null_bytes, error);
    if (code == 0)
        code = make_message(run, &series[run->op_index].call, &run->op_bytes, error);
    return code ? code : connect_echo(run, error);
}

int ladder_run_open(struct ladder_run *run, const struct settings *settings, const char *echo,
                    struct error *error)
{
    int code;

    memset(run, 0, sizeof *run);
    run->session.awake = -1; /* so that what was never opened may be closed */
    code = explain_echo_parse(&run->echo, echo, error);
    if (code == 0)
        code = session_open(&run->session, settings, error);
    if (code)
        return code;
    /* The timer is a rung, and so within all others: it is not taken off. */
    run->session.clock.cost_ticks = run->session.clock.cost_ns = 0;
    find_series(run);
    code = open_echo(run, error);
    return code ? code : xdr_work_open(&run->xdr, &run->session.series[run->op_index].call, error);
}

/* Measuring */

/* The session sees its own series of the rounds. */
static void show_rounds(struct ladder_run *run)
{
    run->session.rounds = run->rounds;
    run->session.rounds.series_count = run->session.series_count;
}

static uint64_t calls_beside(const struct ladder_run *run)
{
    uint64_t calls = 0;

    for (size_t i = run->session.series_count; i < run->rounds.series_count; i++)
        calls += run->rounds.series[i].calls;
    return calls;
}

static int run_rounds(struct ladder_run *run, const struct rounds_plan *plan,
                      uint64_t calls_per_round, struct error *error)
{
    struct session *session = &run->session;
    const struct settings *settings = session->settings;
    struct block_source source = {.run = run_block,
                                  .prepare = prepare_block,
                                  .clear = clear_block,
                                  .measuring_begins = measuring_begins,
                                  .round_done = round_done,
                                  .enough = settings->calls ? NULL : enough,
                                  .context = run};
    int code = rounds_open(&run->rounds, plan, error);

    if (code)
        return code;
    show_rounds(run);
    progress_start(&session->progress, settings->quiet, settings->calls ? run->rounds.planned : 0,
                   settings->maximum_ns, calls_per_round);
    code = rounds_run(&run->rounds, plan, &session->clock, &source, error);
    show_rounds(run);
    session_rounds_end(session, run->echo_failed ? 0 : code);
    session->calls_beside = calls_beside(run);
    return code;
}

int ladder_run_measure(struct ladder_run *run, struct error *error)
{
    struct session *session = &run->session;
    uint32_t blocks[SESSION_SERIES_MAXIMUM + LADDER_BESIDES];
    bool follows[SESSION_SERIES_MAXIMUM + LADDER_BESIDES];
    struct rounds_plan plan = {.series = session->series_count + LADDER_BESIDES,
                               .calls = session->settings->calls,
                               .block = session->block,
                               .blocks = blocks,
                               .follows = follows,
                               .warmup = !session->settings->no_warmup,
                               .seed = session->settings->seed};
    uint64_t calls = session_shape(session, blocks, follows);

    for (size_t i = session->series_count; i < plan.series; i++) {
        blocks[i] = session->block;
        follows[i] = false;
        calls += session->block;
    }
    run->calls = session_blocks(session);
    return run_rounds(run, &plan, calls, error);
}

const struct series *ladder_run_series(const struct ladder_run *run, enum ladder_rung rung)
{
    const struct series *beside = &run->rounds.series[run->session.series_count];

    switch (rung) {
    case LADDER_XDR:
        return &beside[LADDER_BESIDE_XDR];
    case LADDER_ECHO:
        return &beside[LADDER_BESIDE_ECHO];
    case LADDER_NULL:
        return &run->rounds.series[run->null_index];
    case LADDER_ECHO_OP:
        return &beside[LADDER_BESIDE_ECHO_OP];
    case LADDER_OP:
        return &run->rounds.series[run->op_index];
    default:
        return &beside[LADDER_BESIDE_TIMER];
    }
}

void ladder_run_close(struct ladder_run *run)
{
    run->session.rounds = (struct rounds){.series = NULL}; /* they are the run's */
    bare_close(run->bare);
    explain_echo_close(&run->echo);
    session_close(&run->session);
    free((void *)(uintptr_t)run->null_bytes.bytes);
    free((void *)(uintptr_t)run->op_bytes.bytes);
    xdr_work_close(&run->xdr);
    rounds_close(&run->rounds);
}
