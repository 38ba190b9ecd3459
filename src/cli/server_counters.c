#include "cli/server_counters.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "common/address.h"
#include "common/line.h"
#include "measure/clock.h"
#include "measure/process.h"
#include "output/counters_json.h"

enum {
    LINE_SIZE = 16384,
    ANSWER_TIMEOUT_NS = 1000 * 1000 * 1000,
    FIRST_ANSWER_SECONDS = 20, /* ssh may have to ask for a password */
    END_TIMEOUT_MS = 1000,
};

/* A command on the server's machine */

static void run_command(const char *prefix, const struct endpoint *endpoint, int input, int output)
    __attribute__((noreturn));

static void run_command(const char *prefix, const struct endpoint *endpoint, int input, int output)
{
    char line[2048];

    snprintf(line, sizeof line, "exec %.1900s nfsbench ledger --port %u --proto %s", prefix,
             address_port(&endpoint->address),
             endpoint->transport == TRANSPORT_UDP ? "udp" : "tcp");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

static int start_command(struct server_counters *server,
                         const struct server_counters_request *request)
{
    int input[2], output[2];

    if (pipe2(input, O_CLOEXEC) != 0)
        return -errno;
    if (pipe2(output, O_CLOEXEC) != 0) {
        close(input[0]);
        close(input[1]);
        return -errno;
    }
    server->command = fork();
    if (server->command == 0)
        run_command(request->command, request->endpoint, input[0], output[1]);
    close(input[0]);
    close(output[1]);
    server->to = input[1];
    server->from = output[0];
    return server->command > 0 ? 0 : -EAGAIN;
}

/* The command is to end: its input is closed, and it is given a second. Returns its wait status. */
static int end_command(struct server_counters *server)
{
    struct timespec pause = {.tv_nsec = 1000000};
    int status = 0;
    pid_t ended = 0;

    close(server->to);
    close(server->from);
    for (int i = 0; i < END_TIMEOUT_MS && ended == 0; i++) {
        ended = waitpid(server->command, &status, WNOHANG);
        if (ended == 0)
            nanosleep(&pause, NULL);
    }
    if (ended == 0) {
        kill(server->command, SIGKILL);
        waitpid(server->command, &status, 0);
    }
    server->command = 0;
    return status;
}

/* Say why the command is of no use, with what it printed, and end it. */
static void give_up(struct server_counters *server, char *answer)
{
    int status = end_command(server);

    answer[strcspn(answer, "\r\n")] = '\0';
    if (answer[0])
        snprintf(server->lacking, sizeof server->lacking,
                 "--server-cmd answered '%.80s', not what 'nfsbench ledger' prints", answer);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        snprintf(
            server->lacking, sizeof server->lacking,
            "--server-cmd: no such command there, or nfsbench is not in its PATH (status 127)");
    else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        snprintf(server->lacking, sizeof server->lacking, "--server-cmd ended with status %d",
                 WEXITSTATUS(status));
    else
        snprintf(server->lacking, sizeof server->lacking, "--server-cmd gave no answer");
}

static void ask(struct server_counters *server, struct counters *counters, uint64_t timeout_ns)
{
    char line[LINE_SIZE] = "";

    if (write(server->to, "\n", 1) == 1)
        line_read(server->from, line, sizeof line, timeout_ns, &interrupt_flag);
    if (counters_from_json(counters, line) != 0)
        give_up(server, line);
}

static void begin_asking(struct server_counters *server, const struct endpoint *endpoint)
{
    struct counters first;

    ask(server, &first, FIRST_ANSWER_SECONDS * UINT64_C(1000000000));
    if (server->command && isnan(first.values[COUNTER_VOLUNTARY]))
        snprintf(server->lacking, sizeof server->lacking,
                 "no process that can be seen over there listens on port %u",
                 address_port(&endpoint->address));
}

/* A process on this machine */

/* Is the server's address one of this machine's? Then a socket can be bound to it. */
static bool is_local(const struct endpoint *endpoint)
{
    struct sockaddr_storage address = endpoint->address;
    int fd = socket(address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool local;

    address_set_port(&address, 0);
    local = fd >= 0 && bind(fd, (struct sockaddr *)&address, address_length(&address)) == 0;
    if (fd >= 0)
        close(fd);
    return local;
}

static void find_process(struct server_counters *server, const struct endpoint *endpoint)
{
    uint16_t port = address_port(&endpoint->address);

    if (!is_local(endpoint)) {
        snprintf(server->lacking, sizeof server->lacking,
                 "the server is on another machine; see --server-cmd");
        return;
    }
    server->pid = process_of_port(port, endpoint->transport == TRANSPORT_UDP);
    if (server->pid == 0)
        snprintf(server->lacking, sizeof server->lacking,
                 "no process that can be seen here listens on port %u; see --server-pid", port);
}

void server_counters_open(struct server_counters *server,
                          const struct server_counters_request *request)
{
    *server = (struct server_counters){.pid = request->command ? 0 : request->pid};
    if (request->command) {
        if (start_command(server, request) != 0)
            snprintf(server->lacking, sizeof server->lacking, "--server-cmd could not be started");
        else
            begin_asking(server, request->endpoint);
    } else if (server->pid == 0) {
        find_process(server, request->endpoint);
    }
}

void server_counters_read(struct server_counters *server, struct counters *counters)
{
    counters_clear(counters);
    if (server->command) {
        ask(server, counters, ANSWER_TIMEOUT_NS);
    } else if (server->pid) {
        counters->at_ns = clock_raw_ns();
        counters_read_process(counters, server->pid);
        if (!process_exists(server->pid)) {
            snprintf(server->lacking, sizeof server->lacking, "process %d ended", (int)server->pid);
            server->pid = 0;
        }
    }
}

void server_counters_close(struct server_counters *server)
{
    if (server->command)
        end_command(server);
}
