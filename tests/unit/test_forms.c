/* The list of forms, with all kinds of results: every form that is accepted is written and is not
 * empty; every other is refused before anything is written. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/forms.h"
#include "cli/options.h"
#include "samples.h"

#define ENTRY(name, letter, commands, argument, help) {#name, &form_##name},

static const struct {
    const char *name;
    const struct form *form;
} forms[FORMS_COUNT] = {FORMS(ENTRY)};

static int set_up(void **state)
{
    *state = samples_open(SAMPLES_BARE);
    return 0;
}

static int tear_down(void **state)
{
    samples_close(*state);
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

TEST_CASE_WITH(what_is_accepted_is_written, set_up, tear_down)
{
    const struct samples *samples = *state;

    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
            const struct form *form = forms[id].form;
            struct options options = {.command = COMMAND_RUN};
            struct form_data data;
            const void *written;
            file_writer writer;
            struct error error;

            options.forms[id] = "-";
            if (forms_check(&options, kind, NULL, &error) != 0)
                continue;
            writer = forms_writer(form, kind, samples->results[kind], &data, &written);
            assert_non_null(writer);
            if (form->file_at)
                check_files(form, forms[id].name, samples->results[kind]);
            else if (written_by(writer, written) == 0)
                fail_msg("--%s writes nothing of %s", forms[id].name, result_kind_name(kind));
        }
}

TEST_CASE(what_is_not_accepted_is_refused)
{
    size_t refused = 0;

    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
            struct options options = {.command = COMMAND_RUN};
            struct error error;

            options.forms[id] = "/dev/full";
            if (forms_has(forms[id].form, kind))
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
TEST_CASE(none_is_left_alone)
{
    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
        assert_true(forms_has(&form_json, kind));
    for (enum form_id id = 0; id < FORMS_COUNT; id++) {
        size_t kinds = 0;

        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
            kinds += forms_has(forms[id].form, kind);
        assert_true(kinds > 0);
    }
}

#define COMMANDS(name, letter, commands, argument, help) [FORM_##name] = (commands),

/* A command's help and completion show the forms that one of its results has, and no others. */
TEST_CASE(help_shows_the_forms_that_a_command_has)
{
    static const unsigned shown_by[FORMS_COUNT] = {FORMS(COMMANDS)};
    static const unsigned made_by[RESULT_KINDS] = {
        [RESULT_MEASUREMENT] = COMMANDS_RUN,    [RESULT_VERSUS] = COMMAND_RUN,
        [RESULT_SWEEP] = COMMAND_SWEEP,         [RESULT_SEC_LADDER] = COMMAND_SEC_LADDER,
        [RESULT_EXPLANATION] = COMMAND_EXPLAIN, [RESULT_EXPLANATIONS] = COMMAND_EXPLAIN,
        [RESULT_LADDER] = COMMAND_EXPLAIN,      [RESULT_XDR] = COMMAND_EXPLAIN,
        [RESULT_STATES] = COMMAND_EXPLAIN,      [RESULT_PROFILE] = COMMAND_PROFILE,
        [RESULT_WORKLOAD] = COMMAND_PROFILE,    [RESULT_COMPARISON] = COMMAND_COMPARE,
        [RESULT_HISTORY] = COMMAND_HISTORY,     [RESULT_OUTAGE] = COMMAND_OUTAGE,
        [RESULT_SERVICES] = COMMAND_RUN,        [RESULT_CHARACTER] = COMMAND_CHARACTERIZE,
    };

    for (enum form_id id = 0; id < FORMS_COUNT; id++) {
        unsigned commands = 0;

        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
            commands |= forms_has(forms[id].form, kind) ? made_by[kind] : 0;
        if (commands != shown_by[id])
            fail_msg("--%s is shown by the commands %x, and written by %x", forms[id].name,
                     shown_by[id], commands);
    }
}
