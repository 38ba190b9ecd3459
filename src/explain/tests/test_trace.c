/* The eBPF programs on a real kernel: a server in its own process echoes some hundred messages, and
 * arrivals, reading and sending of every call are recorded. Without eBPF, tests that trace print
 * the reason and are skipped. */
#include "test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "common/cpu.h"
#include "common/system_clock.h"
#include "explain/kernel/server_timestamps.h"
#include "explain/kernel/trace.h"

enum { CALLS = 300, MESSAGE = 64 };

/* How the server sends. */
enum way {
    WAY_SEND,
    WAY_SENDMSG_IN_PARTS,
    WAY_WRITE,
    WAY_WRITEV,
    WAY_SENDMMSG,
    WAY_MARK_FIRST, /* the record mark, then the reply: two system calls to read and two to send */
    WAY_CRUMBS,     /* pieces that end within the mark and within the xid */
};

struct peers {
    bool is_tcp;
    int fd;
    pid_t server;
    uint16_t client_port, server_port;
};

static ssize_t send_crumbs(int fd, const char *bytes)
{
    static const size_t ends[] = {3, 5, 9, MESSAGE};
    size_t from = 0;

    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        if (send(fd, bytes + from, ends[i] - from, 0) <= 0)
            return -1;
        from = ends[i];
    }
    return MESSAGE;
}

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
    case WAY_MARK_FIRST:
        code = write(fd, bytes, 4);
        if (code > 0)
            code = writev(fd, parts + 1, 1);
        break;
    case WAY_CRUMBS:
        code = send_crumbs(fd, bytes);
        break;
    }
    if (code <= 0)
        _exit(1);
}

static ssize_t receive_request(int fd, bool is_tcp, enum way way, char *bytes,
                               struct sockaddr_in *from)
{
    socklen_t length = sizeof *from;
    ssize_t got;

    if (!is_tcp)
        return recvfrom(fd, bytes, MESSAGE, 0, (struct sockaddr *)from, &length);
    if (way != WAY_MARK_FIRST)
        return recv(fd, bytes, MESSAGE, MSG_WAITALL);
    got = recv(fd, bytes, 4, MSG_WAITALL);
    return got == 4 ? got + recv(fd, bytes + 4, MESSAGE - 4, MSG_WAITALL) : got;
}

