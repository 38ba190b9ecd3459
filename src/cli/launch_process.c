#include "cli/launch_process.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/console.h"
#include "cli/plan.h"
#include "output/json.h"
#include "output/result_json.h"

enum { LOOK_MS = 100, ENVIRONMENT_MAXIMUM = 65536 };

#define TEXT_MAXIMUM ((size_t)256 << 20) /* as of a result file */
#define PADDING_NAME "NFSBENCH_PADDING="

/* What is executed: the command line, with the order before its options. */
struct execution {
    char **words;
    char **environment;
    char *padding;
    char order[LAUNCH_ORDER_SIZE + 16];
};

static int prepare(struct execution *execution, const struct options *options,
                   const struct launch_order *order)
{
    char text[LAUNCH_ORDER_SIZE];
    /* After the program's name, and the command's where it was given. */
    size_t first =
        options->plan.command_count > 1 && strcmp(options->plan.command[1], "run") == 0 ? 2 : 1;
    size_t variables = 0, length = sizeof PADDING_NAME + order->launch.environment;

    while (environ[variables] && variables < ENVIRONMENT_MAXIMUM)
        variables++;
    execution->words = calloc(options->plan.command_count + 4, sizeof *execution->words);
    execution->environment = calloc(variables + 2, sizeof *execution->environment);
    execution->padding = calloc(1, length);
    if (!execution->words || !execution->environment || !execution->padding)
        return -ENOMEM;
    snprintf(execution->order, sizeof execution->order, "--launch=%s",
             launch_order_text(order, text));
    execution->words[0] = (char *)(uintptr_t) "nfsbench";
    execution->words[1] = (char *)(uintptr_t) "run";
    execution->words[2] = execution->order;
    for (size_t i = first; i < options->plan.command_count; i++)
        execution->words[3 + i - first] = options->plan.command[i];
    memset(execution->padding, 'x', length - 1);
    memcpy(execution->padding, PADDING_NAME, sizeof PADDING_NAME - 1);
    memcpy(execution->environment, environ, variables * sizeof *execution->environment);
    execution->environment[variables] = execution->padding;
    return 0;
}

static void release(struct execution *execution)
{
    free(execution->words);
    free(execution->environment);
    free(execution->padding);
}

static void execute(const struct execution *execution, int output, pid_t parent)
    __attribute__((noreturn));

static void execute(const struct execution *execution, int output, pid_t parent)
{
    /* The parent passes on Ctrl-C, once; and if it dies, this process ends, too. */
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    fcntl(output, F_SETFD, 0);
    execve("/proc/self/exe", execution->words, execution->environment);
    _exit(127);
}

/* Text that arrives in pieces. */
struct text {
    char *bytes;
    size_t length, room;
};

/* Read a piece; false at the end. */
static bool read_piece(struct text *text, int fd)
{
    ssize_t got;

    if (text->length == text->room) {
        size_t room = text->room ? 2 * text->room : 65536;
        char *bytes = room <= TEXT_MAXIMUM ? realloc(text->bytes, room) : NULL;

        if (!bytes)
            return false;
        text->bytes = bytes;
        text->room = room;
    }
    got = read(fd, text->bytes + text->length, text->room - text->length);
    text->length += got > 0 ? (size_t)got : 0;
    return got > 0 || (got < 0 && errno == EINTR);
}

/* Read until the launch closes its output, which it does when it ends. */
static void read_all(struct text *text, int fd, pid_t pid, struct server_command servers[2])
{
    bool passed_on = false, more = true;

    while (more) {
        struct pollfd poller = {.fd = fd, .events = POLLIN};

        if (interrupt_flag && !passed_on) {
            kill(pid, SIGTERM);
            passed_on = true;
        }
        for (size_t i = 0; i < 2; i++)
            server_command_drain(&servers[i]);
        if (poll(&poller, 1, LOOK_MS) > 0)
            more = read_piece(text, fd);
    }
}

static int start(const struct execution *execution, const int pipe_ends[2], pid_t *pid,
                 struct error *error)
{
    pid_t parent = getpid();

