/* The list of forms, with all kinds of results: what a kind has no form of is refused before
 * anything is written. What is written is in tests/golden. */
#include "test.h"

#include "cli/forms.h"
#include "cli/options.h"

#define ENTRY(name, letter, commands, argument, help) {#name, &form_##name},

static const struct {
    const char *name;
    const struct form *form;
} forms[FORMS_COUNT] = {FORMS(ENTRY)};

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
            assert_all((error.kind, ERROR_USAGE), (strstr(error.text, result_kind_name(kind))),
                       (strstr(error.text, forms[id].name)));
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
    enum { EXPERIMENTS = COMMAND_RUN | COMMAND_SWEEP };
    static const unsigned made_by[RESULT_KINDS] = {
        [RESULT_MEASUREMENT] = COMMANDS_RUN,    [RESULT_EXPERIMENT] = EXPERIMENTS,
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
