/* The list of forms, with all kinds of results: every form that is accepted is written and is not
 * empty; every other is refused before anything is written. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/profile.h"
#include "capture/replay.h"
#include "character/character.h"
#include "cli/forms.h"
#include "cli/options.h"
#include "explain/functions.h"
#include "explain/ladder.h"
#include "explain/xdr.h"
#include "explanation_sample.h"
#include "outage/outage.h"
#include "output/compare.h"
#include "output/history.h"
#include "output/result.h"
#include "output/sec_ladder.h"
#include "output/services.h"
#include "output/sweep.h"
#include "output/versus.h"
#include "states_sample.h"

#define ENTRY(name, letter, commands, argument, help) {#name, &form_##name},

static const struct {
    const char *name;
    const struct form *form;
} forms[FORMS_COUNT] = {FORMS(ENTRY)};

/* Small results of all kinds. */
struct samples {
    struct histogram histogram;
    double blocks[2];
    struct result_op ops[3];
    struct result result;
    struct versus_row versus_row;
    struct versus_result versus;
    struct sweep_point point;
    struct sweep sweep;
    struct sec_point sec_point;
    struct sec_ladder sec_ladder;
    struct explanation_sample explanation;
    struct explanations explanations;
    struct series series;
    struct ladder_result ladder;
    struct xdr_row xdr_row;
    struct xdr_result xdr;
    struct function_row function_row;
    struct functions_op functions_op;
    struct functions_result functions;
    struct states_sample states;
    struct gap_row gap_rows[OUTAGE_PROCEDURES];
    struct gap gap;
    struct gaps gaps;
    struct outage outage;
    struct profile profile;
    struct replay replay;
    struct character character;
    struct compare_row compare_row;
    struct compare_pair pair;
    struct compare_result comparison;
    struct history_result history_result;
    struct history_point history_point;
    struct history history;
    struct services services;
    const void *results[RESULT_KINDS];
};

static void fill_op(struct samples *samples, size_t index, const char *name, enum result_role role)
{
    struct result_op *op = &samples->ops[index];

    *op = (struct result_op){.op = name,
                             .role = role,
                             .calls = 2,
                             .timed = 2,
                             .latency = result_latency_of(&samples->histogram),
                             .histogram = &samples->histogram,
                             .blocks = samples->blocks};
    if (role == RESULT_NULL)
        return;
    op->baseline = samples->ops;
    op->has_above_null = true;
    op->above_null.cost = (struct interval){5, 4, 6};
}

static void fill_result(struct samples *samples)
{
    histogram_record(&samples->histogram, 1000);
    histogram_record(&samples->histogram, 3000);
    samples->blocks[0] = samples->blocks[1] = 2000;
    fill_op(samples, 0, "null", RESULT_NULL);
    fill_op(samples, 1, "null_control", RESULT_NULL_CONTROL);
    fill_op(samples, 2, "getattr", RESULT_OP);
    samples->result = (struct result){
        .path = "a.json",
        .tool = {"nfsbench", "1", "test"},
        .start = "2026-01-02T03:04:05+00:00",
        .target = {.text = "self:", .transport = "TCP"},
        .config = {.baseline = true, .load = {.clients = 1, .connections = 1, .depth = 1}},
        .rounds = {.done = 2, .planned = 2},
        .ops = samples->ops,
        .op_count = 3,
        .null_calls = &samples->ops[0],
        .null_control = &samples->ops[1],
    };
}

static void fill_pairs(struct samples *samples)
{
    samples->versus_row = (struct versus_row){.first = &samples->ops[2],
                                              .second = &samples->ops[2],
                                              .parts[VERSUS_ROUND_TRIP].known = true};
    samples->versus = (struct versus_result){.first = &samples->result,
                                             .second = &samples->result,
                                             .rows = &samples->versus_row,
                                             .count = 1};
    samples->compare_row =
        (struct compare_row){.first = &samples->ops[2], .second = &samples->ops[2]};
    samples->pair = (struct compare_pair){.first = &samples->result,
                                          .second = &samples->result,
                                          .rows = &samples->compare_row,
                                          .count = 1};
    samples->comparison = (struct compare_result){.pairs = &samples->pair, .count = 1};
}

static void fill_history(struct samples *samples)
{
    samples->history_result = (struct history_result){
        .path = "a.json", .start = samples->result.start, .target = "self:"};
    samples->history_point =
        (struct history_point){.result = &samples->history_result, .value = {5, 4, 6}};
    samples->history.results = &samples->history_result;
    samples->history.result_count = 1;
    samples->history.series[0] = (struct history_series){.op = "getattr",
                                                         .settings = "self:",
                                                         .size = "",
                                                         .points = &samples->history_point,
                                                         .count = 1};
    samples->history.series_count = 1;
}

