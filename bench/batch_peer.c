#include "batch_peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cpu.h"

enum { INPUT_SIZE = 256 * 1024, OUTPUT_SIZE = 4 << 20, STREAM_PIECE = 1 << 20 };

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

/* As many replies as fit into OUTPUT_SIZE, at least one. */
static uint8_t *repeat_reply(const struct batch_canned *canned, size_t *count)
{
    uint8_t *replies;

    *count = OUTPUT_SIZE / canned->reply_length + 1;
    replies = malloc(*count * canned->reply_length);
    for (size_t i = 0; replies && i < *count; i++)
        memcpy(replies + i * canned->reply_length, canned->reply, canned->reply_length);
    return replies;
}

static void answer_stream(int fd, const struct batch_canned *canned)
{
    size_t room, begun = 0; /* bytes of a call that has not arrived completely */
    const uint8_t *replies = repeat_reply(canned, &room);
    static uint8_t input[INPUT_SIZE];

    while (replies) {
        ssize_t got = recv(fd, input, sizeof input, 0);
        size_t calls;

        if (got <= 0)
            return;
        calls = (begun + (size_t)got) / canned->call_length;
        begun = (begun + (size_t)got) % canned->call_length;
        while (calls > 0) {
            size_t now = calls < room ? calls : room;

            if (!send_all(fd, replies, now * canned->reply_length))
                return;
            calls -= now;
        }
    }
}

static void answer_datagrams(int fd, const struct batch_canned *canned)
{
    static uint8_t input[BATCH_MAXIMUM][1024];
    static struct sockaddr_in peers[BATCH_MAXIMUM];
    static struct iovec in[BATCH_MAXIMUM], out[BATCH_MAXIMUM];
    static struct mmsghdr calls[BATCH_MAXIMUM], replies[BATCH_MAXIMUM];
    int count = BATCH_MAXIMUM;

    while (count > 0) {
        for (int i = 0; i < BATCH_MAXIMUM; i++) {
            in[i] = (struct iovec){input[i], sizeof input[i]};
            out[i] = (struct iovec){(void *)(uintptr_t)canned->reply, canned->reply_length};
            calls[i].msg_hdr = (struct msghdr){.msg_name = &peers[i],
                                               .msg_namelen = sizeof peers[i],
                                               .msg_iov = &in[i],
                                               .msg_iovlen = 1};
            replies[i].msg_hdr = calls[i].msg_hdr;
            replies[i].msg_hdr.msg_iov = &out[i];
        }
        count = recvmmsg(fd, calls, BATCH_MAXIMUM, MSG_WAITFORONE, NULL);
        if (count > 0)
            (void)!sendmmsg(fd, replies, (unsigned)count, 0);
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

/* CANNED: NULL for the stream. */
static void run(int listener, const struct batch_canned *canned)
{
    int fd = listener, one = 1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_pin(cpu_allowed_edge(1));
    if (!canned || canned->tcp) {
        fd = accept(listener, NULL, NULL);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    if (!canned)
        send_stream(fd);
    else if (canned->tcp)
        answer_stream(fd, canned);
    else
        answer_datagrams(fd, canned);
    _exit(0);
}

static int start(struct batch_peer *peer, const struct batch_canned *canned, struct error *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    bool tcp = !canned || canned->tcp;
    int listener = socket(AF_INET, tcp ? SOCK_STREAM : SOCK_DGRAM, 0);

    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        (tcp && listen(listener, 1) != 0) ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return error_set(error, ERROR_FAILED, -errno, "a bare peer's socket: %s", strerror(errno));
    peer->port = ntohs(address.sin_port);
    peer->pid = fork();
    if (peer->pid == 0)
        run(listener, canned);
    close(listener);
    if (peer->pid < 0)
        return error_set(error, ERROR_FAILED, -errno, "a bare peer's process: %s", strerror(errno));
    return 0;
}

int batch_peer_stub(struct batch_peer *peer, const struct batch_canned *canned, struct error *error)
{
    return start(peer, canned, error);
}

int batch_peer_stream(struct batch_peer *peer, struct error *error)
{
    return start(peer, NULL, error);
}

void batch_peer_stop(struct batch_peer *peer)
{
    if (peer->pid <= 0)
        return;
    kill(peer->pid, SIGKILL);
    waitpid(peer->pid, NULL, 0);
}
