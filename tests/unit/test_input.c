/* Reading files that the user named, up to a limit, and lines from a pipe. */
#include <signal.h>

#include "common/input.h"
#include "sandbox.h"

static struct input input;
static struct error error;

static void expect_text(const char *name, size_t maximum, const char *text, size_t length)
{
    assert_all((input_read(&input, name, "x", maximum, &error), 0), (input.length, length));
    assert_memory_equal(input.text, text, length + 1);
    free(input.text);
    input.text = NULL;
}

static void expect_refused(const char *name, size_t maximum, int code, const char *why)
{
    assert_all((input_read(&input, name, "--predict x", maximum, &error), code),
               (error.kind, ERROR_USAGE), (strstr(error.text, "--predict x") == error.text),
               (strstr(error.text, why)), (input.text, NULL));
}

SANDBOX_TEST(whole)
{
    static char text[300001];

    put("empty", "");
    expect_text("empty", 10, "", 0);
    memset(text, 'x', sizeof text - 1);
    put("long", text);
    expect_text("long", sizeof text - 1, text, sizeof text - 1);
    expect_refused("long", sizeof text - 2, -EFBIG, "is longer than");
}

SANDBOX_TEST(what_is_no_text)
{
    expect_refused("absent", 10, -ENOENT, strerror(ENOENT));
    expect_refused(".", 10, -EISDIR, "is a directory");
    expect_refused("/dev/zero", 10, -ENODEV, "is a device");
    expect_refused("/dev/null", 10, -ENODEV, "is a device");
    put_bytes("bytes", "queue\0 1us-2us", 14);
    expect_refused("bytes", 100, -EILSEQ, "not text");
}

SANDBOX_TEST(sparse)
{
    put("sparse", "");
    if (truncate("sparse", INT64_C(10) << 30) != 0)
        skip();
    expect_refused("sparse", INPUT_LINES_MAXIMUM, -EFBIG, "longer than 1 MiB");
}

/* The kernel does not report the length of files in /proc. */
TEST_CASE(of_proc)
{
    assert_all((input_read(&input, "/proc/version", "x", 4096, &error), 0), (input.length > 10));
    free(input.text);
    input.text = NULL;
}

static pid_t start_writer(const char *text, bool endless)
{
    pid_t pid;
    int fd;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid)
        return pid;
    signal(SIGPIPE, SIG_DFL);
    fd = open("pipe", O_WRONLY | O_CLOEXEC);
    do
        if (write(fd, text, strlen(text)) < 0)
            _exit(1);
    while (endless);
    _exit(0);
}

SANDBOX_TEST(pipe)
{
    pid_t pid = start_writer("a line\n", false);
    int status;

    expect_text("pipe", 100, "a line\n", 7);
    assert_all((waitpid(pid, &status, 0), pid), (status, 0));
}

SANDBOX_TEST(pipe_without_end)
{
    pid_t pid = start_writer("for ever and ever\n", true);
    int status;

    expect_refused("pipe", INPUT_LINES_MAXIMUM, -EFBIG, "longer than 1 MiB");
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

/* Read a line from a pipe that contains TEXT. The pipe's writing end is open or closed. */
TEST_CASE(line)
{
    static const volatile sig_atomic_t stopped = 1;
    static const struct {
        const char *text, *line;
        bool closed;
        int code;
        uint64_t limit_ns;
        const volatile sig_atomic_t *stop;
    } cases[] = {
        {"hello\n", "hello\n", false, 0, 5000000000, NULL},
        {"cut", "cut", true, -EPIPE, 1000000000, NULL},
        {"", "", true, -EPIPE, 1000000000, NULL},
        {"wait", "wait", false, -ETIME, 1000000, NULL},
        {"much too long for it\n", "much too long f", false, -EMSGSIZE, 1000000000, NULL},
        {"stop\n", "", false, -EINTR, 1000000000, &stopped},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct deadline deadline;
        char line[16];
        int ends[2], code;

        assert_all((pipe(ends), 0),
                   (write(ends[1], cases[i].text, strlen(cases[i].text)), strlen(cases[i].text)));
        if (cases[i].closed)
            close(ends[1]);
        deadline = deadline_within(&(struct deadline){.stop = cases[i].stop}, cases[i].limit_ns);
        code = input_read_line(ends[0], line, sizeof line, &deadline);
        if (code != cases[i].code || strcmp(line, cases[i].line) != 0)
            fail_msg("'%s' gave %d and '%s'", cases[i].text, code, line);
        close(ends[0]);
        if (!cases[i].closed)
            close(ends[1]);
    }
}