    *pid = fork();
    if (*pid == 0)
        execute(execution, pipe_ends[1], parent);
    close(pipe_ends[1]);
    if (*pid < 0)
        return error_set(error, ERROR_FAILED, -errno, "starting a launch: %s", strerror(errno));
    return 0;
}

/* Take the error that was sent instead of a result; false if there is none. */
static bool take_error(const struct text *text, struct error *error)
{
    json_t *root = json_loadb(text->bytes ? text->bytes : "", text->length, 0, NULL);
    const char *what = json_string_value(json_object_get(root, "error"));
    json_int_t kind = json_integer_value(json_object_get(root, "kind"));

    if (what)
        error_set(error,
                  kind == ERROR_USAGE || kind == ERROR_UNREACHABLE ? (enum error_kind)kind
                                                                   : ERROR_FAILED,
                  0, "%s", what);
    json_decref(root);
    return what != NULL;
}

static int read_result(struct launch_report *report, const struct text *text, bool two_sides)
{
    const char *bytes = text->bytes ? text->bytes : "", *path = "the launch's result";

    if (two_sides)
        return versus_read_text(&report->versus, &report->result, &report->second, bytes,
                                text->length, path, &report->error);
    return result_read_text(&report->result, bytes, text->length, path, "a measurement",
                            &report->error);
}

static void take_report(struct launch_report *report, const struct text *text, bool two_sides,
                        int status)
{
    struct error *error = &report->error;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

    if (take_error(text, error))
        return;
    if (read_result(report, text, two_sides) == 0) {
        report->has_result = report->result.launch_count == 1;
        error->kind = ERROR_NONE;
        if (report->result.cut_short_by)
            error_set(error, code > 0 ? (enum error_kind)code : ERROR_FAILED, 0, "%s",
                      report->result.cut_short_by);
        return;
    }
    if (WIFSIGNALED(status))
        error_set(error, ERROR_FAILED, 0, "its process ended by signal %d", WTERMSIG(status));
    else if (code != 0)
        error_set(error, ERROR_FAILED, 0, "its process ended with status %d and no result", code);
}

int launch_process_run(struct launch_report *report, const struct options *options,
                       struct launch_order *order, struct server_command servers[2],
                       struct error *error)
{
    struct execution execution = {.words = NULL};
    struct text text = {.bytes = NULL};
    int ends[2], status = 0, code = 0;
    pid_t pid;

    *report = (struct launch_report){.error = {.kind = ERROR_NONE}};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, ERROR_FAILED, -errno, "making a pipe: %s", strerror(errno));
    order->output = ends[1];
    if (prepare(&execution, options, order) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code)
        close(ends[1]);
    else
        code = start(&execution, ends, &pid, error);
    release(&execution);
    if (code == 0) {
        read_all(&text, ends[0], pid, servers);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        take_report(report, &text, plan_has_second_side(options), status);
    }
    close(ends[0]);
    report->text = text.bytes;
    return code;
}

void launch_report_free(struct launch_report *report)
{
    result_free(&report->result);
    result_free(&report->second);
    versus_free(&report->versus);
    free(report->text);
}

/* Within the launch */

void launch_process_begin(const struct launch_order *order)
{
    static void *volatile shift; /* never freed, so that all later allocations move by its size */

    shift = malloc(order->launch.heap + 1);
    (void)shift;
    fcntl(order->output, F_SETFD,
          FD_CLOEXEC); /* a server that the launch starts must not keep it open */
}

static FILE *open_output(const struct launch_order *order)
{
    return fdopen(order->output, "w");
}

void launch_process_send(const struct launch_order *order, file_writer writer, const void *data)
{
    FILE *out = open_output(order);

    if (!out)
        return;
    writer(data, out);
    fclose(out); /* if this fails, the parent sees that the result is incomplete */
}

void launch_process_fail(const struct launch_order *order, const struct error *error)
{
    FILE *out = open_output(order);

    if (!out)
        return;
    json_write_object(
        json_pack("{s:o, s:i}", "error", json_text(error->text), "kind", (int)error->kind), out);
    fclose(out);
}
