#include "run/remote_command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/input.h"

enum { END_TIMEOUT_MS = 1000 };

static void run(const char *line, int input, int output) __attribute__((noreturn));

static void run(const char *line, int input, int output)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

int remote_command_start(struct remote_command *command, const char *prefix, const char *name,
                         const char *arguments)
{
    int input[2], output[2];
    char line[2048];

    *command = (struct remote_command){.name = name, .stop = command->stop};
    if (snprintf(line, sizeof line, "exec %s nfsbench %s %s", prefix, name, arguments) >=
        (int)sizeof line)
        return -E2BIG;
    if (pipe2(input, O_CLOEXEC) != 0)
        return -errno;
    if (pipe2(output, O_CLOEXEC) != 0) {
        close(input[0]);
        close(input[1]);
        return -errno;
    }
    command->pid = fork();
    if (command->pid == 0)
        run(line, input[0], output[1]);
    close(input[0]);
    close(output[1]);
    command->to = input[1];
    command->from = output[0];
    if (command->pid > 0)
        return 0;
    close(command->to);
    close(command->from);
    command->pid = 0;
    return -EAGAIN;
}

int remote_command_ask(struct remote_command *command, const char *question, char *answer,
                       size_t size, unsigned seconds)
{
    size_t length = strlen(question);

    answer[0] = '\0';
    if (write(command->to, question, length) != (ssize_t)length)
        return -EPIPE;
    return input_read_line(command->from, answer, size, seconds * UINT64_C(1000000000),
                           command->stop);
}

int remote_command_end(struct remote_command *command)
{
    struct timespec pause = {.tv_nsec = 1000000};
    int status = 0;
    pid_t ended = 0;

    if (command->pid == 0)
        return 0;
    close(command->to);
    close(command->from);
    for (int i = 0; i < END_TIMEOUT_MS && ended == 0; i++) {
        ended = waitpid(command->pid, &status, WNOHANG);
        if (ended == 0)
            nanosleep(&pause, NULL);
    }
    if (ended == 0) {
        kill(command->pid, SIGKILL);
        waitpid(command->pid, &status, 0);
    }
    command->pid = 0;
    return status;
}

int remote_command_give_up(struct remote_command *command, const char *answer, int code,
                           struct error *error)
{
    int status = remote_command_end(command);
    int length = (int)strcspn(answer, "\r\n");

    if (length > 0)
        return error_set(error, ERROR_FAILED, code,
                         "--server-cmd answered '%.*s', which is not the output of 'nfsbench %s'",
                         length < 80 ? length : 80, answer, command->name);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return error_set(
            error, ERROR_FAILED, code,
            "--server-cmd: the command was not found, or nfsbench is not in its PATH (status 127)");
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return error_set(error, ERROR_FAILED, code, "--server-cmd ended with status %d",
                         WEXITSTATUS(status));
    return error_set(error, ERROR_FAILED, code, "--server-cmd gave no answer");
}
