/* The options of serve, which also describe the embedded server of self:. */
#include "command_line.h"
#include "job/plan.h"
#include "serve/options.h"

extern const struct command command_serve;

TEST_CASE(lists)
{
    assert_all((parse_options(&command_serve, "-b 1 --bind 2"), 0), (serve_own.addresses.count, 2),
               (serve_own.addresses.values[1], "2"),
               (parse_options(&command_serve, "--sec krb5,none"), 0),
               (serve_own.addresses.count, 0), (serve_own.server.policy.flavor_count, 2),
               (serve_own.server.policy.flavors[0], RPC_FLAVOR_KRB5),
               (serve_own.server.policy.flavors[1], RPC_FLAVOR_NONE));
}

TEST_CASE(a_list_is_bounded)
{
    char line[512] = "";

    for (int i = 0; i < OPTION_LIST_MAXIMUM; i++)
        strcat(line, "-bx ");
    assert_int_equal(parse_options(&command_serve, line), 0);
    strcat(line, "-bx");
    assert_int_equal(parse_options(&command_serve, line), -EINVAL);
}

TEST_CASE(refused)
{
    static const char *const lines[] = {"--sec sys,", "--sec sys,sys", "--sec krb", "--sec krb5x",
                                        "--sec none,sys,none"};

    for (size_t i = 0; i < COUNT_OF(lines); i++)
        assert_refused(parse_options(&command_serve, lines[i]), lines[i], "--sec");
}

/* The values of limits. By default, a device serves one call at a time, and a burst is one second's
 * rate. */
TEST_CASE(limits)
{
    const struct policy *policy = &serve_own.server.policy;

    assert_all((parse_options(&command_serve, "--lock getattr=50us --device 5ms/8 "
                                              "--call-rate 1k/50 --byte-rate 10M/64Ki "
                                              "--receive-window 16Ki"),
                0),
               (policy->locks[NFSPROC3_GETATTR].ns, 50000), (policy->device.ns, 5000000),
               (policy->device.at_once, 8), (policy->call_rate.per_second, 1000),
               (policy->call_rate.burst, 50), (policy->byte_rate.per_second, 10 << 20),
               (policy->byte_rate.burst, 64 << 10),
               (serve_own.server.sockets.receive_window, 16 << 10));
    assert_all((parse_options(&command_serve, "--device 5ms --call-rate 1k --byte-rate 10M"), 0),
               (policy->device.at_once, 1), (policy->call_rate.burst, 1000),
               (policy->byte_rate.burst, 10 << 20));
}

TEST_CASE(limits_that_are_none)
{
    static const char *const lines[] = {
        "--device 5",      "--device 0ms",         "--device 5ms/0",    "--device 5ms/65",
        "--device 5ms/",   "--call-rate 0",        "--call-rate 10/0",  "--call-rate 10/",
        "--call-rate 1us", "--byte-rate 10/x",     "--byte-rate 0/1Ki", "--lock getattr",
        "--device /2",     "--receive-window 2047"};

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        char option[24];

        snprintf(option, sizeof option, "%.*s", (int)strcspn(lines[i], " "), lines[i]);
        assert_refused(parse_options(&command_serve, lines[i]), lines[i], option);
    }
}

/* Combinations of options that rules_check() refuses or accepts. */
TEST_CASE(combinations)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"--echo --threads 2", "only --port, --bind and --user apply"},
        {"--keytab k --sec sys", "--keytab and --context-time are for"},
        {"--xprtsec tls", "need --tls-cert and --tls-key"},
        {"--xprtsec mtls --tls-cert c --tls-key k", "needs --tls-ca"},
        {"--dirs 2", "--dirs needs --files"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(parse_options(&command_serve, cases[i].line), 0);
        assert_refused(rules_check(&options, &error), cases[i].line, cases[i].words);
    }
    assert_int_equal(parse_options(&command_serve, "--echo --port 1 -b ::1"), 0);
    assert_int_equal(rules_check(&options, &error), 0);
}

/* An option that writes a file must have no short form, because only long options of --self-args
 * are searched for such options (report/repeatable.c). */
TEST_CASE(what_acts_has_no_letter)
{
    for (const struct option_entry *entry = serve_option_table; entry->name; entry++)
        assert_true(!entry->acts || !entry->letter);
}
