/* Command lines from files lose options that write files or run commands. */
#include "cli/command_line.h"
#include "commands.h"
#include "report/repeatable.h"
#include "test.h"

enum { WORDS_MAXIMUM = 16 };

/* Check that the command made from LINE is KEPT, or is refused for the reason that follows "!" in
 * KEPT. LEFT_OUT must list the removed options. */
static void expect(const char *line, const char *kept, const char *left_out)
{
    const char *words[WORDS_MAXIMUM];
    char copy[256], text[512] = "", *rest = NULL;
    struct report_command command;
    struct arena arena = {.last = NULL};
    size_t count = 0;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    commands_use(&commands_of_nfsbench);
    assert_int_equal(repeatable_make(&command, words, count, &arena), 0);
    for (size_t i = 0; i < command.count && !command.refused; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
                 command.words[i]);
    if (command.refused)
        snprintf(text, sizeof text, "!%s", command.refused);
    assert_all((text, kept), (command.left_out, left_out));
    arena_free(&arena);
}

TEST_CASE(what_acts_is_left_out)
{
    expect("nfsbench self: read 1k -s 4k", "nfsbench self: read 1k -s 4k", "");
    expect("nfsbench self: read -j x.json --csv=y", "nfsbench self: read", "--json, --csv");
    expect("nfsbench self: read -jx -j y", "nfsbench self: read", "--json");
    expect("nfsbench -qvjx self:", "nfsbench -qv self:", "--json");
    expect("nfsbench -qs4k self:", "nfsbench -qs4k self:", "");
    expect("nfsbench -qs 4k self:", "nfsbench -qs 4k self:", "");
    expect("nfsbench self: --server-c x --server-start y",
           "nfsbench self:", "--server-cmd, --server-start");
    expect("nfsbench-mpi self: --json x", "nfsbench-mpi self:", "--json");
    expect("nfsbench self: --self-args --call-log=x", "nfsbench self:", "--self-args");
    expect("nfsbench self: --self-args=--threads=1 read",
           "nfsbench self: --self-args=--threads=1 read", "");
    expect("self: read --json", "self: read",
           /* from an old file, without the program's name; the value of --json is missing */
           "--json");
}

TEST_CASE(words_that_are_no_options_are_kept)
{
    expect("nfsbench self: read - -- -j x", "nfsbench self: read - -- -j x", "");
    expect("nfsbench self: --file -j read", "nfsbench self: --file -j read", "");
    expect("nfsbench", "nfsbench", "");
    expect("", "", "");
}

TEST_CASE(other_commands_are_refused)
{
    const char *const nothing = "!it measures nothing";
    const char *const unknown = "!it has options that this version of nfsbench does not know";

    expect("nfsbench clean --yes h:/e", nothing, "");
    expect("nfsbench serve --register", nothing, "");
    expect("nfsbench compare x y -o z", nothing, "");
    expect("nfsbench self: --unknown x", unknown, "");
    expect("nfsbench self: --s 1", unknown, ""); /* "--s" begins the names of several options */
    expect("nfsbench self: -qX", unknown, "");
}

/* If this test fails for a new option that takes a file's name, set .acts if the option writes the
 * file, else add the option here. */
TEST_CASE(every_option_of_a_file_is_known_to_act_or_not)
{
    const struct option_entry *entry;

    commands_use(&commands_of_nfsbench);
    for (size_t i = 0; (entry = command_option_at(i)); i++)
        if (entry->kind == OPTION_FILE && !entry->acts)
            assert_string_equal(entry->name, "predict"); /* this option only reads its file */
}
