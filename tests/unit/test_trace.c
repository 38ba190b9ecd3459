/* The eBPF programs on a real kernel: a server of its own process echoes some hundred messages, and
 * every moment of every call is told. Where eBPF can't be had, it says why and is skipped. */
#include "test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/cpu.h"
#include "explain/server_moments.h"
#include "explain/trace.h"

enum { CALLS = 300, MESSAGE = 64 };

/* How the server sends. */
enum way { WAY_SEND, WAY_SENDMSG_IN_PARTS, WAY_WRITE, WAY_WRITEV, WAY_SENDMMSG };

struct peers {
    bool is_tcp;
    int fd;
    pid_t server;
    uint16_t client_port, server_port;
};

static void send_reply(int fd, enum way way, char *bytes, const struct sockaddr_in *to)
{
    struct iovec parts[2] = {{bytes, 4}, {bytes + 4, MESSAGE - 4}};
    struct mmsghdr messages = {.msg_hdr = {.msg_iov = parts,
                                           .msg_iovlen = 2,
                                           .msg_name = (void *)(uintptr_t)to,
                                           .msg_namelen = to ? sizeof *to : 0}};
    ssize_t code = 0;

    switch (way) {
    case WAY_SEND:
        code = sendto(fd, bytes, MESSAGE, 0, (const void *)to, to ? sizeof *to : 0);
        break;
    case WAY_SENDMSG_IN_PARTS:
        code = sendmsg(fd, &messages.msg_hdr, 0);
        break;
    case WAY_WRITE:
        code = write(fd, bytes, MESSAGE);
        break;
    case WAY_WRITEV:
        code = writev(fd, parts, 2);
        break;
    case WAY_SENDMMSG:
        code = sendmmsg(fd, &messages, 1, 0);
        break;
    }
    if (code <= 0)
        _exit(1);
}

/* Echo; and write to what is no socket, too, which is no reply. */
static void serve(int fd, bool is_tcp, enum way way)
{
    char bytes[MESSAGE];
    struct sockaddr_in from;

    for (;;) {
        socklen_t length = sizeof from;
        ssize_t got = recvfrom(fd, bytes, sizeof bytes, is_tcp ? MSG_WAITALL : 0,
                               is_tcp ? NULL : (void *)&from, is_tcp ? NULL : &length);

        if (got != MESSAGE)
            _exit(0);
        (void)!write(STDERR_FILENO, "", 0);
        send_reply(fd, way, bytes, is_tcp ? NULL : &from);
    }
}

static uint16_t port_of(int fd)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;

    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    return ntohs(address.sin_port);
}

static void start(struct peers *peers, bool is_tcp, enum way way)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int type = is_tcp ? SOCK_STREAM : SOCK_DGRAM, server = socket(AF_INET, type, 0);
    struct timeval patience = {.tv_sec = 10};

    assert_int_equal(bind(server, (struct sockaddr *)&address, sizeof address), 0);
    peers->server_port = port_of(server);
    address.sin_port = htons(peers->server_port);
    if (is_tcp)
        assert_int_equal(listen(server, 1), 0);
    peers->fd = socket(AF_INET, type, 0);
    assert_int_equal(connect(peers->fd, (struct sockaddr *)&address, sizeof address), 0);
    setsockopt(peers->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    peers->client_port = port_of(peers->fd);
    peers->is_tcp = is_tcp;
    peers->server = fork();
    if (peers->server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(is_tcp ? accept(server, NULL, NULL) : server, is_tcp, way);
    }
    close(server);
}

