#include "run/setup/remote_command.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/address.h"
#include "common/child.h"
#include "common/descriptors.h"
#include "common/input.h"

#define SCHEMA "nfsbench-agent/1"

#define END_TIMEOUT_NS UINT64_C(1000000000)

static _Noreturn void exec_shell(const char *line, int input, int output)
{
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

int remote_command_start(struct remote_command *command, const char *prefix, const char *name,
                         const struct endpoint *endpoint, uint16_t client_port)
{
    enum { INPUT, OUTPUT, PIPES };
    int pipes[PIPES][2], code;
    char line[2048], from[32] = "";

    *command = (struct remote_command){.name = name, .deadline = command->deadline};
    if (client_port)
        snprintf(from, sizeof from, " --client-port %u", client_port);
    if (snprintf(line, sizeof line, "exec %s nfsbench %s --port %u --proto %s%s", prefix, name,
                 address_port(&endpoint->address),
                 endpoint->transport == TRANSPORT_UDP ? "udp" : "tcp", from) >= (int)sizeof line)
        return -E2BIG;
    code = descriptors_pipes(pipes, PIPES);
    if (code)
        return code;
    command->pid = child_fork(SIGKILL);
    if (command->pid == 0)
        exec_shell(line, pipes[INPUT][0], pipes[OUTPUT][1]);
    close(pipes[INPUT][0]);
    close(pipes[OUTPUT][1]);
    command->to = pipes[INPUT][1];
    command->from = pipes[OUTPUT][0];
    if (command->pid > 0)
        return 0;
    close(command->to);
    close(command->from);
    command->pid = 0;
    return -EAGAIN;
}

int remote_command_end(struct remote_command *command)
{
    int status = 0;

    if (command->pid == 0)
        return 0;
    close(command->to);
    close(command->from);
    child_await(command->pid, END_TIMEOUT_NS, &status);
    command->pid = 0;
    return status;
}

static const char *schema_of(const json_t *answer)
{
    return json_string_value(json_object_get(answer, "schema"));
}

/* End a command that does not work, and set ERROR to the reason: another version of the protocol,
 * the invalid answer LINE or, if LINE is empty, how the command ended. ANSWER is LINE as JSON; NULL
 * if LINE is not JSON. Returns CODE. */
static int end_broken_command(struct remote_command *command, const char *line,
                              const json_t *answer, int code, struct error *error)
{
    const char *schema = schema_of(answer);
    int status = remote_command_end(command), length = (int)strcspn(line, "\r\n");

    if (schema && strncmp(schema, "nfsbench-", 9) == 0 && strcmp(schema, SCHEMA) != 0)
        return error_set(error, ERROR_FAILED, code,
                         "--server-cmd runs another version of nfsbench, which answers by %.40s "
                         "instead of " SCHEMA "; install the same version on both machines",
                         schema);
    if (length > 0)
        return error_set(error, ERROR_FAILED, code,
                         "--server-cmd answered '%.*s', which is not the output of 'nfsbench %s'",
                         length < 80 ? length : 80, line, command->name);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return error_set(error, ERROR_FAILED, code,
                         "--server-cmd: the command, or nfsbench on the server's machine, was not "
                         "found in PATH (status 127)");
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return error_set(error, ERROR_FAILED, code, "--server-cmd ended with status %d",
                         WEXITSTATUS(status));
    return error_set(error, ERROR_FAILED, code, "--server-cmd gave no answer");
}

/* Pass the answer in LINE to TAKE (remote_command_ask()). After a signal, return -EINTR even if the
 * command has failed, because the signal may have ended the command. */
static int take_answer(struct remote_command *command, const char *line,
                       int (*take)(void *into, const json_t *answer), void *into,
                       struct error *error)
{
    json_t *answer = json_loads(line, 0, NULL);
    bool ours = schema_of(answer) && strcmp(schema_of(answer), SCHEMA) == 0;
    const char *missing = json_string_value(json_object_get(answer, "missing"));
    bool says_why = missing && missing[strspn(missing, " \t\r\n")];
    int code = 0;

    if (deadline_is_stopped(&command->deadline))
        code = error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    else if (ours && says_why)
        code = error_set(error, ERROR_FAILED, -ENOTSUP, "%.400s", missing);
    else if (!ours || missing || take(into, answer) != 0)
        code = end_broken_command(command, line, answer, -EBADMSG, error);
    json_decref(answer);
    return code;
}

int remote_command_ask(struct remote_command *command, json_t *question, unsigned seconds,
                       int (*take)(void *into, const json_t *answer), void *into,
                       struct error *error)
{
    char *asked = question ? json_dumps(question, JSON_COMPACT) : NULL;
    char *line = malloc(REMOTE_COMMAND_ANSWER_SIZE);
    struct deadline until;
    int code;

    if (command->pid == 0)
        code = error_set(error, ERROR_FAILED, -EPIPE, "--server-cmd has ended");
    else if (!line || (question && !asked))
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for --server-cmd");
    else {
        if (asked) /* ignore failure: take_answer() reports what the command wrote */
            dprintf(command->to, "%s\n", asked);
        until = deadline_within(&command->deadline, seconds * UINT64_C(1000000000));
        input_read_line(command->from, line, REMOTE_COMMAND_ANSWER_SIZE, &until);
        code = take_answer(command, line, take, into, error);
        command->deadline.at_ns = 0; /* only the first question has this limit */
    }
    json_decref(question);
    free(asked);
    free(line);
    return code;
}

int remote_command_answer(json_t *answer, struct error *error)
{
    bool named = json_object_set_new(answer, "schema", json_string(SCHEMA)) == 0;
    char *line = named ? json_dumps(answer, JSON_COMPACT) : NULL;
    bool written = line && puts(line) >= 0 && fflush(stdout) == 0;

    json_decref(answer);
    free(line);
    return written
               ? 0
               : error_set(error, ERROR_FAILED, -EIO, "writing the answer: %s", strerror(errno));
}

static int check_line(const char *line, size_t size, struct error *error)
{
    if (strchr(line, '\n') || feof(stdin))
        return 0;
    return error_set(error, ERROR_USAGE, -EMSGSIZE,
                     "agent: a line on standard input is longer than any question (%d bytes), or "
                     "contains zero bytes",
                     (int)size - 1);
}

int remote_command_serve(size_t size,
                         int (*answer)(void *context, const char *line, struct error *error),
                         void *context, struct error *error)
{
    char *line = malloc(size);
    int code = line ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    while (code == 0 && fgets(line, (int)size, stdin)) {
        code = check_line(line, size, error);
        if (code == 0)
            code = answer(context, line, error);
    }
    free(line);
    return code;
}
