/* TLS over a pair of non-blocking sockets with small buffers: bytes arrive as sent, in any pieces;
 * sessions resume; changed records are refused. Needs the certificates of scripts/with-tls. */
#include "test.h"

#include <poll.h>
#include <sys/socket.h>

#include "common/random.h"
#include "security/tls.h"

enum { LENGTH = 3 * 1000 * 1000, PARTS = 5, PART_MAXIMUM = 30000 };

/* Bytes that an observer of the client sees. */
struct seen {
    size_t stream_sent, stream_received; /* bytes that the client's socket sent and received */
    /* ENCRYPTED and DECRYPTED: bytes of messages; OPENED: bytes of the stream up to the end of the
     * last decrypted record */
    size_t encrypted, decrypted, opened;
};

static struct pair {
    int fds[2]; /* sockets of the client and the server */
    struct rpc_tls_context *contexts[2];
    struct rpc_tls *sides[2];
    struct random random;
    uint8_t *bytes;
    bool is_observed; /* begin() observes the next session */
    struct seen seen;
} pair;

static char *path_of(const char *name, char path[300])
{
    snprintf(path, 300, "%s/%s", getenv("TLS"), name);
    return path;
}

static void shake_hands(void)
{
    int codes[2] = {-EAGAIN, -EAGAIN};

    for (int i = 0; i < 100 && (codes[0] || codes[1]); i++) {
        if (codes[i % 2])
            codes[i % 2] = rpc_tls_handshake(pair.sides[i % 2]);
        assert_true(codes[i % 2] == 0 || codes[i % 2] == -EAGAIN || codes[i % 2] == -EINTR);
    }
    assert_all((codes[0], 0), (codes[1], 0));
}

static ssize_t send_seen(void *context, int fd, const void *bytes, size_t length, int flags)
{
    struct seen *seen = context;
    ssize_t sent = send(fd, bytes, length, flags);

    seen->stream_sent += sent > 0 ? (size_t)sent : 0;
    return sent;
}

static ssize_t receive_seen(void *context, int fd, void *bytes, size_t room, int flags)
{
    struct seen *seen = context;
    ssize_t got = recv(fd, bytes, room, flags);

    seen->stream_received += got > 0 ? (size_t)got : 0;
    return got;
}

static void note_encrypted(void *context, size_t bytes)
{
    ((struct seen *)context)->encrypted += bytes;
}

static void note_decrypted(void *context, size_t bytes, size_t received, size_t skipped)
{
    struct seen *seen = context;

    seen->decrypted += bytes;
    /* the first record's SKIPPED includes the handshake */
    assert_true((skipped > 0) == (seen->opened == 0));
    seen->opened += received + skipped;
    assert_all((seen->opened <= seen->stream_received), (seen->opened > seen->decrypted));
}

static void observe(void)
{
    const struct rpc_tls_calls calls = {send_seen, receive_seen, note_encrypted, note_decrypted,
                                        &pair.seen};

    pair.seen = (struct seen){0};
    rpc_tls_observe(pair.sides[0], &calls);
}

/* Begin sessions over a new pair of sockets, by the existing contexts. */
static void begin(void)
{
    int small = 4096;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair.fds), 0);
    for (int i = 0; i < 2; i++)
        setsockopt(pair.fds[i], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    assert_int_equal(rpc_tls_open(&pair.sides[0], pair.contexts[0], pair.fds[0], "127.0.0.1"), 0);
    assert_int_equal(rpc_tls_open(&pair.sides[1], pair.contexts[1], pair.fds[1], NULL), 0);
    if (pair.is_observed)
        observe();
    shake_hands();
}

static void end(void)
{
    for (int i = 0; i < 2; i++) {
        rpc_tls_close(pair.sides[i]);
        if (pair.fds[i] >= 0)
            close(pair.fds[i]);
    }
}

static int open_pair(void **state)
{
    char ca[300], certificate[300], key[300];
    struct rpc_tls_files client = {.authorities = path_of("ca.pem", ca)};
    struct rpc_tls_files server = {.certificate = path_of("server.pem", certificate),
                                   .key = path_of("server.key", key)};
    struct error error;

    assert_int_equal(rpc_tls_context_open_client(&pair.contexts[0], &client, &error), 0);
    assert_int_equal(rpc_tls_context_open_server(&pair.contexts[1], &server, false, &error), 0);
    begin();
    random_seed(&pair.random, 1);
    pair.bytes = malloc(LENGTH);
    for (size_t i = 0; i < LENGTH; i++)
        pair.bytes[i] = (uint8_t)random_next(&pair.random);
    return 0;
}