static void stop(struct peers *peers)
{
    close(peers->fd);
    kill(peers->server, SIGKILL);
    waitpid(peers->server, NULL, 0);
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void make_calls(const struct peers *peers, struct call_times *calls)
{
    for (uint32_t i = 0; i < CALLS; i++) {
        char bytes[MESSAGE] = "";
        uint32_t xid = htonl(i + 1);

        memcpy(bytes + (peers->is_tcp ? 4 : 0), &xid, sizeof xid);
        calls[i].xid = i + 1;
        calls[i].at[MOMENT_SEND_ENTERED] = now_ns();
        assert_int_equal(send(peers->fd, bytes, sizeof bytes, 0), MESSAGE);
        assert_int_equal(recv(peers->fd, bytes, sizeof bytes, MSG_WAITALL), MESSAGE);
        calls[i].at[MOMENT_REPLY_READ] = now_ns();
    }
}

static void assert_moments(const struct call_times *call)
{
    static const enum moment always[] = {MOMENT_REQUEST_ARRIVED, MOMENT_REQUEST_READ,
                                         MOMENT_REPLY_ENTERED, MOMENT_REPLY_SENT,
                                         MOMENT_REPLY_ARRIVED};
    uint64_t before = 0;

    for (size_t i = 0; i < COUNT_OF(always); i++)
        assert_true(call->at[always[i]] > 0);
    for (int i = 0; i < MOMENTS; i++) {
        assert_true(call->at[i] == 0 || call->at[i] >= before);
        before = call->at[i] ? call->at[i] : before;
    }
    /* One thread, which nobody hands anything. */
    assert_int_equal(call->at[MOMENT_READER_RUNS], 0);
    assert_int_equal(call->at[MOMENT_WORKER_RUNS], 0);
}

static size_t count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;

    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static struct trace_request request_of(const struct peers *peers)
{
    return (struct trace_request){.client_thread = gettid(),
                                  .server_process = peers->server,
                                  .client_port = peers->client_port,
                                  .server_port = peers->server_port,
                                  .is_tcp = peers->is_tcp};
}

/* Every call of a block is told from end to end, and none is while the programs are to be still. */
static void check_way(bool is_tcp, enum way way)
{
    static struct call_times calls[CALLS];
    size_t descriptors = count_descriptors();
    struct peers peers;
    struct trace_request request;
    struct trace *trace;
    struct trace_events told;
    struct server_events ours;
    struct error error = {0};
    int code;

    start(&peers, is_tcp, way);
    request = request_of(&peers);
    code = trace_open(&trace, &request, &error);
    if (code != 0) {
        print_message("skipped: %s\n", error.text);
        stop(&peers);
        skip();
    }
    memset(calls, 0, sizeof calls);
    make_calls(&peers, calls);
    assert_int_equal(trace_read(trace).count, 0);
    trace_enable(trace, true);
    make_calls(&peers, calls);
    trace_enable(trace, false);
    told = trace_read(trace);
    assert_int_equal(told.lost, 0);
    assert_true(told.count >= 6 * CALLS);
    ours = (struct server_events){.list = told.list,
                                  .count = told.count,
                                  .client_thread = (uint32_t)request.client_thread,
                                  .server_process = (uint32_t)request.server_process};
    server_moments(&ours, calls, CALLS);
    for (size_t i = 0; i < CALLS; i++)
        assert_moments(&calls[i]);
    make_calls(&peers, calls);
    assert_int_equal(trace_read(trace).count, 0);
    trace_close(trace);
    stop(&peers);
    /* The programs are held by descriptors alone: they are gone with these. */
    assert_int_equal(count_descriptors(), descriptors);
}

static void test_tcp(void **state)
{
    check_way(true, WAY_SEND);
}

static void test_udp(void **state)
{
    check_way(false, WAY_SEND);
}

/* Record mark and reply each in a part of their own. */
static void test_parts(void **state)
{
    check_way(true, WAY_SENDMSG_IN_PARTS);
    check_way(true, WAY_WRITEV);
    check_way(true, WAY_SENDMMSG);
    check_way(false, WAY_SENDMMSG);
}

static void test_write(void **state)
{
    check_way(true, WAY_WRITE);
}

/* More than one processor has room for: what did not fit is counted. */
static void test_lost(void **state)
{
    static struct call_times calls[CALLS];
    struct peers peers;
    struct trace_request request;
    struct trace *trace;
    struct trace_events told;
    struct error error = {0};

    cpu_pin(cpu_allowed_edge(0)); /* the server, too */
    start(&peers, false, WAY_SEND);
    request = request_of(&peers);
    if (trace_open(&trace, &request, &error) != 0) {
        print_message("skipped: %s\n", error.text);
        stop(&peers);
        skip();
    }
    trace_enable(trace, true);
    for (int i = 0; i < 60; i++)
        make_calls(&peers, calls);
    trace_enable(trace, false);
    told = trace_read(trace);
    assert_true(told.lost > 0);
    assert_true(told.count + told.lost >= 6ULL * 60 * CALLS);
    assert_int_equal(trace_read(trace).lost, 0);
    trace_close(trace);
    stop(&peers);
}

static void test_no_such_process(void **state)
{
    struct trace_request request = {.client_thread = gettid(), .server_process = 1 << 30};
    struct trace *trace;
    struct error error = {0};

    assert_true(trace_open(&trace, &request, &error) < 0);
    assert_null(trace);
    assert_true(strlen(error.text) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tcp),
        cmocka_unit_test(test_udp),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_no_such_process),
        cmocka_unit_test(test_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
