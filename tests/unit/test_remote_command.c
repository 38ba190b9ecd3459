/* A command on the server's machine: its answers, and the error if it gives none. */
#include "test.h"

#include <sys/wait.h>

#include "run/setup/remote_command.h"

static struct remote_command command;
static struct error error;
static char answer[64];

/* Copy the text of an answer, OBJECT, to INTO. An answer without a text is refused. */
static int take_text(void *into, const json_t *object)
{
    const char *text = json_string_value(json_object_get(object, "text"));

    if (text)
        snprintf(into, sizeof answer, "%s", text);
    return text ? 0 : -EBADMSG;
}

static const struct endpoint endpoint = {.address.ss_family = AF_INET};

static int start_command(const char *prefix)
{
    assert_int_equal(remote_command_start(&command, prefix, "agent --counters", &endpoint, 1), 0);
    return remote_command_ask(&command, NULL, 20, take_text, answer, &error);
}

#define ANSWER     "{\\\"schema\\\":\\\"nfsbench-agent/1\\\","
#define TEXT(text) "echo \"" ANSWER "\\\"text\\\":\\\"" text "\\\"}\"; "

TEST_CASE(answers)
{
    const char *prefix =
        "sh -c '" TEXT("$*") "while read -r line; do [ \"$line\" = \"{\\\"now\\\":7}\" ]"
                             " && " TEXT("got it") "done' sh";

    assert_all(
        (start_command(prefix), 0),
        (answer, "nfsbench agent --counters --port 0 --proto tcp --client-port 1"),
        (remote_command_ask(&command, json_pack("{s:i}", "now", 7), 20, take_text, answer, &error),
         0),
        (answer, "got it"), (remote_command_end(&command), 0), (command.pid, 0));
    assert_int_equal(remote_command_end(&command), 0); /* a second end does nothing */
    assert_int_equal(remote_command_ask(&command, json_object(), 20, take_text, answer, &error),
                     -EPIPE);
}

/* If the command gives no valid answer, the command is ended. The error shows the command's output
 * or, if there is none, its exit status. If there is neither, because a signal ended the command,
 * the error says only that there was no answer. */
TEST_CASE(reasons)
{
    static const struct {
        const char *prefix, *words;
    } cases[] = {
        {"/no/such/command", "or nfsbench on the server's machine, was not found in PATH"},
        {"sh -c 'exit 3'", "--server-cmd ended with status 3"},
        {"sh -c 'kill -9 $$'", "--server-cmd gave no answer"},
        {"sh -c 'echo Password:; read x'", "answered 'Password:', which is not"},
        {"sh -c 'echo {}; read x'", "answered '{}', which is not"},
        {"sh -c 'echo \"" ANSWER "\\\"number\\\":1}\"; read x'", "\"number\":1}', which is not"},
        {"sh -c 'echo \"{\\\"schema\\\":\\\"nfsbench-watch/3\\\"}\"; read x'",
         "another version of nfsbench, which answers by nfsbench-watch/3 instead of "
         "nfsbench-agent/1; install the same version"},
        {"sh -c 'echo \"" ANSWER "\\\"missing\\\":\\\"\\\"}\"; read x'",
         "\"missing\":\"\"}', which is not"},
        {"sh -c 'echo \"" ANSWER "\\\"missing\\\":\\\" \\\"}\"; read x'", "which is not"},
        {"head -c 5000000 /dev/zero;", "--server-cmd "},
        {"sh -c 'yes 0 | head -c 5000000 | tr -d \"\\n\"'", "answered '0000000"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_all((start_command(cases[i].prefix), -EBADMSG), (error.kind, ERROR_FAILED));
        if (!strstr(error.text, cases[i].words))
            fail_msg("%s: '%s'", cases[i].prefix, error.text);
        assert_int_equal(command.pid, 0);
    }
}

/* If the command reports that something is missing, this report is the error. The command is not
 * ended. */
TEST_CASE(missing)
{
    assert_all(
        (start_command("sh -c 'echo \"" ANSWER "\\\"missing\\\":\\\"it\\\"}\"; read x'"), -ENOTSUP),
        (error.text, "it"), (command.pid > 0));
    remote_command_end(&command);
}

TEST_CASE(end)
{
    int status;

    assert_int_equal(start_command("sh -c '" TEXT("ready") "exec sleep 1000'"), 0);
    status = remote_command_end(&command);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST_CASE(long_prefix)
{
    char prefix[3000];

    memset(prefix, 'x', sizeof prefix - 1);
    prefix[sizeof prefix - 1] = '\0';
    assert_int_equal(remote_command_start(&command, prefix, "agent", &endpoint, 0), -E2BIG);
}

FIXTURE(ignore_pipe, signal(SIGPIPE, SIG_IGN) == SIG_ERR)

TEST_GROUP(ignore_pipe, NULL)
