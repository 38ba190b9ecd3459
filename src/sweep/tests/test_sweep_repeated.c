/* The command line that a page offers has no options that write files or run commands, even within
 * values of an experiment's options. */
#include "commands.h"
#include "report/repeatable.h"
#include "test.h"

enum { WORDS_MAXIMUM = 64 };

TEST_CASE(what_acts_is_left_out)
{
    static const struct {
        const char *line, *kept, *left_out;
    } cases[] = {
        {"nfsbench self: --versus server-start=x --versus engine=tirpc",
         "nfsbench self: --versus engine=tirpc", "--versus"},
        {"nfsbench sweep self: --vary=server-start=x,y --vary depth=1,2",
         "nfsbench sweep self: --vary depth=1,2", "--vary"},
        {"nfsbench self: --self-a=--call-l=x --vary self-args=--files=9,--call-lo=x --vary "
         "depth=1,2",
         "nfsbench self: --vary depth=1,2", "--self-args, --vary"},
    };

    commands_use(&commands_of_nfsbench);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *words[WORDS_MAXIMUM];
        char copy[256], text[256] = "", *rest = NULL;
        struct report_command command;
        struct arena arena = {.last = NULL};
        size_t count = 0;

        snprintf(copy, sizeof copy, "%s", cases[i].line);
        for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            words[count++] = word;
        assert_int_equal(repeatable_make(&command, words, count, &arena), 0);
        for (size_t j = 0; j < command.count; j++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", j ? " " : "",
                     command.words[j]);
        assert_all((text, cases[i].kept), (command.left_out, cases[i].left_out));
        arena_free(&arena);
    }
}
