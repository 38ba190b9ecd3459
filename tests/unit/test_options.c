/* Parsing options, and an error for each kind of mistake. The errors for wrong values of each
 * option are in tests/golden/expected/refusals. */

#include "command_line.h"

TEST_CASE(every_kind)
{
    assert_all(
        (parse_options(&command_run, "a -q --file=x b -c 5k --seed 1M --size 64KiB --offset 5GB "
                                     "--interval 2ms --port 2049 --clock monotonic --rate 2k "
                                     "--arrival constant --pattern stride:4 -- -c"),
         0),
        (options.plan.quiet), (!options.plan.spin), (options.plan.file, "x"),
        (options.plan.clock_name, "monotonic"),
        (options.plan.load_request.arrival, ARRIVALS_CONSTANT),
        (options.plan.load_request.clients, 5000), (options.plan.seed, 1000000),
        (options.plan.load_request.rate, 2000, 0), (options.plan.read_size, 65536),
        (options.plan.read_offset, 5000000000), (options.plan.interval_ns, 2000000));
    assert_all((options.port, 2049), (options.plan.working_set.pattern.stride, 4),
               (options.word_count, 3), (options.words_after_dashes, 1),
               (options_given_at(&options, offsetof(struct options, port))),
               (!(options_given_at(&options, offsetof(struct options, mount_port)))));
    /* An unambiguous abbreviation is accepted. */
    assert_int_equal(parse_options(&command_run, "--cli 3 --interval 1s"), 0);
    assert_int_equal(options.plan.load_request.clients, 3);
}

TEST_CASE(refusals)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"--frobnicate", "unknown option '--frobnicate'; see --help"},
        {"--engnie x", "unknown option '--engnie'; did you mean '--engine'?"},
        {"--interv", "option '--interv' is ambiguous; it could be --interval, --interval-log"},
        {"--file", "option '--file' needs a value: expected PATH"},
        {"--file=", "--file '': the value is empty; expected PATH"},
        {"-c", "option '--clients' needs a value: expected N"},
        {"--spin=1", "option '--spin' takes no value, but '=1' has one"},
        {"-Z", "unknown option '-Z'"},
        {"-qz", "unknown option '-z'"},
        {"-5", "-5...: a number can't be negative; COUNT is 1 or more"},
        {"--port 0", "--port '0' is out of range; expected a port, 1 to 65535"},
        {"--port 65536", "out of range"},
        {"--size 5G", "--size must be 16 MiB at most, not '5G'"},
        {"--timeout 0", "out of range"},
        {"--timeout 5", "can't be read; expected a time above 0 with its unit"},
        {"--timeout 2h", "--timeout must be 3600 s at most, not '2h'"},
        {"--clients 0", "--clients must be 1 or more, not '0'"},
        {"--clients 4294967296", "out of range"},
        {"--clients -1", "can't be read"},
        {"--threads 4097", "--threads must be 4096 at most, not '4097'"},
        {"--arrival poison", "expected poisson or constant; did you mean 'poisson'?"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_refused(parse_options(&command_run, cases[i].line), cases[i].line, cases[i].words);
}

/* A command accepts only the options of its groups. A command that makes no scratch directory
 * accepts no option about scratch directories. */
TEST_CASE(groups)
{
    static const struct command calls = {.name = "a", .groups = GROUPS_CALLING},
                                makes = {.name = "a", .groups = GROUPS_CALLING | GROUP_SCRATCH};

    assert_int_equal(parse_options(&makes, "--scratch x --keep-scratch --cleanup-timeout 1s"), 0);
    assert_int_equal(parse_options(&calls, "--port 2049"), 0);
    assert_refused(parse_options(&calls, "--scratch x"), "--scratch", "is an option of");
    assert_refused(parse_options(&calls, "--keep-scratch"), "--keep-scratch", "is an option of");
}

/* Return command INDEX of a list: the commands of nfsbench, and last the one of nfsbench-mpi.
 * Returns NULL after the last. */
static const struct command *tested_command(size_t index)
{
    const struct command *command = command_at(index);

    return command || (index > 0 && !command_at(index - 1)) ? command : &command_mpi;
}

static bool has(const struct command *command, const char *name)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    size_t count = options_of(command, entries);

    while (count > 0 && strcmp(entries[count - 1]->name, name) != 0)
        count--;
    return count > 0;
}

/* Check for each of NAMES, separated by '|', that some command has both the option of this name and
 * ENTRY. */
static void check_names(const struct option_entry *entry, const char *names)
{
    char text[256];

    snprintf(text, sizeof text, "%s", names ? names : "");
    for (char *rest = text, *name; (name = strtok_r(rest, "|", &rest));) {
        bool found = false;

        for (size_t i = 0; tested_command(i); i++)
            found |= option_is_listed(entry, tested_command(i)) && has(tested_command(i), name);
        if (!found &&
            /* in a build without some units, NAME may be an option of a missing unit */
            NFSBENCH_WITHOUT[0] == '\0')
            fail_msg("--%s needs or excludes --%s, which no command has that takes both",
                     entry->name, name);
    }
}

/* No command has two options of the same name, letter or member, and each option has the members
 * that its kind needs. */
TEST_CASE(the_table_is_consistent)
{
    const struct command *command;
    size_t shared = 0;

    commands_use(&commands_of_nfsbench);
    while (option_at(shared))
        shared++;
    for (size_t index = 0; (command = tested_command(index)); index++) {
        const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
        size_t count = options_of(command, entries);

        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < i; j++) {
                if (strcmp(entries[i]->name, entries[j]->name) == 0)
                    fail_msg("--%s occurs twice for %s", entries[i]->name, command->name);
                if (entries[i]->letter && entries[i]->letter == entries[j]->letter)
                    fail_msg("-%c occurs twice for %s", entries[i]->letter, command->name);
                if (entries[i]->offset == entries[j]->offset && entries[i]->own == entries[j]->own)
                    fail_msg("--%s and --%s set the same member", entries[i]->name,
                             entries[j]->name);
            }
    }
    for (size_t i = 0; command_option_at(i); i++) {
        const struct option_entry *entry = command_option_at(i);
        bool has_choices = entry->kind == OPTION_NAME || entry->kind == OPTION_CHOICE;

        assert_int_equal(entry->value == NULL, entry->kind == OPTION_FLAG);
        assert_int_equal(entry->parse != NULL, entry->kind == OPTION_OTHER);
        if (entry->kind != OPTION_OTHER) /* whose parser may use choices */
            assert_int_equal(entry->choices != NULL, has_choices);
        /* Each shared option must have a group or be in SECTION_OUTPUT. A command's own options,
         * from index SHARED on, need no group. */
        assert_all((entry->groups || entry->section == SECTION_OUTPUT || i >= shared),
                   (entry->section != SECTION_OWN || i >= shared), (entry->help));
        check_names(entry, entry->needs.names);
        for (size_t j = 0; j < OPTION_EXCLUSIONS_MAXIMUM; j++)
            check_names(entry, entry->excludes[j].names);
    }
}
