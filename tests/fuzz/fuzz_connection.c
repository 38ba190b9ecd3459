/* Replies on a connection with many calls in flight (engine/wire/connection.h), from a server that
 * answers in any order, in fragments, twice, not at all, or with garbage, and that closes
 * connections. A call takes at most one reply. The reply is its own, unless the server sends
 * garbage. Over TCP, no call is lost unless the server sends garbage or ends the connection. The
 * number of calls in flight is always known. */
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/wire/connection.h"
#include "record.h"
#include "script.h"

enum {
    DEPTH_MAXIMUM = 24,
    REPLY_MAXIMUM = 4096,
    REQUEST_LENGTH = 64,
    ROOM = 256 << 10,
    TIMEOUT_NS = 1000 * 1000 * 1000,
    FLUSH_ROUNDS = 64,
};

struct request {
    uint32_t xid;
};

struct session {
    struct script script;
    struct connection connection;
    enum transport transport;
    int server; /* descriptor of the server's end of the connection; -1: closed */
    bool garbage;
    /* IN_FLIGHT[N]: the call with the caller's number N is in flight */
    bool in_flight[DEPTH_MAXIMUM];
    unsigned count;
    struct request requests[256]; /* requests to be answered, some of them again */
    unsigned request_count;
    size_t filled; /* number of bytes of an incomplete call that the server has received */
};

static struct session *current;
static uint64_t now_ns;
static uint8_t received[ROOM], message_bytes[RPC_RECORD_MARK_SIZE + REQUEST_LENGTH];

int __wrap_endpoint_connect(const struct endpoint *endpoint, int *fd, struct error *error)
{
    int type = endpoint->transport == TRANSPORT_TCP ? SOCK_STREAM : SOCK_DGRAM, pair[2];

    if (script_byte(&current->script) >= 248)
        return error_set(error, ERROR_UNREACHABLE, -ECONNREFUSED, "refused");
    FUZZ_CHECK(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) == 0);
    if (current->server >= 0)
        close(current->server);
    *fd = pair[0];
    current->server = pair[1];
    current->filled = current->request_count = 0;
    return 0;
}

uint64_t __wrap_clock_raw_ns(void)
{
    return now_ns += 1000;
}

static uint64_t ticks(void)
{
    return __wrap_clock_raw_ns();
}

static const struct clock virtual_clock = {.start = ticks, .stop = ticks, .ns_per_tick = 1};
static const struct channel_message message = {.bytes = message_bytes, .length = REQUEST_LENGTH};

static void keep_request(struct session *session, const uint8_t *bytes, size_t length)
{
    struct wire_reader reader = wire_reader(bytes, length);

    FUZZ_CHECK(length == REQUEST_LENGTH);
    if (session->request_count < sizeof session->requests / sizeof session->requests[0])
        session->requests[session->request_count++].xid = wire_get_u32(&reader);
}

static void hear(struct session *session)
{
    struct rpc_record record = {0};
    size_t used = 0, left;
    ssize_t got;

    while (session->server >= 0 && (got = recv(session->server, received + session->filled,
                                               ROOM - session->filled, MSG_DONTWAIT)) > 0) {
        if (session->transport == TRANSPORT_UDP)
            keep_request(session, received, (size_t)got);
        else
            session->filled += (size_t)got;
    }
    left = session->filled;
    while (rpc_record_find(received + used, &left, ROOM - used, &record) > 0) {
        keep_request(session, record.message, record.length);
        used += record.consumed;
        left -= record.consumed;
    }
    memmove(received, received + used, left);
    session->filled = left;
}

static void send_bytes(struct session *session, const uint8_t *bytes, size_t length)
{
    ssize_t sent = session->server >= 0
                       ? send(session->server, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL)
                       : -1;

    if (sent != (ssize_t)length)
        session->garbage = true; /* a reply truncated or not sent is garbage */
}

static uint8_t reply_byte(uint32_t xid, size_t at)
{
    return (uint8_t)(xid + at * 7);
}

/* Send a reply of LENGTH bytes with XID. Over TCP, if CUT is from 1 to LENGTH - 1, send it in
 * two fragments, the first of CUT bytes. */
static void send_reply(struct session *session, uint32_t xid, size_t length, size_t cut)
{
    uint8_t bytes[2 * RPC_RECORD_MARK_SIZE + REPLY_MAXIMUM], body[REPLY_MAXIMUM];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);

    wire_store_u32(body, xid);
    for (size_t i = 4; i < length; i++)
        body[i] = reply_byte(xid, i);
    if (session->transport == TRANSPORT_UDP) {
        send_bytes(session, body, length);
        return;
    }
    record_put(&writer, body, length, cut, 2);
    send_bytes(session, bytes, (size_t)(writer.at - bytes));
}

/* Answer one of the requests, and forget it unless it is to be answered again. */
static void answer(struct session *session)
{
    uint8_t which = script_byte(&session->script), how = script_byte(&session->script);
    size_t length = 4 + script_u16(&session->script) % (REPLY_MAXIMUM - 3);
    size_t cut = how & 1 ? how * 8u : 0;
    uint32_t xid;

    hear(session);
    if (session->request_count == 0)
        return;
    which = (uint8_t)(which % session->request_count);
    xid = session->requests[which].xid;
    send_reply(session, xid, how & 2 ? 4 + length % 64 : length, cut);
    if (how < 224)
        session->requests[which] = session->requests[--session->request_count];
}