static void fill_outage(struct samples *samples)
{
    samples->gap_rows[0] = (struct gap_row){.is_in = true, .began = 1, .ended = 2};
    samples->gap = (struct gap){.began = 1, .ended = 2, .rows = samples->gap_rows};
    samples->gaps =
        (struct gaps){.line_count = OUTAGE_PROCEDURES, .gap = &samples->gap, .count = 1};
    samples->outage = (struct outage){.origin = {.target = "self:", .transport = "TCP"},
                                      .connections = 1,
                                      .gaps = &samples->gaps};
}

static void fill_character(struct samples *samples)
{
    struct character_answer *answer = &samples->character.answers[0];

    samples->character.target = "self:";
    samples->character.transport = "TCP";
    samples->character.answer_count = 1;
    answer->name = "order";
    answer->question = answer->unknown = "?";
    answer_say(answer, "In order.");
    answer_figure(answer, "wait", &(struct interval){1, 0, 2}, "us", "of one call");
}

static void fill_services(struct samples *samples)
{
    samples->services = (struct services){.target = "host:", .address = "192.0.2.1"};
    services_add(&samples->services, SERVICES_NFS, 3);
}

static void fill_others(struct samples *samples)
{
    samples->point = (struct sweep_point){.setting = {1, 1, 1, 4096, 0}, .repeats = 1};
    samples->sweep = (struct sweep){.origin = {.target = "self:", .transport = "TCP"},
                                    .op = "getattr",
                                    .engine = "wire",
                                    .client_cpus = "0",
                                    .points = &samples->point,
                                    .point_count = 1};
    samples->sec_point = (struct sec_point){
        .op = "read", .security = "krb5p", .size = 4096, .depth = 1, .repeats = 1};
    samples->sec_ladder = (struct sec_ladder){.origin = {.target = "self:", .transport = "TCP"},
                                              .engine = "wire",
                                              .client_cpus = "0",
                                              .points = &samples->sec_point,
                                              .point_count = 1};
    explanation_sample_fill(&samples->explanation, &phase_view_both, 2000);
    samples->series = (struct series){.histogram = samples->histogram, .calls = 2};
    samples->ladder = (struct ladder_result){
        .op = "getattr", .null_op = "null", .echo = "here", .run = &samples->result};
    for (size_t i = 0; i < LADDER_RUNGS; i++)
        samples->ladder.series[i] = &samples->series;
    samples->xdr_row = (struct xdr_row){.op = "getattr"};
    samples->xdr =
        (struct xdr_result){.origin = {.target = "self:", .transport = "TCP", .auth = "AUTH_SYS"},
                            .clock = "tsc",
                            .rows = &samples->xdr_row,
                            .row_count = 1};
    samples->function_row = (struct function_row){.function = &kernel_functions[0]};
    samples->functions_op =
        (struct functions_op){.op = "getattr", .rows = &samples->function_row, .row_count = 1};
    samples->functions =
        (struct functions_result){.origin = {.target = "self:", .transport = "TCP"},
                                  .ops = &samples->functions_op,
                                  .op_count = 1};
}

static int set_up(void **state)
{
    struct samples *samples = calloc(1, sizeof *samples);

    fill_result(samples);
    fill_pairs(samples);
    fill_others(samples);
    fill_history(samples);
    fill_outage(samples);
    fill_character(samples);
    fill_services(samples);
    assert_int_equal(states_sample_fill(&samples->states, &samples->result), 0);
    samples->results[RESULT_MEASUREMENT] = &samples->result;
    samples->results[RESULT_VERSUS] = &samples->versus;
    samples->results[RESULT_SWEEP] = &samples->sweep;
    samples->results[RESULT_SEC_LADDER] = &samples->sec_ladder;
    samples->results[RESULT_EXPLANATION] = &samples->explanation.explanation;
    samples->explanations =
        (struct explanations){.ops = &samples->explanation.explanation, .count = 1};
    samples->results[RESULT_EXPLANATIONS] = &samples->explanations;
    samples->results[RESULT_LADDER] = &samples->ladder;
    samples->results[RESULT_XDR] = &samples->xdr;
    samples->results[RESULT_FUNCTIONS] = &samples->functions;
    samples->results[RESULT_STATES] = &samples->states.result;
    samples->results[RESULT_OUTAGE] = &samples->outage;
    samples->profile = (struct profile){.path = "a.pcap", .procedures[1] = {.calls = 1}};
    samples->results[RESULT_PROFILE] = &samples->profile;
    samples->replay =
        (struct replay){.path = "a.workload",
                        .pattern = "random",
                        .result = &samples->result,
                        .workload.mix.ops[0].procedure = nfs_procedure_find("getattr"),
                        .workload.mix.count = 1};
    samples->results[RESULT_REPLAY] = &samples->replay;
    samples->results[RESULT_CHARACTER] = &samples->character;
    samples->results[RESULT_COMPARISON] = &samples->comparison;
    samples->results[RESULT_HISTORY] = &samples->history;
    samples->results[RESULT_SERVICES] = &samples->services;
    *state = samples;
    return 0;
}

