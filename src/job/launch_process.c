#include "job/launch_process.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/child.h"
#include "job/command.h"
#include "job/console.h"
#include "output/result/json.h"
#include "output/result/result_json.h"

enum { LOOK_MS = 100, ENVIRONMENT_MAXIMUM = 65536 };

#define RESULT_NAME  "the launch's result"
#define PADDING_NAME "NFSBENCH_PADDING="

/* A launch's command line and environment. ORDER is the option that names the order's file. */
struct execution {
    char **words;
    char **environment;
    char *padding;
    char order[32];
};

static int prepare_execution(struct execution *execution, const struct options *options,
                             const struct launch_order *order)
{
    const char *name = options->command->name;
    /* Skip the program's name, and the command's name if it was given. */
    size_t first =
        options->plan.command_count > 1 && strcmp(options->plan.command[1], name) == 0 ? 2 : 1;
    size_t variables = 0, length = sizeof PADDING_NAME + order->launch.environment;

    while (environ[variables] && variables < ENVIRONMENT_MAXIMUM)
        variables++;
    execution->words = calloc(options->plan.command_count + 4, sizeof *execution->words);
    execution->environment = calloc(variables + 2, sizeof *execution->environment);
    execution->padding = calloc(1, length);
    if (!execution->words || !execution->environment || !execution->padding)
        return -ENOMEM;
    snprintf(execution->order, sizeof execution->order, "--launch=%d", order->file);
    execution->words[0] = (char *)(uintptr_t) "nfsbench";
    execution->words[1] = (char *)(uintptr_t)name;
    execution->words[2] = execution->order;
    for (size_t i = first; i < options->plan.command_count; i++)
        execution->words[3 + i - first] = options->plan.command[i];
    memset(execution->padding, 'x', length - 1);
    memcpy(execution->padding, PADDING_NAME, sizeof PADDING_NAME - 1);
    memcpy(execution->environment, environ, variables * sizeof *execution->environment);
    execution->environment[variables] = execution->padding;
    return 0;
}

static void release_execution(struct execution *execution)
{
    free(execution->words);
    free(execution->environment);
    free(execution->padding);
}

static int await(pid_t pid)
{
    const int ended = (int)syscall(SYS_pidfd_open, pid,
                                   0); /* if pidfd_open fails, poll() still ends after LOOK_MS */
    bool passed_on = false;
    int status = 0;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        struct pollfd poller = {.fd = ended, .events = POLLIN};

        if (interrupt_flag && !passed_on) {
            kill(pid, SIGTERM);
            passed_on = true;
        }
        poll(&poller, 1, LOOK_MS);
    }
    if (ended >= 0)
        close(ended);
    return status;
}

int launch_process_execute(const char *const *words, char *const *environment, int out, int errors)
{
    const pid_t pid = child_fork(SIGTERM);

    if (pid == 0) {
        setpgid(0, 0); /* so that the process gets Ctrl-C only from its parent */
        if (out >= 0)
            dup2(out, STDOUT_FILENO);
        if (errors >= 0)
            dup2(errors, STDERR_FILENO);
        execve("/proc/self/exe", (char *const *)(uintptr_t)words, environment);
        _exit(127);
    }
    return pid < 0 ? -errno : await(pid);
}

/* Set ERROR to the error that was sent instead of a result. Returns false if no error was sent. */
static bool take_error(const json_t *root, struct error *error)
{
    const char *what = json_string_value(json_object_get(root, "error"));
    json_int_t kind = json_integer_value(json_object_get(root, "kind"));

    if (what)
        error_set(error,
                  kind == ERROR_USAGE || kind == ERROR_UNREACHABLE ? (enum error_kind)kind
                                                                   : ERROR_FAILED,
                  0, "%s", what);
    return what != NULL;
}

int launch_process_read(int file, const char *name, json_t **root, struct error *error)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return result_load_file(path, name, root, error);
}

static const char *cut_short_by(const struct result_file *file)
{
    return file->result.cut_short_by;
}

static void take_report(struct launch_report *report, int file, int status)
{
    struct error *error = &report->error;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    json_t *root = NULL;

    if (launch_process_read(file, RESULT_NAME, &root, error) == 0 && take_error(root, error)) {
        code = 0;
    } else if (root &&
               result_file_read_root(&report->file, root, RESULT_NAME, "this", error) == 0) {
        report->has_result = true;
        error->kind = ERROR_NONE;
        if (cut_short_by(&report->file))
            error_set(error, code > 0 ? (enum error_kind)code : ERROR_FAILED, 0, "%s",
                      cut_short_by(&report->file));
    } else if (WIFSIGNALED(status)) {
        error_set(error, ERROR_FAILED, 0, "the process of the launch ended by signal %d",
                  WTERMSIG(status));
    } else if (code != 0) {
        error_set(error, ERROR_FAILED, 0,
                  "the process of the launch ended with status %d and without a result", code);
    }
    json_decref(root);
}

/* Make the file in memory that contains ORDER until the launch replaces ORDER by its report. */
static int make_file(struct launch_order *order, struct error *error)
{
    order->file = memfd_create("launch", 0);
    if (order->file < 0 || pwrite(order->file, order, sizeof *order, 0) != (ssize_t)sizeof *order)
        return error_set(error, ERROR_FAILED, -errno,
                         "making a file in memory for a launch's result: %s", strerror(errno));
    return 0;
}

int launch_process_run(struct launch_report *report, const struct options *options,
                       struct launch_order *order, struct error *error)
{
    struct execution execution = {.words = NULL};
    int status = 0, code = make_file(order, error);

    *report = (struct launch_report){.error = {.kind = ERROR_NONE}};
    if (code == 0 && prepare_execution(&execution, options, order) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0)
        status = launch_process_execute((const char *const *)(uintptr_t)execution.words,
                                        execution.environment, -1, -1);
    release_execution(&execution);
    if (status < 0)
        code = error_set(error, ERROR_FAILED, status, "starting a launch: %s", strerror(-status));
    if (code == 0)
        take_report(report, order->file, status);
    if (order->file >= 0)
        close(order->file);
    return code;
}

int option_parse_launch(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    struct launch_order *order = member;
    struct stat status;
    char *end;
    const long file = strtol(text, &end, 10);

    if (*end || file <= STDERR_FILENO || file > INT_MAX || fstat((int)file, &status) != 0 ||
        status.st_size != (off_t)sizeof *order ||
        pread((int)file, order, sizeof *order, 0) != (ssize_t)sizeof *order ||
        order->file != file || order->launch.number >= order->launch.of) {
        *order = (struct launch_order){.launch = {.of = 0}};
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "--%s is internal: nfsbench gives it to the processes that it starts; see --launches",
            entry->name);
    }
    return 0;
}

void launch_process_begin(const struct launch_order *order)
{
    static void *volatile shift; /* never freed, so that all later allocations move */

    shift = malloc(order->launch.heap + 1);
    (void)shift;
    fcntl(order->file, F_SETFD, FD_CLOEXEC); /* no server may inherit the file */
}

static FILE *open_output(const struct launch_order *order)
{
    return ftruncate(order->file, 0) == 0 ? fdopen(order->file, "w") : NULL;
}

void launch_process_send(const struct launch_order *order, file_writer writer, const void *data)
{
    FILE *out = open_output(order);

    if (!out)
        return;
    writer(data, out);
    fclose(out); /* if fclose() fails, the parent reads an incomplete result */
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