/* Echo messages. Also write to a descriptor that is no socket, which must not count as a reply. */
static void serve_echo(int fd, bool is_tcp, enum way way)
{
    char bytes[MESSAGE];
    struct sockaddr_in from;

    for (;;) {
        if (receive_request(fd, is_tcp, way, bytes, &from) != MESSAGE)
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

static void start_peers(struct peers *peers, bool is_tcp, enum way way)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int type = is_tcp ? SOCK_STREAM : SOCK_DGRAM, server = socket(AF_INET, type, 0);
    struct timeval patience = {.tv_sec = 10};

    assert_int_equal(bind(server, (struct sockaddr *)&address, sizeof address), 0);
    peers->server_port = port_of(server);
    address.sin_port = htons(peers->server_port);
    peers->fd = socket(AF_INET, type, 0);
    /* TCP_NODELAY: otherwise each further send() would wait 40 ms for the other side's delayed
     * acknowledgement. */
    if (is_tcp) {
        setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        setsockopt(peers->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        assert_int_equal(listen(server, 1), 0);
    }
    assert_int_equal(connect(peers->fd, (struct sockaddr *)&address, sizeof address), 0);
    setsockopt(peers->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    peers->client_port = port_of(peers->fd);
    peers->is_tcp = is_tcp;
    peers->server = fork();
    if (peers->server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve_echo(is_tcp ? accept(server, NULL, NULL) : server, is_tcp, way);
    }
    close(server);
}

static void stop_peers(struct peers *peers)
{
    close(peers->fd);
    kill(peers->server, SIGKILL);
    waitpid(peers->server, NULL, 0);
}

static void make_calls(const struct peers *peers, struct call_times *calls)
{
    for (uint32_t i = 0; i < CALLS; i++) {
        char bytes[MESSAGE] = "";
        uint32_t xid = htonl(i + 1);

        memcpy(bytes + (peers->is_tcp ? 4 : 0), &xid, sizeof xid);
        calls[i].xid = i + 1;
        calls[i].at[TIMESTAMP_SEND_ENTERED] = monotonic_ns();
        assert_int_equal(send(peers->fd, bytes, sizeof bytes, 0), MESSAGE);
        assert_int_equal(recv(peers->fd, bytes, sizeof bytes, MSG_WAITALL), MESSAGE);
        calls[i].at[TIMESTAMP_REPLY_READ] = monotonic_ns();
    }
}

static void assert_timestamps(const struct call_times *call)
{
    static const enum timestamp always[] = {TIMESTAMP_REQUEST_ARRIVED, TIMESTAMP_REQUEST_READ,
                                            TIMESTAMP_REPLY_ENTERED, TIMESTAMP_REPLY_SENT,
                                            TIMESTAMP_REPLY_ARRIVED};
    uint64_t before = 0;

    for (size_t i = 0; i < COUNT_OF(always); i++)
        assert_true(call->at[always[i]] > 0);
    for (int i = 0; i < TIMESTAMPS; i++) {
        assert_true(call->at[i] == 0 || call->at[i] >= before);
        before = call->at[i] ? call->at[i] : before;
    }
    /* The server has a single thread, so no thread hands a request to another. */
    assert_all((call->at[TIMESTAMP_READER_RUNS], 0), (call->at[TIMESTAMP_WORKER_RUNS], 0));
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

/* Trace PEERS. Without eBPF, print the reason, stop PEERS and skip the test. */
static struct trace *open_trace(struct peers *peers)
{
    const struct trace_request request = {.client_thread = gettid(),
                                          .server_process = peers->server,
                                          .server_port = peers->server_port,
                                          .is_tcp = peers->is_tcp};
    struct error error = {0};
    struct trace *trace;

    if (trace_open(&trace, &request, &error) == 0) {
        trace_watch_port(trace, peers->client_port);
        return trace;
    }
    print_message("skipped: %s\n", error.text);
    stop_peers(peers);
    skip();
    return NULL;
}

/* Check that all events of each call are recorded while the trace is enabled, and none while it is
 * disabled. */
static void check_way(bool is_tcp, enum way way)
{
    static struct call_times calls[CALLS];
    size_t descriptors = count_descriptors();
    struct peers peers;
    struct trace *trace;
    struct trace_events told;
    struct server_events ours;

    start_peers(&peers, is_tcp, way);
    trace = open_trace(&peers);
    memset(calls, 0, sizeof calls);
    make_calls(&peers, calls);
    assert_int_equal(trace_read(trace).count, 0);
    trace_enable(trace, true);
    make_calls(&peers, calls);
    trace_enable(trace, false);
    told = trace_read(trace);
    assert_all((told.lost, 0), (told.count >= 6 * CALLS));
    ours = (struct server_events){.list = told.list,
                                  .count = told.count,
                                  .client_thread = (uint32_t)gettid(),
                                  .server_process = (uint32_t)peers.server};
    for (size_t i = 0; i < CALLS; i++) {
        assert_true(server_timestamps(&ours, &calls[i]));
        assert_timestamps(&calls[i]);
    }
    make_calls(&peers, calls);
    assert_int_equal(trace_read(trace).count, 0);
    trace_close(trace);
    stop_peers(&peers);
    /* Only descriptors hold the programs, so closing these ends the programs. */
    assert_int_equal(count_descriptors(), descriptors);
}

/* Record mark and reply are sent together, separately, or in several system calls each. */
TEST_CASE(ways)
{
    static const struct {
        bool is_tcp;
        enum way way;
    } cases[] = {{true, WAY_SEND},   {false, WAY_SEND},      {true, WAY_SENDMSG_IN_PARTS},
                 {true, WAY_WRITEV}, {true, WAY_SENDMMSG},   {false, WAY_SENDMMSG},
                 {true, WAY_WRITE},  {true, WAY_MARK_FIRST}, {true, WAY_CRUMBS}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        print_message("%s, way %d\n", cases[i].is_tcp ? "TCP" : "UDP", cases[i].way);
        check_way(cases[i].is_tcp, cases[i].way);
    }
}

/* If a processor has more events than fit, the rest is counted as lost. */
TEST_CASE(lost)
{
    static struct call_times calls[CALLS];
    struct peers peers;
    struct trace *trace;
    struct trace_events told;

    cpu_pin(cpu_allowed_edge(0)); /* the server is started later and inherits the processor */
    start_peers(&peers, false, WAY_SEND);
    trace = open_trace(&peers);
    trace_enable(trace, true);
    for (int i = 0; i < 60; i++)
        make_calls(&peers, calls);
    trace_enable(trace, false);
    told = trace_read(trace);
    assert_all((told.lost > 0), (told.count + told.lost >= 6ULL * 60 * CALLS),
               (trace_read(trace).lost, 0));
    trace_close(trace);
    stop_peers(&peers);
}

TEST_CASE(no_such_process)
{
    struct trace_request request = {.client_thread = gettid(), .server_process = 1 << 30};
    struct trace *trace;
    struct error error = {0};

    assert_all((trace_open(&trace, &request, &error) < 0), (trace, NULL),
               (strlen(error.text) > 20));
}
