#include "batch_peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cpu.h"
#include "rpc/record.h"

enum {
    INPUT_SIZE = 256 * 1024,
    OUTPUT_SIZE = 4 << 20,
    STREAM_PIECE = 1 << 20,
    CALL_MAXIMUM = 1024,
    XID_SIZE = 4,
    EVENTS = 64,
};

static bool send_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* One connection of a client to the stub. */
struct caller {
    int fd;
    size_t begun; /* number of bytes received of an incomplete call */
    uint8_t bytes[CALL_MAXIMUM];
};

/* Data that all connections of the stub share. */
struct stub {
    const struct batch_canned *canned;
    uint8_t *replies; /* copies of the reply: one more than fit into OUTPUT_SIZE bytes */
    size_t room;
    uint8_t input[INPUT_SIZE];
};

static struct stub *open_stub(const struct batch_canned *canned)
{
    struct stub *stub = calloc(1, sizeof *stub);

    if (!stub)
        return NULL;
    stub->canned = canned;
    stub->room = OUTPUT_SIZE / canned->reply_length + 1;
    stub->replies = malloc(stub->room * canned->reply_length);
    for (size_t i = 0; stub->replies && i < stub->room; i++)
        memcpy(stub->replies + i * canned->reply_length, canned->reply, canned->reply_length);
    return stub->replies ? stub : NULL;
}

/* Over TCP: answer each of COUNT calls by a reply with the call's xid. Returns true, or false if
 * sending failed. */
static bool answer_calls(struct stub *stub, int fd, const uint8_t *calls, size_t count)
{
    const struct batch_canned *canned = stub->canned;

    while (count > 0) {
        size_t now = count < stub->room ? count : stub->room;

        for (size_t i = 0; i < now; i++)
            memcpy(stub->replies + i * canned->reply_length + RPC_RECORD_MARK_SIZE,
                   calls + i * canned->call_length + RPC_RECORD_MARK_SIZE, XID_SIZE);
        if (!send_all(fd, stub->replies, now * canned->reply_length))
            return false;
        calls += now * canned->call_length;
        count -= now;
    }
    return true;
}

/* Answer the calls that CALLER has sent. Returns true, or false if the connection has ended. */
static bool answer_caller(struct stub *stub, struct caller *caller)
{
    size_t length = stub->canned->call_length, filled = caller->begun;
    ssize_t got = recv(caller->fd, stub->input + filled, sizeof stub->input - filled, 0);

    if (got <= 0)
        return false;
    memcpy(stub->input, caller->bytes, filled);
    filled += (size_t)got;
    caller->begun = filled % length;
    memcpy(caller->bytes, stub->input + filled - caller->begun, caller->begun);
    return answer_calls(stub, caller->fd, stub->input, filled / length);
}

static struct caller *accept_caller(int listener)
{
    struct caller *caller = calloc(1, sizeof *caller);
    int one = 1;

    if (!caller)
        return NULL;
    caller->fd = accept(listener, NULL, NULL);
    setsockopt(caller->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return caller;
}

static void answer_one(int listener, struct stub *stub)
{
    struct caller *caller = accept_caller(listener);

    while (stub && caller && answer_caller(stub, caller))
        ;
}

static void answer_many(int listener, struct stub *stub)
{
    struct epoll_event event = {.events = EPOLLIN}, events[EVENTS];
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) != 0)
        return;
    while (stub) {
        int count = epoll_wait(epoll, events, EVENTS, -1);

        for (int i = 0; i < count; i++) {
            struct caller *caller = events[i].data.ptr;

            if (caller && !answer_caller(stub, caller))
                return;
            event.data.ptr = caller ? NULL : accept_caller(listener);
            caller = event.data.ptr;
            if (caller && epoll_ctl(epoll, EPOLL_CTL_ADD, caller->fd, &event) != 0)
                return;
        }
    }
}

