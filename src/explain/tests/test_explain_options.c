/* Explain's own options: their values and conflicts. */
#include "command_line.h"
#include "engine/engines.h"
#include "explain/options.h"
#include "job/plan.h"

extern const struct command command_explain;

TEST_CASE(values)
{
    assert_all((parse_options(&command_explain, "--echo server:20491 --sample 1/8"), 0),
               (explain_own.echo.host, "server"), (explain_own.echo.nfs_port, 20491),
               (explain_own.sample, 8), (options.plan.maximum_ns, 20000000000),
               (parse_options(&command_explain, "--echo [fe80::1%eth0]:65535 --sample 1/1M"), 0),
               (explain_own.echo.host, "fe80::1%eth0"), (explain_own.echo.nfs_port, 65535),
               (explain_own.sample, 1000000), (parse_options(&command_explain, "a:/x"), 0),
               (explain_own.echo.host, ""), (explain_own.sample, 0));
}

static void assert_value_refused(const char *option, const char *text)
{
    static char program[] = "nfsbench", word[1024];

    snprintf(word, sizeof word, "--%s=%s", option, text);
    commands_use(&commands_of_nfsbench);
    assert_refused(
        options_parse(&options, &command_explain, 2, (char *[]){program, word, NULL}, &error), text,
        option);
}

TEST_CASE(refused_values)
{
    static const char *const echoes[] = {"",
                                         ":",
                                         "host",
                                         "host:",
                                         ":1",
                                         "host:0",
                                         "host:65536",
                                         "h:1x",
                                         "::1:1",
                                         "[::1]",
                                         "[]:1",
                                         "[::1]1",
                                         "host:-1",
                                         "host:+1",
                                         "h: 1",
                                         "[::1:1",
                                         "[a:1",
                                         "a]b:c:1",
                                         "host:000000000001"};
    static const char *const samples[] = {"",    "1",         "1/",   "1/0",
                                          "2/8", "1/1000001", "1/-8", "1/4294967297"};

    for (size_t i = 0; i < COUNT_OF(echoes); i++)
        assert_value_refused("echo", echoes[i]);
    for (size_t i = 0; i < COUNT_OF(samples); i++)
        assert_value_refused("sample", samples[i]);
}

TEST_CASE(other_engines)
{
    static struct run_plan plan;

    for (const struct engine_type *const *engine = engine_types; *engine; engine++) {
        char line[80];

        if (*engine == &engine_wire)
            continue;
        snprintf(line, sizeof line, "a:/x getattr --engine %s", (*engine)->name);
        assert_int_equal(parse_options(&command_explain, line), 0);
        assert_refused(plan_make(&plan, &options, &error), line, "leave out --engine");
    }
}

TEST_CASE(refused_combinations)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"a:/x getattr --depth 4 --ladder", "leave out --ladder or --depth"},
        {"a:/x read 10 --max-time 1s", "--max-time is for runs without COUNT"},
        {"a:/x read --no-server --server-cmd s", "exclude each other; leave out one"},
        {"a:/x getattr --ladder --no-baseline", "no-baseline"},
        {"a:/x getattr --ladder --server-cmd s", "--server-cmd"},
        {"a:/x getattr --ladder --server-pid 1", "--server-pid"},
        {"a:/x getattr --ladder --clients 2", "leave out --ladder or --clients"},
        {"a:/x getattr --ladder --rate 100", "leave out --ladder or --rate"},
        {"a:/x getattr,read --ladder", "--ladder is for one op"},
        {"a:/x getattr --echo b:1", "--echo needs --ladder"},
        {"a:/x getattr --ladder --xdr", "exclude each other"},
        {"a:/x getattr --kprofile", "name a directory on an NFSv3 mount"},
        {"/ getattr --kprofile --xdr", "exclude each other"},
        {"a:/x getattr --xdr --server-cmd s", "--server-cmd"},
        {"a:/x getattr --xdr --depth 4", "leave out --xdr or --depth"},
        {"a:/x mix:sfs3 --xdr", "--xdr is for ops, not for a mix"},
        {"a:/x mix:sfs3", "under load"},
        {"a:/x read --depth 2 --proto udp --server-cmd s", "over TCP only"},
        {"a:/x getattr,read --slowest 2", "are for one op"},
        {"a:/x getattr --slowest 0", "--slowest must be 1 or more"},
        {"a:/x getattr 2M", "at most 1M"},
        {"a:/x readdir-all", "takes ops that are a single call"},
    };
    static struct run_plan plan;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int code = parse_options(&command_explain, cases[i].line);

        assert_refused(code ? code : plan_make(&plan, &options, &error), cases[i].line,
                       cases[i].words);
    }
}
