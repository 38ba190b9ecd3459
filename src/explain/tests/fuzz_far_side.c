/* Fuzzes the output of a command on the server's machine: `nfsbench agent --events` for explain,
 * and `nfsbench agent --counters` for the ledger. Residences of an accepted answer, and accepted
 * finite values of counters, must be unchanged after they are written and read again. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sys/socket.h>

#include "common/input.h"
#include "explain/kernel/server_watch.h"
#include "output/result/json.h"
#include "run/ledger_run.h"
#include "text.h"

/* ANSWERS: output of the command; FAR_END: the end of the socket into which it is written. No
 * process is started. */
static struct script answers;
static int far_end = -1;

/* Send each line as a packet, so that lines arrive one by one. A tab also ends a line. */
static void send_lines(int fd)
{
    while (!script_ended(&answers)) {
        size_t length = 0, left = (size_t)(answers.end - answers.at);

        while (length < left && answers.at[length] != '\n' && answers.at[length] != '\t')
            length++;
        length += length < left;
        if (send(fd, script_bytes(&answers, &length), length, MSG_DONTWAIT) < 0)
            return; /* the socket is full */
    }
}

int __wrap_remote_command_start(struct remote_command *command, const char *prefix,
                                const char *name, const struct endpoint *endpoint,
                                uint16_t client_port)
{
    int pair[2];

    command->pid = 0;
    if (!script_ended(&answers) && *answers.at == 255)
        return -EAGAIN;
    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    send_lines(pair[1]);
    shutdown(pair[1], SHUT_WR);
    far_end = pair[1];
    command->pid = INT_MAX;
    command->to = pair[0];
    command->from = fcntl(pair[0], F_DUPFD_CLOEXEC, 0);
    command->name = name;
    return 0;
}

static const struct endpoint endpoint = {.address.ss_family = AF_INET};

static void watch(void)
{
    const struct server_watch_request request = {.prefix = "ssh far", .endpoint = &endpoint};
    struct server_watch *opened = NULL;
    struct watch_answer *answer;
    struct error error = {.text = ""};
    int code = server_watch_open(&opened, &request, &error);

    while (code == 0) {
        code = server_watch_begin(opened, NULL, 0, &error);
        if (code == 0)
            code = server_watch_end(opened, NULL, 0, &answer, &error);
        if (code == 0)
            FUZZ_CHECK(answer->count <= RESIDENCES_MAXIMUM);
    }
    FUZZ_CHECK(error.text[0]);
    server_watch_close(opened);
}

static void count(void)
{
    const struct server_counters_request request = {.command = "ssh far", .endpoint = &endpoint};
    struct server_counters server;
    struct counters counters;

    server_counters_open(&server, &request);
    for (int i = 0; i < 4; i++)
        server_counters_read(&server, &counters);
    FUZZ_CHECK(server.command.pid || server.missing[0]);
    server_counters_close(&server);
}

static void read_answer(const json_t *object)
{
    static struct watch_answer answer, again;
    json_t *written;

    if (watch_answer_from_json(&answer, object) != 0)
        return;
    written = watch_answer_to_json(&answer);
    FUZZ_CHECK(written && watch_answer_from_json(&again, written) == 0);
    FUZZ_CHECK(again.count == answer.count);
    FUZZ_CHECK(memcmp(again.residences, answer.residences,
                      answer.count * sizeof answer.residences[0]) == 0);
    json_decref(written);
}

static void read_counters(const json_t *object)
{
    struct counters counters, again;
    json_t *written;

    if (counters_from_json(&counters, object) != 0)
        return;
    FUZZ_CHECK(counters.interface_count <= COUNTERS_INTERFACES_MAXIMUM);
    written = counters_to_json(&counters);
    FUZZ_CHECK(written && counters_from_json(&again, written) == 0);
    for (size_t i = 0; i < COUNTERS; i++)
        FUZZ_CHECK(again.values[i] == counters.values[i] || !isfinite(counters.values[i]));
    json_decref(written);
}

/* Read a line into a small buffer. If the line is too long, it must not overflow the buffer. */
static void read_line(const uint8_t *bytes, size_t length)
{
    char line[64];
    int ends[2], code;

    FUZZ_CHECK(pipe2(ends, O_CLOEXEC) == 0);
    FUZZ_CHECK(write(ends[1], bytes, length) == (ssize_t)length);
    close(ends[1]);
    code = input_read_line(ends[0], line, sizeof line, &(struct deadline){.at_ns = 0});
    close(ends[0]);
    FUZZ_CHECK(strlen(line) < sizeof line);
    FUZZ_CHECK(code == 0 || code == -EPIPE || code == -EMSGSIZE);
}

static void with_far_side(const uint8_t *data, size_t size, void (*use)(void))
{
    answers = script_of(data, size);
    use();
    if (far_end >= 0)
        close(far_end);
    far_end = -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    json_t *object = json_loads(text, 0, NULL);

    read_answer(object);
    read_counters(object);
    json_decref(object);
    read_line(data, size);
    free(text);
    if (size % 2)
        with_far_side(data, size, watch);
    else
        with_far_side(data, size, count);
    return 0;
}
