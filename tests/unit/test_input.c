/* Reading files that the user named, as a whole and with a limit. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/input.h"
#include "test.h"

static char path[] = "/tmp/nfsbench-input-XXXXXX";
static struct input input;
static struct error error;

/* A name that no file has. */
static int set_up(void **state)
{
    int fd;

    strcpy(path + strlen(path) - 6, "XXXXXX");
    fd = mkstemp(path);
    return fd < 0 || close(fd) != 0 ? -1 : unlink(path);
}

static int tear_down(void **state)
{
    free(input.text);
    input.text = NULL;
    unlink(path);
    return 0;
}

static void put(const void *data, size_t length)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);

    assert_int_equal(write(fd, data, length), length);
    close(fd);
}

static void expect_refused(const char *name, size_t maximum, int code, const char *why)
{
    assert_int_equal(input_read(&input, name, "--predict x", maximum, &error), code);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_ptr_equal(strstr(error.text, "--predict x"), error.text);
    assert_non_null(strstr(error.text, why));
    assert_null(input.text);
}

TEST_CASE_WITH(whole, set_up, tear_down)
{
    static char text[300000];

    put("", 0);
    assert_int_equal(input_read(&input, path, "x", 10, &error), 0);
    assert_string_equal(input.text, "");
    free(input.text);
    memset(text, 'x', sizeof text);
    put(text, sizeof text);
    assert_int_equal(input_read(&input, path, "x", sizeof text, &error), 0);
    assert_int_equal(input.length, sizeof text);
    assert_memory_equal(input.text, text, sizeof text);
    assert_int_equal(input.text[input.length], 0);
    free(input.text);
    expect_refused(path, sizeof text - 1, -EFBIG, "is longer than");
}

TEST_CASE_WITH(what_is_no_text, set_up, tear_down)
{
    expect_refused(path, 10, -ENOENT, strerror(ENOENT));
    expect_refused("/tmp", 10, -EISDIR, "is a directory");
    expect_refused("/dev/zero", 10, -ENODEV, "is a device");
    expect_refused("/dev/null", 10, -ENODEV, "is a device");
    put("queue\0 1us-2us", 14);
    expect_refused(path, 100, -EILSEQ, "not text");
}

/* A sparse file of 10 GB is refused before any byte of it is read. */
TEST_CASE_WITH(sparse, set_up, tear_down)
{
    put("", 0);
    if (truncate(path, INT64_C(10) << 30) != 0)
        skip();
    expect_refused(path, INPUT_LINES_MAXIMUM, -EFBIG, "longer than 1 MiB");
}

/* A file whose length the kernel does not report. */
TEST_CASE_WITH(of_proc, set_up, tear_down)
{
    assert_int_equal(input_read(&input, "/proc/version", "x", 4096, &error), 0);
    assert_true(input.length > 10);
}

/* Pipes */

/* A child that writes TEXT to PATH, over and over or once. */
static pid_t start_writer(const char *text, bool endless)
{
    pid_t pid = fork();
    int fd;

    assert_true(pid >= 0);
    if (pid)
        return pid;
    signal(SIGPIPE, SIG_DFL);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    do
        if (write(fd, text, strlen(text)) < 0)
            _exit(1);
    while (endless);
    _exit(0);
}

/* How the child ended: the test does not wait for a writer that nobody stops. */
static int end_of(pid_t pid)
{
    int status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

TEST_CASE_WITH(pipe, set_up, tear_down)
{
    pid_t pid;

    assert_int_equal(mkfifo(path, 0600), 0);
    pid = start_writer("a line\n", false);
    assert_int_equal(input_read(&input, path, "x", 100, &error), 0);
    assert_string_equal(input.text, "a line\n");
    assert_int_equal(end_of(pid), 0);
}

TEST_CASE_WITH(pipe_without_end, set_up, tear_down)
{
    pid_t pid;
    int status;

    assert_int_equal(mkfifo(path, 0600), 0);
    pid = start_writer("for ever and ever\n", true);
    expect_refused(path, INPUT_LINES_MAXIMUM, -EFBIG, "longer than 1 MiB");
    status = end_of(pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

/* Reading a line from a pipe. */

enum { SECOND_NS = 1000 * 1000 * 1000 };

/* Write TEXT into a pipe, close it or not, and read a line of SIZE bytes back. */
static int read_back(const char *text, bool closed, char *line, size_t size, uint64_t timeout_ns,
                     const volatile sig_atomic_t *stop)
{
    int ends[2], code;

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    if (closed)
        close(ends[1]);
    code = input_read_line(ends[0], line, size, timeout_ns, stop);
    close(ends[0]);
    if (!closed)
        close(ends[1]);
    return code;
}

TEST_CASE(line)
{
    const volatile sig_atomic_t stop = 1;
    char line[16];

    assert_int_equal(read_back("hello\n", false, line, sizeof line, 5 * (uint64_t)SECOND_NS, NULL),
                     0);
    assert_string_equal(line, "hello\n");
    assert_int_equal(read_back("cut", true, line, sizeof line, SECOND_NS, NULL), -EPIPE);
    assert_string_equal(line, "cut");
    assert_int_equal(read_back("", true, line, sizeof line, SECOND_NS, NULL), -EPIPE);
    assert_string_equal(line, "");
    assert_int_equal(read_back("wait", false, line, sizeof line, 1000000, NULL), -ETIMEDOUT);
    assert_int_equal(read_back("much too long for it\n", false, line, sizeof line, SECOND_NS, NULL),
                     -EMSGSIZE);
    assert_int_equal(strlen(line), sizeof line - 1);
    assert_int_equal(read_back("stop\n", false, line, sizeof line, SECOND_NS, &stop), -EINTR);
}
