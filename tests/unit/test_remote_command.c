/* A command on the server's machine: its answers, and how it is explained that it gives none. */
#include "test.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "run/remote_command.h"

static struct remote_command command;
static struct error error;
static char answer[64];

static int ask(const char *prefix, const char *question)
{
    assert_int_equal(remote_command_start(&command, prefix, "agent --counters", "--port 1"), 0);
    answer[0] = '\0';
    return remote_command_ask(&command, question, answer, sizeof answer, 20);
}

static void test_answers(void **state)
{
    const char *prefix = "sh -c 'echo \"$*\"; while read line; do echo got \"$line\"; done' sh";

    assert_int_equal(ask(prefix, ""), 0);
    assert_string_equal(answer, "nfsbench agent --counters --port 1\n");
    assert_int_equal(remote_command_ask(&command, "now\n", answer, sizeof answer, 20), 0);
    assert_string_equal(answer, "got now\n");
    assert_int_equal(remote_command_end(&command), 0);
    assert_int_equal(command.pid, 0);
    assert_int_equal(remote_command_end(&command), 0); /* again: nothing */
}

/* What ended says how; what goes on shows what it printed. */
static void test_reasons(void **state)
{
    static const struct {
        const char *prefix, *words;
    } cases[] = {
        {"/no/such/command", "the command was not found, or nfsbench is not in its PATH"},
        {"sh -c 'exit 3'", "--server-cmd ended with status 3"},
        {"sh -c 'kill -9 $$'", "--server-cmd gave no answer"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int code = ask(cases[i].prefix, "");

        assert_int_equal(code, -EPIPE);
        assert_int_equal(remote_command_give_up(&command, answer, code, &error), -EPIPE);
        assert_int_equal(error.kind, ERROR_FAILED);
        if (!strstr(error.text, cases[i].words))
            fail_msg("%s: '%s'", cases[i].prefix, error.text);
    }
    assert_int_equal(ask("sh -c 'echo Password:'", ""), 0);
    remote_command_give_up(&command, answer, -EBADMSG, &error);
    assert_non_null(strstr(error.text, "Password:"));
    assert_int_equal(ask("sh -c 'printf %01000d 0'", ""), -EMSGSIZE);
    remote_command_end(&command);
}

/* What does not end when its input does is killed. */
static void test_end(void **state)
{
    int status;

    assert_int_equal(ask("sh -c 'echo ready; exec sleep 1000'", ""), 0);
    status = remote_command_end(&command);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_long_prefix(void **state)
{
    char prefix[3000];

    memset(prefix, 'x', sizeof prefix - 1);
    prefix[sizeof prefix - 1] = '\0';
    assert_int_equal(remote_command_start(&command, prefix, "agent", ""), -E2BIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_end),
        cmocka_unit_test(test_long_prefix),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