static int tear_down(void **state)
{
    struct samples *samples = *state;

    phases_close(&samples->explanation.phases);
    rpc_states_close(&samples->states.op.rpcs);
    free(samples);
    return 0;
}

/* The bytes that WRITER makes of RESULT. */
static size_t written_by(file_writer writer, const void *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(writer(result, out), 0);
    fclose(out);
    free(text);
    return size;
}

static void check_files(const struct form *form, const char *name, const void *result)
{
    struct form_file file, before;
    size_t count = 0;

    assert_true(form->file_at(NULL, "prefix", 0, &before));
    for (; form->file_at(result, "prefix", count, &file); count++) {
        if (count == 0)
            assert_string_equal(file.path, before.path);
        if (file.writer && written_by(file.writer, file.data) == 0)
            fail_msg("--%s: %s is empty", name, file.path);
    }
    assert_true(count > 0);
}

static void test_what_is_accepted_is_written(void **state)
{
    const struct samples *samples = *state;

    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
            const struct form *form = forms[id].form;
            struct options options = {.command = COMMAND_RUN};
            struct error error;

            options.forms[id] = "-";
            if (forms_check(&options, kind, NULL, &error) != 0)
                continue;
            assert_non_null(form->writers[kind]);
            if (form->file_at)
                check_files(form, forms[id].name, samples->results[kind]);
            else if (written_by(form->writers[kind], samples->results[kind]) == 0)
                fail_msg("--%s writes nothing of %s", forms[id].name, result_kind_name(kind));
        }
}

static void test_what_is_not_accepted_is_refused(void **state)
{
    size_t refused = 0;

    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
            struct options options = {.command = COMMAND_RUN};
            struct error error;

            options.forms[id] = "/dev/full";
            if (forms[id].form->writers[kind])
                continue;
            assert_int_not_equal(forms_check(&options, kind, NULL, &error), 0);
            assert_int_equal(error.kind, ERROR_USAGE);
            assert_non_null(strstr(error.text, result_kind_name(kind)));
            assert_non_null(strstr(error.text, forms[id].name));
            assert_int_not_equal(forms_write(options.forms, kind, "unread", &error), 0);
            refused++;
        }
    assert_true(refused > 0);
}

/* Each form can write some kind of result, and each kind has a form that contains all of it. */
static void test_none_is_left_alone(void **state)
{
    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
        assert_non_null(form_json.writers[kind]);
    for (enum form_id id = 0; id < FORMS_COUNT; id++) {
        size_t kinds = 0;

        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
            kinds += forms[id].form->writers[kind] != NULL;
        assert_true(kinds > 0);
    }
}

#define COMMANDS(name, letter, commands, argument, help) [FORM_##name] = (commands),

/* A command's help and completion show the forms that one of its results has, and no others. */
static void test_help_shows_the_forms_that_a_command_has(void **state)
{
    static const unsigned shown_by[FORMS_COUNT] = {FORMS(COMMANDS)};
    static const unsigned made_by[RESULT_KINDS] = {
        [RESULT_MEASUREMENT] = COMMANDS_RUN,
        [RESULT_VERSUS] = COMMAND_RUN,
        [RESULT_SWEEP] = COMMAND_SWEEP,
        [RESULT_SEC_LADDER] = COMMAND_SEC_LADDER,
        [RESULT_EXPLANATION] = COMMAND_EXPLAIN,
        [RESULT_EXPLANATIONS] = COMMAND_EXPLAIN,
        [RESULT_LADDER] = COMMAND_EXPLAIN,
        [RESULT_XDR] = COMMAND_EXPLAIN,
        [RESULT_FUNCTIONS] = COMMAND_EXPLAIN,
        [RESULT_STATES] = COMMAND_EXPLAIN,
        [RESULT_PROFILE] = COMMAND_PROFILE,
        [RESULT_REPLAY] = COMMAND_REPLAY,
        [RESULT_COMPARISON] = COMMAND_COMPARE,
        [RESULT_HISTORY] = COMMAND_HISTORY,
        [RESULT_OUTAGE] = COMMAND_OUTAGE,
        [RESULT_SERVICES] = COMMAND_RUN,
        [RESULT_CHARACTER] = COMMAND_CHARACTERIZE,
    };

    for (enum form_id id = 0; id < FORMS_COUNT; id++) {
        unsigned commands = 0;

        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
            commands |= forms[id].form->writers[kind] ? made_by[kind] : 0;
        if (commands != shown_by[id])
            fail_msg("--%s is shown by the commands %x, and written by %x", forms[id].name,
                     shown_by[id], commands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_accepted_is_written, set_up, tear_down),
        cmocka_unit_test(test_what_is_not_accepted_is_refused),
        cmocka_unit_test(test_none_is_left_alone),
        cmocka_unit_test(test_help_shows_the_forms_that_a_command_has),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
