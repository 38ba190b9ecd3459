/* The second side's settings: the first's, but for what the command line says of it. */
#include "test.h"

#include <string.h>

#include "cli/settings.h"

enum { WORDS_MAXIMUM = 32 };

/* Parse LINE, split at spaces, for both sides. The words are in static memory, for what points into
 * them. */
static int parse(const char *line, struct settings *first, struct settings *second,
                 struct error *error)
{
    static char copy[1024], program[] = "nfsbench";
    char *argv[WORDS_MAXIMUM] = {program};
    int argc = 1, code;

    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    code = settings_parse(first, argc, argv, error);
    return code ? code : settings_parse_second(second, first, argc, argv, error);
}

static void test_other_target(void **state)
{
    static struct settings first, second;
    struct error error;

    assert_int_equal(parse("a:/x getattr,read 1k -s 1KiB --versus nfs://b:7/y?proto=udp "
                           "--server-cmd ssh",
                           &first, &second, &error),
                     0);
    assert_true(settings_have_versus(&first));
    assert_string_equal(second.target_text, "nfs://b:7/y?proto=udp");
    assert_string_equal(second.target.host, "b");
    assert_int_equal(second.target.transport, TRANSPORT_UDP);
    assert_int_equal(first.target.transport, TRANSPORT_TCP);
    assert_int_equal(second.timeout_ns, 1000000000);
    assert_int_equal(first.timeout_ns, UINT64_C(10000000000));
    assert_int_equal(second.op_count, 2);
    assert_int_equal(second.calls, 1000);
    assert_int_equal(second.read_size, 1024);
    assert_int_equal(second.seed, first.seed);
    /* How to reach A's server is no way to reach B's. */
    assert_string_equal(first.server_command, "ssh");
    assert_null(second.server_command);
}

static void test_same_target_otherwise(void **state)
{
    static struct settings first, second;
    struct error error;

    assert_int_equal(
        parse("a:/x getattr --versus-proto udp --server-cmd ssh", &first, &second, &error), 0);
    assert_true(settings_have_versus(&first));
    assert_string_equal(second.target.host, "a");
    assert_int_equal(second.target.transport, TRANSPORT_UDP);
    assert_string_equal(second.server_command, "ssh");
    assert_ptr_equal(first.engine, second.engine);

    assert_int_equal(parse("a:/x getattr -p udp --versus-engine tirpc", &first, &second, &error),
                     0);
    assert_string_equal(first.engine->name, "wire");
    assert_string_equal(second.engine->name, "tirpc");
    assert_int_equal(second.target.transport, TRANSPORT_UDP);

    assert_int_equal(parse("a:/x getattr -p udp --versus b:/y --versus-proto tcp -t 3s", &first,
                           &second, &error),
                     0);
    assert_int_equal(first.target.transport, TRANSPORT_UDP);
    assert_int_equal(second.target.transport, TRANSPORT_TCP);
    assert_int_equal(second.timeout_ns, UINT64_C(3000000000));

    assert_int_equal(parse("a:/x getattr", &first, &second, &error), 0);
    assert_false(settings_have_versus(&first));
}

static void test_refusals(void **state)
{
    static const struct {
        const char *line, *word;
    } cases[] = {
        {"a:/x getattr --versus b", "b"},
        {"a:/x getattr --versus-proto sctp", "--versus-proto 'sctp'"},
        {"a:/x getattr --versus-engine frob", "--versus-engine 'frob'"},
        {"a:/x getattr --engine frob --versus-engine tirpc", "--engine 'frob'"},
        {"a:/x getattr --spin --versus-engine tirpc", "--spin"},
        {"a:/x getattr --versus b:/x --csv x.csv", "--csv"},
        {"a:/x getattr --versus b:/x --hdr x", "--hdr"},
        {"a:/x create --versus b:/x --scratch x", "--scratch"},
        {"a:/x getattr --versus b:/x --cost getattr=1us", "--cost"},
        {"a:/x getattr --versus self: --port 2049", "--port"},
    };
    static struct settings first, second;
    struct error error;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_not_equal(parse(cases[i].line, &first, &second, &error), 0);
        assert_int_equal(error.kind, ERROR_USAGE);
        if (!strstr(error.text, cases[i].word))
            fail_msg("'%s' does not say %s", error.text, cases[i].word);
    }
    /* Costs are for the side that is the embedded server. */
    assert_int_equal(
        parse("a:/x getattr --versus self: --cost getattr=1us", &first, &second, &error), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_target),
        cmocka_unit_test(test_same_target_otherwise),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
