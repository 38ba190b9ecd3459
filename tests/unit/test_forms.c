/* The list of forms, for all kinds of results. A form that a kind lacks is refused before anything
 * is written. The outputs are tested in tests/golden. */
#include "test.h"

#include "cli/command_line.h"
#include "commands.h"

#define ENTRY(name, letter, groups, argument, help) {#name, &form_##name},

static const struct {
    const char *name;
    const struct form *form;
} forms[FORMS_COUNT] = {FORMS(ENTRY)};

static int use_commands(void **state)
{
    commands_use(&commands_of_nfsbench);
    return 0;
}

TEST_GROUP(use_commands, NULL)

TEST_CASE(what_is_not_accepted_is_refused)
{
    size_t refused = 0;

    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
            struct options options = {.command = &command_run};
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

static bool shows(const struct command *command, const char *form)
{
    const struct option_entry *entry;

    for (size_t i = 0; (entry = option_at(i)); i++)
        if (strcmp(entry->name, form) == 0 && option_is_listed(entry, command))
            return true;
    return false;
}

TEST_CASE(help_shows_the_forms_that_a_command_has)
{
    const struct command *command;

    for (size_t i = 0; (command = command_at(i / FORMS_COUNT)); i++) {
        const enum form_id id = i % FORMS_COUNT;
        bool writes = false;

        for (const struct view *const *view = command->views; view && *view; view++)
            writes |= forms_has(forms[id].form, (*view)->kind);
        if (writes != shows(command, forms[id].name))
            fail_msg("--%s: %s %s it, and %s it", forms[id].name, command->name,
                     writes ? "writes" : "doesn't write", writes ? "hides" : "shows");
    }
}
