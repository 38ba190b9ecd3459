#include "target/self.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/child.h"
#include "common/cpu.h"
#include "common/descriptors.h"
#include "common/input.h"

enum {
    WORDS_SIZE = 2048,
    READY_LINE_SIZE = 512,
};

#define READY_TIMEOUT_NS UINT64_C(10000000000)
#define STOP_TIMEOUT_NS  UINT64_C(2000000000)

static const char *self_command;

void self_use(const char *command)
{
    self_command = command;
}

int self_check(struct error *error)
{
    if (self_command)
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "this nfsbench was built without the embedded server of self:; name another "
                     "server, such as host:/export");
}

/* A server to start. DEADLINE (NULL: none) and READY_TIMEOUT_NS limit the wait for it. */
struct launch {
    int output; /* descriptor to which the server prints the ready line */
    int cpu;    /* processor to which the server is pinned; negative: not pinned */
    const char *program;
    const char *arguments;
    const struct deadline *deadline;
};

static _Noreturn void run_server(const struct launch *launch)
{
    char words[WORDS_SIZE], *argv[WORDS_SIZE / 2] = {NULL}, **word = argv, *rest;

    snprintf(words, sizeof words, "nfsbench %s %s", self_command,
             launch->arguments ? launch->arguments : "");
    for (*word = strtok_r(words, " ", &rest); *word; *++word = strtok_r(NULL, " ", &rest))
        continue;
    /* Ctrl-C on the terminal must reach only the client, which then stops the server in order. */
    setpgid(0, 0);
    if (launch->cpu >= 0)
        cpu_pin((unsigned)launch->cpu);
    dup2(launch->output, STDOUT_FILENO);
    execv(launch->program ? launch->program : "/proc/self/exe", argv);
    _exit(127);
}

static int take_port(int fd, const struct deadline *deadline, uint16_t *port, struct error *error)
{
    const struct deadline until = deadline_within(deadline, READY_TIMEOUT_NS);
    char line[READY_LINE_SIZE] = "";
    int code = input_read_line(fd, line, sizeof line, &until);
    unsigned number = 0;
    const char *at;

    if (code == -EINTR)
        return error_set(error, ERROR_FAILED, code,
                         "interrupted while the embedded server was starting");
    if (code)
        return error_set(error, ERROR_FAILED, -ETIMEDOUT,
                         "the embedded server did not start; try 'nfsbench %s'", self_command);
    at = strstr(line, "port=");
    if (!at || sscanf(at, "port=%5u", &number) != 1 || number == 0 || number > UINT16_MAX)
        return error_set(error, ERROR_FAILED, -EPROTO,
                         "the embedded server's ready line has no port: %.200s", line);
    *port = (uint16_t)number;
    return 0;
}

/* Check that this process's limit of descriptors, which the server inherits, is enough for a server
 * with one thread per processor that the server may use. */
static int check_descriptors(const struct launch *launch, struct error *error)
{
    enum { FOR_ONE_THREAD = 16, FOR_EACH_MORE = 4 };
    const unsigned threads = launch->cpu >= 0 ? 1 : cpu_allowed_count();
    const unsigned needed = FOR_ONE_THREAD + FOR_EACH_MORE * (threads - 1);
    const unsigned long long limit = descriptors_limit();

    if (limit >= needed)
        return 0;
    return error_set(error, ERROR_FAILED, -EMFILE,
                     "the embedded server needs %u file descriptors, and a process may have %llu "
                     "(RLIMIT_NOFILE): raise the limit ('ulimit -n')",
                     needed, limit);
}

/* Start the server process of LAUNCH, wait until the server is ready, and set *PORT to its port. */
static int start_server_process(struct self_server *server, struct launch *launch, uint16_t *port,
                                struct error *error)
{
    int ready[2], code = self_check(error);

    if (code == 0)
        code = check_descriptors(launch, error);
    if (code)
        return code;
    server->pinned_cpu = launch->cpu;
    if (pipe2(ready, O_CLOEXEC) != 0)
        return error_set(error, ERROR_FAILED, -errno, "making a pipe: %s", strerror(errno));
    launch->output = ready[1];
    server->pid = child_fork(SIGKILL);
    if (server->pid == 0)
        run_server(launch);
    close(ready[1]);
    if (server->pid < 0) {
        server->pid = 0;
        close(ready[0]);
        return error_set(error, ERROR_FAILED, -errno, "starting the embedded server: %s",
                         strerror(errno));
    }
    code = take_port(ready[0], launch->deadline, port, error);
    if (code)
        self_stop(server); /* before READY is closed: a running server may write to it */
    close(ready[0]);
    return code;
}

/* Choose the server's processor: the last one that this process may use, if it may use several. */
static void choose_cpu(struct launch *launch)
{
    launch->cpu = cpu_allowed_count() > 1 ? (int)cpu_allowed_edge(1) : -1;
}

int self_start_only(struct self_server *server, const char *arguments,
                    const struct deadline *deadline, uint16_t *port, struct error *error)
{
    struct launch launch = {.arguments = arguments, .deadline = deadline};

    choose_cpu(&launch);
    return start_server_process(server, &launch, port, error);
}

/* If SERVER is pinned, pin this thread to the first processor. Set TARGET to SERVER's address, and
 * put SERVER's export before TARGET's path. */
static void join_server(const struct self_server *server, struct target *target, uint16_t port)
{
    char below[TARGET_PATH_SIZE];

    if (server->pinned_cpu >= 0)
        cpu_pin(cpu_allowed_edge(0));
    strcpy(below, target->path);
    strcpy(target->host, "127.0.0.1");
    snprintf(target->path, sizeof target->path, "/export%.*s", TARGET_PATH_SIZE - 16, below);
    target->nfs_port = target->mount_port = port;
}

void self_join(struct self_server *server, struct target *target, uint16_t port, int pinned_cpu)
{
    *server = (struct self_server){.pinned_cpu = pinned_cpu};
    join_server(server, target, port);
}

int self_start(struct self_server *server, struct target *target, const char *program,
               const char *arguments, const struct deadline *deadline, struct error *error)
{
    struct launch launch = {.program = program, .arguments = arguments, .deadline = deadline};
    uint16_t port;
    int code;

    choose_cpu(&launch);
    code = start_server_process(server, &launch, &port, error);
    if (code == 0)
        join_server(server, target, port);
    return code;
}

int self_start_echo(struct self_server *server, const char *address, int cpu, const char *program,
                    const struct deadline *deadline, uint16_t *port, struct error *error)
{
    char arguments[160];
    struct launch launch = {
        .cpu = cpu, .program = program, .arguments = arguments, .deadline = deadline};

    snprintf(arguments, sizeof arguments, "--echo --bind %s", address);

    return start_server_process(server, &launch, port, error);
}

void self_stop(struct self_server *server)
{
    int status;

    if (server->pid <= 0)
        return;
    kill(server->pid, SIGTERM);
    child_await(server->pid, STOP_TIMEOUT_NS, &status);
    server->pid = 0;
}