static int close_pair(void **state)
{
    end();
    for (int i = 0; i < 2; i++)
        rpc_tls_context_close(pair.contexts[i]);
    free(pair.bytes);
    pair = (struct pair){.is_observed = false};
    return 0;
}

/* From SIDE, offer the bytes from offset SENT on, at least LEAST bytes, in several parts. Returns
 * the number of bytes sent, and sets *OFFERED to the number passed to rpc_tls_send(). */
static size_t send_some(int side, size_t sent, size_t least, size_t *offered)
{
    struct iovec parts[PARTS];
    size_t count = 0, at = sent;
    ssize_t got;

    while (count < PARTS && at < LENGTH) {
        size_t length = 1 + random_below(&pair.random, PART_MAXIMUM);

        if (count == PARTS - 1 && at + length < sent + least)
            length = sent + least - at;
        if (length > LENGTH - at)
            length = LENGTH - at;
        parts[count++] = (struct iovec){pair.bytes + at, length};
        at += length;
    }
    *offered = at - sent;
    got = rpc_tls_send(pair.sides[side], parts, count, MSG_DONTWAIT);
    assert_true(got > 0 || errno == EAGAIN);
    return got > 0 ? (size_t)got : 0;
}

static size_t receive_some(int side, size_t received, size_t room)
{
    uint8_t bytes[2 * RPC_TLS_ROOM];
    ssize_t got = rpc_tls_receive(pair.sides[side], bytes, room, MSG_DONTWAIT);

    assert_true(got > 0 || errno == EAGAIN || errno == EINTR);
    if (got < 0)
        return 0;
    assert_true(received + (size_t)got <= LENGTH);
    assert_memory_equal(bytes, pair.bytes + received, (size_t)got);
    return (size_t)got;
}

static void pass_all(int from)
{
    size_t sent = 0, received = 0, least = 0, offered;

    while (received < LENGTH) {
        if (sent < LENGTH && random_below(&pair.random, 2)) {
            size_t now = send_some(from, sent, least, &offered);

            sent += now;
            least = offered - now;
        } else {
            received +=
                receive_some(!from, received, 1 + random_below(&pair.random, 2 * RPC_TLS_ROOM - 1));
        }
    }
    assert_int_equal(sent, LENGTH);
}

TEST_CASE_WITH(bytes_in_any_pieces, open_pair, close_pair)
{
    pass_all(0);
    pass_all(1);
}

/* An observer's counts agree with the bytes of the stream and of the messages. The bytes of the
 * handshake and the tickets are reported with the first record. */
TEST_CASE_WITH(records_are_observed, open_pair, close_pair)
{
    size_t before;

    end();
    pair.is_observed = true;
    begin();
    before = pair.seen.stream_sent;
    pass_all(0);
    assert_all((pair.seen.encrypted, LENGTH), (pair.seen.stream_sent - before > LENGTH));
    pass_all(1);
    assert_all((pair.seen.decrypted, LENGTH), (pair.seen.opened, pair.seen.stream_received));
}

/* If the socket has no more bytes, neither has the session. */
TEST_CASE_WITH(nothing_is_kept_back, open_pair, close_pair)
{
    size_t sent = 0, received = 0, least = 0, offered;

    while (sent < LENGTH) {
        struct pollfd poller = {.fd = pair.fds[1], .events = POLLIN};
        size_t now = send_some(0, sent, least, &offered);

        sent += now;
        least = offered - now;
        if (least == 0)
            continue;
        while (poll(&poller, 1, 0) == 1)
            received += receive_some(1, received, RPC_TLS_ROOM);
        assert_int_equal(received, sent);
    }
    while (received < LENGTH) {
        struct pollfd poller = {.fd = pair.fds[1], .events = POLLIN};

        assert_int_equal(poll(&poller, 1, 0), 1);
        received += receive_some(1, received, RPC_TLS_ROOM);
    }
}

TEST_CASE_WITH(the_other_side_ends, open_pair, close_pair)
{
    struct iovec part = {pair.bytes, 100};
    uint8_t bytes[RPC_TLS_ROOM];

    assert_int_equal(rpc_tls_send(pair.sides[0], &part, 1, MSG_DONTWAIT), 100);
    /* Read the server's tickets, because closing with unread bytes would reset the connection. */
    while (rpc_tls_receive(pair.sides[0], bytes, sizeof bytes, MSG_DONTWAIT) < 0 && errno == EINTR)
        ;
    assert_int_equal(errno, EAGAIN);
    close(pair.fds[0]);
    pair.fds[0] = -1;
    assert_int_equal(rpc_tls_receive(pair.sides[1], bytes, sizeof bytes, MSG_DONTWAIT), 100);
    assert_int_equal(rpc_tls_receive(pair.sides[1], bytes, sizeof bytes, MSG_DONTWAIT), 0);
}