/* Over UDP: calls received together, and their replies. The replies differ only in the xid. */
struct exchange {
    uint8_t input[BATCH_MAXIMUM][CALL_MAXIMUM];
    struct sockaddr_in peers[BATCH_MAXIMUM];
    struct iovec in[BATCH_MAXIMUM], out[BATCH_MAXIMUM][2];
    struct mmsghdr calls[BATCH_MAXIMUM], replies[BATCH_MAXIMUM];
};

static void expect(struct exchange *exchange, const struct batch_canned *canned)
{
    for (int i = 0; i < BATCH_MAXIMUM; i++) {
        struct msghdr *call = &exchange->calls[i].msg_hdr, *reply = &exchange->replies[i].msg_hdr;

        exchange->in[i] = (struct iovec){exchange->input[i], CALL_MAXIMUM};
        exchange->out[i][0] = (struct iovec){exchange->input[i], XID_SIZE};
        exchange->out[i][1] = (struct iovec){(void *)(uintptr_t)(canned->reply + XID_SIZE),
                                             canned->reply_length - XID_SIZE};
        *call = (struct msghdr){.msg_name = &exchange->peers[i],
                                .msg_namelen = sizeof exchange->peers[i],
                                .msg_iov = &exchange->in[i],
                                .msg_iovlen = 1};
        *reply = *call;
        reply->msg_iov = exchange->out[i];
        reply->msg_iovlen = 2;
    }
}

static void answer_datagrams(int fd, const struct batch_canned *canned)
{
    static struct exchange exchange;
    int count = 1;

    while (count > 0) {
        expect(&exchange, canned);
        count = recvmmsg(fd, exchange.calls, BATCH_MAXIMUM, MSG_WAITFORONE, NULL);
        if (count > 0)
            (void)!sendmmsg(fd, exchange.replies, (unsigned)count, 0);
    }
}

static void send_stream(int fd)
{
    uint64_t wanted;
    uint8_t *bytes = calloc(1, STREAM_PIECE);

    while (bytes && recv(fd, &wanted, sizeof wanted, MSG_WAITALL) == sizeof wanted) {
        while (wanted > 0) {
            size_t piece = wanted < STREAM_PIECE ? (size_t)wanted : STREAM_PIECE;

            if (!send_all(fd, bytes, piece))
                return;
            wanted -= piece;
        }
    }
}

/* Serve LISTENER with CANNED's reply or, if CANNED is NULL, with a stream. Over TCP, end the
 * process when a connection ends. Over UDP, serve until the process is killed. */
static void serve_peer(int listener, const struct batch_canned *canned)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_pin(cpu_allowed_edge(1));
    if (!canned)
        send_stream(accept(listener, NULL, NULL));
    else if (!canned->tcp)
        answer_datagrams(listener, canned);
    else if (canned->connections == 1)
        answer_one(listener, open_stub(canned));
    else
        answer_many(listener, open_stub(canned));
    _exit(0);
}

static int start_peer(struct batch_peer *peer, const struct batch_canned *canned,
                      struct error *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    bool tcp = !canned || canned->tcp;
    int listener = socket(AF_INET, tcp ? SOCK_STREAM : SOCK_DGRAM, 0);

    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        (tcp && listen(listener, SOMAXCONN) != 0) ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return error_set(error, ERROR_FAILED, -errno, "a bare peer's socket: %s", strerror(errno));
    peer->port = ntohs(address.sin_port);
    peer->pid = fork();
    if (peer->pid == 0)
        serve_peer(listener, canned);
    close(listener);
    if (peer->pid < 0)
        return error_set(error, ERROR_FAILED, -errno, "a bare peer's process: %s", strerror(errno));
    return 0;
}

int batch_peer_stub(struct batch_peer *peer, const struct batch_canned *canned, struct error *error)
{
    return start_peer(peer, canned, error);
}

int batch_peer_stream(struct batch_peer *peer, struct error *error)
{
    return start_peer(peer, NULL, error);
}

void batch_peer_stop(struct batch_peer *peer)
{
    if (peer->pid <= 0)
        return;
    kill(peer->pid, SIGKILL);
    waitpid(peer->pid, NULL, 0);
}
