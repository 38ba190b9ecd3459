#include "cli/versus.h"
#include "cli/error_print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/outcome.h"
#include "cli/session_rounds.h"
#include "output/file.h"
#include "output/text.h"

/* The rounds: those of two sessions as one. A series' index goes to the side that it is of. */

static size_t side_of(struct versus *versus, size_t *series)
{
    size_t first = versus->sessions[SIDE_FIRST].series_count;

    versus->side = *series < first ? SIDE_FIRST : SIDE_SECOND;
    if (versus->side == SIDE_SECOND)
        *series -= first;
    return versus->side;
}

static int run_block(void *context, size_t series, size_t count, uint64_t *ticks, size_t *recorded,
                     struct error *error)
{
    struct versus *versus = context;
    const struct block_source *source = &versus->sources[side_of(versus, &series)];

    return source->run(source->context, series, count, ticks, recorded, error);
}

static int prepare_block(void *context, size_t series, size_t count, struct error *error)
{
    struct versus *versus = context;
    const struct block_source *source = &versus->sources[side_of(versus, &series)];

    return source->prepare(source->context, series, count, error);
}

static int clear_block(void *context, size_t series, size_t count, struct error *error)
{
    struct versus *versus = context;
    const struct block_source *source = &versus->sources[side_of(versus, &series)];

    return source->clear(source->context, series, count, error);
}

static void measuring_begins(void *context)
{
    struct versus *versus = context;

    for (size_t i = 0; i < SIDES; i++)
        versus->sources[i].measuring_begins(versus->sources[i].context);
}

static void round_done(void *context, size_t round)
{
    struct versus *versus = context;

    for (size_t i = 0; i < SIDES; i++)
        versus->sources[i].round_done(versus->sources[i].context, round);
}

/* Both sides have a word at each look. */
static bool enough(void *context, size_t round)
{
    struct versus *versus = context;
    bool both = true;

    for (size_t i = 0; i < SIDES; i++)
        both = versus->sources[i].enough(versus->sources[i].context, round) && both;
    return both;
}

/* Each session sees its own series of the shared rounds. */
static void show_rounds(struct versus *versus)
{
    struct series *series = versus->rounds.series;

    for (size_t i = 0; i < SIDES; i++) {
        struct session *session = &versus->sessions[i];

        session->rounds = versus->rounds;
        session->rounds.series_count = session->series_count;
        session->rounds.series = series;
        series += session->series_count;
    }
}

static void hide_rounds(struct versus *versus)
{
    for (size_t i = 0; i < SIDES; i++)
        versus->sessions[i].rounds = (struct rounds){.series = NULL};
}

static uint64_t calls_of(const struct session *session)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < session->series_count; i++)
        calls += session->rounds.series[i].calls;
    return calls;
}

/* The rounds ended with CODE, which is the fault of one side at most. */
static void end_rounds(struct versus *versus, int code, struct error *error)
{
    struct session *sessions = versus->sessions;

    show_rounds(versus);
    for (size_t i = 0; i < SIDES; i++) {
        session_rounds_end(&sessions[i], i == versus->side ? code : 0);
        sessions[i].calls_beside = calls_of(&sessions[!i]);
    }
    if (code && code != -EINTR && code != -ENOMEM)
        versus_name_side(versus, versus->side, error);
}

static int run_rounds(struct versus *versus, struct rounds_plan *plan, uint64_t calls_per_round,
                      struct error *error)
{
    const struct settings *settings = &versus->settings[SIDE_FIRST];
    struct session *first = &versus->sessions[SIDE_FIRST];
    struct block_source source = {.run = run_block,
                                  .prepare = prepare_block,
                                  .clear = clear_block,
                                  .measuring_begins = measuring_begins,
                                  .round_done = round_done,
                                  .enough = settings->calls ? NULL : enough,
                                  .context = versus};
    int code = rounds_open(&versus->rounds, plan, error);

    if (code)
        return code;
    show_rounds(versus);
    progress_start(&first->progress, settings->quiet, settings->calls ? versus->rounds.planned : 0,
                   settings->maximum_ns, calls_per_round);
    code = rounds_run(&versus->rounds, plan, &first->clock, &source, error);
    end_rounds(versus, code, error);
    for (size_t i = 0; i < SIDES && code == 0 && !settings->no_ledger; i++)
        ledger_run_count(&versus->sessions[i]);
    return code;
}