static void talk_nonsense(struct session *session)
{
    size_t length = script_byte(&session->script);
    const uint8_t *bytes = script_bytes(&session->script, &length);

    session->garbage = true;
    if (length > 0)
        send_bytes(session, bytes, length);
}

static void hang_up(struct session *session)
{
    if (session->server >= 0)
        close(session->server);
    session->server = -1;
    session->request_count = 0;
    session->filled = 0;
}

static void check_count(const struct session *session)
{
    FUZZ_CHECK(connection_in_flight(&session->connection) == session->count);
}

static void after(struct session *session, int code)
{
    if (code && code != -EAGAIN)
        connection_lose(&session->connection);
}

static void put(struct session *session, unsigned count)
{
    struct connection *connection = &session->connection;

    for (unsigned number = 0; number < connection->depth && count > 0; number++) {
        if (session->in_flight[number] || connection->fd < 0 || !connection_has_room(connection))
            continue;
        connection_put(connection, &message, NULL, number, NULL);
        session->in_flight[number] = true;
        session->count++;
        count--;
    }
    if (connection->fd >= 0)
        after(session, connection_send(connection));
    check_count(session);
}

static void check_reply(struct session *session, const struct connection_reply *reply)
{
    FUZZ_CHECK(reply->call.number < session->connection.depth &&
               session->in_flight[reply->call.number]);
    session->in_flight[reply->call.number] = false;
    session->count--;
    FUZZ_CHECK(reply->message.length <= REPLY_MAXIMUM);
    for (size_t i = 4; i < reply->message.length && !session->garbage; i++)
        FUZZ_CHECK(reply->message.bytes[i] == reply_byte(reply->call.xid, i));
}

static void take_replies(struct session *session)
{
    static struct connection_reply replies[DEPTH_MAXIMUM];
    struct connection *connection = &session->connection;
    int found = connection->fd >= 0 ? connection_receive(connection, false) : -EAGAIN;
    size_t count;

    after(session, found);
    if (found)
        return;
    found = connection_take(connection, connection->clock->stop(), replies, &count);
    for (size_t i = 0; i < count; i++)
        check_reply(session, &replies[i]);
    FUZZ_CHECK(found == 0 || session->garbage);
    after(session, found);
    check_count(session);
}

/* Restore a lost connection, or check timeouts, like a pipeline. Returns false where a
 * pipeline would end. */
static bool look_around(struct session *session)
{
    struct connection *connection = &session->connection;
    struct error error;

    if (connection->fd < 0)
        return connection_restore(connection, &error) == 0;
    return connection_check_timeouts(connection, &error) == 0;
}

static void give_up(struct session *session)
{
    connection_abandon(&session->connection);
    memset(session->in_flight, 0, sizeof session->in_flight);
    session->count = 0;
    check_count(session);
}

static void step(struct session *session)
{
    uint8_t how = script_byte(&session->script);

    switch (how % 8) {
    case 0:
        put(session, how / 8 % 8 + 1);
        break;
    case 1:
        if (session->connection.fd >= 0)
            after(session, connection_send(&session->connection));
        break;
    case 2:
    case 3:
        answer(session);
        break;
    case 4:
        take_replies(session);
        break;
    case 5:
        now_ns += (uint64_t)how * 10 * 1000 * 1000;
        if (!look_around(session))
            give_up(session);
        break;
    case 6:
        if (how >= 224)
            hang_up(session);
        else if (how >= 208)
            give_up(session);
        else
            connection_set_low_water(&session->connection, how);
        break;
    default:
        if (how >= 192)
            talk_nonsense(session);
        else
            put(session, 1);
    }
}

/* Answer all calls in flight. Over TCP, check that none remains, unless the server sent garbage or
 * the connection is closed. */
static void answer_all_calls(struct session *session)
{
    for (int i = 0; i < FLUSH_ROUNDS && session->count > 0 && session->connection.fd >= 0; i++) {
        if (session->server < 0)
            break;
        after(session, connection_send(&session->connection));
        hear(session);
        while (session->request_count > 0)
            send_reply(session, session->requests[--session->request_count].xid, 16, 0);
        take_replies(session);
    }
    FUZZ_CHECK(session->count == 0 || session->garbage || session->connection.fd < 0 ||
               session->server < 0 || session->transport == TRANSPORT_UDP);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session session = {.script = script_of(data, size), .server = -1};
    struct endpoint endpoint = {.address.ss_family = AF_INET};
    const struct channel_options options = {
        .timeout_ns = TIMEOUT_NS, .retransmissions = 3, .reply_maximum = REPLY_MAXIMUM};
    struct error error = {.text = ""};
    uint8_t how = script_byte(&session.script);

    current = &session;
    now_ns = UINT64_C(1) << 40;
    session.transport = endpoint.transport = how & 1 ? TRANSPORT_UDP : TRANSPORT_TCP;
    if (connection_open(&session.connection, &endpoint, &options, 0, how / 2 % DEPTH_MAXIMUM + 1,
                        &virtual_clock, &error) == 0) {
        while (!script_ended(&session.script))
            step(&session);
        answer_all_calls(&session);
        connection_close(&session.connection);
    } else {
        FUZZ_CHECK(error.text[0]);
    }
    if (session.server >= 0)
        close(session.server);
    return 0;
}