/* A record that was not encrypted is refused, by this and every later receive. */
TEST_CASE_WITH(garbage, open_pair, close_pair)
{
    static const uint8_t record[] = {23, 3,  3,  0,  20, 1,  2,  3,  4,  5,  6,  7, 8,
                                     9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    uint8_t bytes[RPC_TLS_ROOM];

    assert_int_equal(send(pair.fds[0], record, sizeof record, 0), sizeof record);
    for (int i = 0; i < 2; i++)
        assert_all((rpc_tls_receive(pair.sides[1], bytes, sizeof bytes, MSG_DONTWAIT), -1),
                   (errno, EPROTO));
    assert_string_equal(rpc_tls_why(pair.sides[1]), "decryption failed or bad record mac");
}

/* Receive the server's tickets, which come with its first byte. */
static void fetch_tickets(void)
{
    struct iovec part = {pair.bytes, 1};
    uint8_t bytes[RPC_TLS_ROOM];
    ssize_t got;

    assert_int_equal(rpc_tls_send(pair.sides[1], &part, 1, MSG_DONTWAIT), 1);
    while ((got = rpc_tls_receive(pair.sides[0], bytes, sizeof bytes, MSG_DONTWAIT)) < 0)
        assert_int_equal(errno, EINTR);
    assert_int_equal(got, 1);
}

/* Make COUNT further handshakes. If RESUMES, each must resume a session, else none. */
static void reconnect(int count, bool resumes)
{
    for (int i = 0; i < count; i++) {
        end();
        begin();
        for (int side = 0; side < 2; side++)
            assert_int_equal(rpc_tls_resumed(pair.sides[side]), resumes);
    }
}

TEST_CASE_WITH(sessions_are_resumed, open_pair, close_pair)
{
    assert_false(rpc_tls_resumed(pair.sides[0]));
    reconnect(1, false); /* the client has read no ticket yet */
    fetch_tickets();
    reconnect(3, true);
    rpc_tls_context_resume(pair.contexts[0], false);
    reconnect(2, false);
    rpc_tls_context_resume(pair.contexts[0], true);
    reconnect(1, true);
    fetch_tickets();
    reconnect(1, true);
}

TEST_CASE_WITH(a_server_without_tickets, open_pair, close_pair)
{
    rpc_tls_context_give_no_tickets(pair.contexts[1]);
    reconnect(1, false);
    fetch_tickets();
    reconnect(2, false);
}

/* Send the client a reply of 28 bytes with byte AT of its record changed: nothing must be received.
 * Returns false if the record has no byte AT. */
static bool refuse_change(size_t at, uint8_t change)
{
    struct iovec part = {pair.bytes, 28};
    uint8_t record[200], bytes[RPC_TLS_ROOM];
    ssize_t length, got;

    assert_int_equal(rpc_tls_send(pair.sides[1], &part, 1, MSG_DONTWAIT), 28);
    length = recv(pair.fds[0], record, sizeof record, 0);
    assert_true(length > 28 && (size_t)length < sizeof record);
    if (at >= (size_t)length)
        return false;
    record[at] ^= change;
    assert_int_equal(send(pair.fds[1], record, (size_t)length, 0), length);
    shutdown(pair.fds[1], SHUT_WR);
    while ((got = rpc_tls_receive(pair.sides[0], bytes, sizeof bytes, MSG_DONTWAIT)) < 0 &&
           errno == EINTR)
        ; /* after a changed length, the session waits for more bytes */
    assert_true(got == 0 || errno == EPROTO);
    return true;
}

TEST_CASE_WITH(no_changed_record_is_taken, open_pair, close_pair)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    bool more = true;
    size_t at = 0;

    for (; more; at++) {
        for (size_t i = 0; i < sizeof changes && more; i++) {
            reconnect(1, at + i > 0);
            fetch_tickets();
            more = refuse_change(at, changes[i]);
        }
    }
    assert_true(at > 5 + 28 + 16); /* header, reply and tag were all changed */
}

TEST_CASE_WITH(description, open_pair, close_pair)
{
    char text[RPC_TLS_TEXT_SIZE];

    assert_memory_equal(rpc_tls_describe(pair.sides[0], text), "TLSv1.3 TLS_", 12);
    assert_non_null(strstr(text, " without kTLS")); /* these are no TCP sockets */
}

TEST_CASE(authorities_that_are_none)
{
    char key[300];
    struct rpc_tls_files files = {.authorities = path_of("server.key", key)};
    struct rpc_tls_context *context;
    struct error error;

    assert_all((rpc_tls_context_open_client(&context, &files, &error) < 0),
               (strstr(error.text, "--tls-ca")));
}