static int measure(struct versus *versus, struct error *error)
{
    struct session *first = &versus->sessions[SIDE_FIRST];
    struct session *second = &versus->sessions[SIDE_SECOND];
    uint32_t blocks[SIDES * SESSION_SERIES_MAXIMUM];
    bool follows[SIDES * SESSION_SERIES_MAXIMUM];
    struct rounds_plan plan = {.series = first->series_count + second->series_count,
                               .calls = first->settings->calls,
                               .block = first->block,
                               .blocks = blocks,
                               .follows = follows,
                               .warmup = !first->settings->no_warmup,
                               .seed = first->settings->seed};
    uint64_t calls = session_shape(first, blocks, follows);

    calls += session_shape(second, blocks + first->series_count, follows + first->series_count);
    for (size_t i = 0; i < SIDES; i++) {
        int code = session_rounds_begin(&versus->sessions[i], error);

        if (code)
            return code;
        versus->sources[i] = session_blocks(&versus->sessions[i]);
    }
    return run_rounds(versus, &plan, calls, error);
}

/* The report */

static int write_json(const void *result, FILE *out)
{
    return versus_write_json(result, out);
}

static int write_result(const struct settings *settings, const struct versus_result *result,
                        struct error *error)
{
    bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");

    if (!settings->quiet && !(settings->json && strcmp(settings->json, "-") == 0)) {
        versus_print(result, settings->verbose, colour, stdout);
        for (size_t i = 0; i < SIDES && settings->histograms; i++) {
            printf("\n%c", i == SIDE_FIRST ? 'A' : 'B');
            text_print_histograms(i == SIDE_FIRST ? result->first : result->second, stdout);
        }
        if (fflush(stdout) != 0)
            return error_set(error, ERROR_FAILED, -errno, "writing the table: %s", strerror(errno));
    }
    return settings->json ? file_write(write_json, result, "--json", settings->json, error) : 0;
}

/* The worse of both sides' verdicts counts. */
static int exit_status(const struct result results[SIDES], bool allow_suspect)
{
    enum verdict verdict = results[SIDE_FIRST].validity.verdict;

    if (results[SIDE_SECOND].validity.verdict > verdict)
        verdict = results[SIDE_SECOND].validity.verdict;
    return verdict == VERDICT_OK || (verdict == VERDICT_SUSPECT && allow_suspect) ? 0
                                                                                  : ERROR_FAILED;
}

static int fill_results(struct versus *versus, struct result results[SIDES],
                        const char *cut_short_by, struct error *error)
{
    size_t length;
    int code = versus_block_length(versus, &length, error);

    for (size_t i = 0; i < SIDES && code == 0; i++) {
        versus->sessions[i].resampling_block = length;
        code = outcome_fill(&results[i], &versus->sessions[i], cut_short_by, error);
    }
    return code;
}

/* What was measured is told whatever ended the run. Returns an exit status. */
static int report(struct versus *versus, const char *cut_short_by)
{
    const struct settings *settings = &versus->settings[SIDE_FIRST];
    struct result results[SIDES] = {{.ops = NULL}, {.ops = NULL}};
    struct versus_result result = {.rows = NULL};
    struct error error;
    int status, code = fill_results(versus, results, cut_short_by, &error);

    if (code == 0)
        code = versus_compare(&result, results, &error);
    if (code == 0)
        code = write_result(settings, &result, &error);
    status = code ? (int)error.kind : exit_status(results, settings->allow_suspect);
    if (code)
        error_print(&error);
    free(result.rows);
    for (size_t i = 0; i < SIDES; i++)
        outcome_free(&results[i]);
    return status;
}

static void unmount(struct versus *versus, bool tell)
{
    struct error error;

    for (size_t i = SIDES; i-- > 0;) /* the first may have the server of both */
        if (session_unmount(&versus->sessions[i], &error) != 0 && tell) {
            versus_name_side(versus, i, &error);
            error_print(&error);
        }
}

static int run_sessions(struct versus *versus)
{
    struct error error;
    bool measured;
    int status, code = versus_open(versus, &error);

    if (code) {
        error_print(&error);
        return interrupt_ended(code) ? ERROR_FAILED : (int)error.kind;
    }
    code = measure(versus, &error);
    if (interrupt_ended(code))
        error_set(&error, ERROR_FAILED, code, "interrupted");
    unmount(versus, code == 0);
    measured = versus->rounds.done > 0;
    status = measured ? report(versus, code ? error.text : NULL) : 0;
    if (code == 0)
        return status;
    error_print(&error);
    return code == -EINTR && measured ? status : (int)error.kind;
}

int versus_measure(const struct settings *first, int argc, char **argv)
{
    struct versus *versus = calloc(1, sizeof *versus);
    struct error error = {.kind = ERROR_FAILED, .text = "out of memory"};
    int status, code = versus ? 0 : -ENOMEM;

    if (code == 0) {
        versus->settings[SIDE_FIRST] = *first;
        code = settings_parse_second(&versus->settings[SIDE_SECOND], first, argc, argv, &error);
    }
    if (code == 0 && first->json)
        code = file_check("--json", first->json, &error);
    if (code) {
        error_print(&error);
        free(versus);
        return (int)error.kind;
    }
    interrupt_catch();
    status = run_sessions(versus);
    hide_rounds(versus);
    versus_close(versus);
    rounds_close(&versus->rounds);
    free(versus);
    return status;
}
