#include "hostile.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "embedded.h"
#include "record.h"

#include <rpc/rpc.h>

#include <rpc/pmap_prot.h>

enum {
    CONNECTIONS = 16,
    REQUEST_ROOM = 256 << 10,
    REPLY_ROOM = DISPATCH_REPLY_MAXIMUM + 4096,
    TIMEOUT_NS = 1000 * 1000 * 1000,
    SILENCE_NS = 100 * 1000 * 1000, /* time that passes if no bytes arrive */
    PIECE_NS = 20 * 1000 * 1000,    /* time before bytes arrive, if `piece` is not 0 */
    REPLY_MAXIMUM = 64 << 10,
    UNMATCHED_MAXIMUM = 4096,
    RESULT_AT = 24, /* offset of the result in a successful reply with an empty verifier */
};

struct connection {
    int client, server; /* descriptors; -1: none */
    enum transport transport;
    size_t filled; /* number of bytes of REQUEST that have arrived */
    uint8_t request[REQUEST_ROOM];
    /* what the client will receive: over TCP records, of which the last is the reply; over UDP the
     * reply only */
    uint8_t reply[REPLY_ROOM];
    size_t length, sent; /* number of bytes in REPLY; number of them sent */
    size_t piece;        /* number of bytes that arrive at once over TCP; 0: all */
    /* what a receive returns instead of a reply: an errno; -1: end of the connection; 0: none */
    int failure;
};

struct hostile_deeds hostile_deeds;

static struct connection connections[CONNECTIONS];
static struct script *script;
static void (*others)(uint8_t what);
static uint64_t now_ns;
static sig_atomic_t stop;

static void drop(struct connection *connection)
{
    if (connection->server >= 0)
        close(connection->server);
    connection->client = connection->server = -1;
}

/* Return the connection whose client has the descriptor CLIENT, or had it and closed it. If there
 * is none, return a free one. */
static struct connection *find_place(int client)
{
    struct connection *unused = NULL;

    for (size_t i = 0; i < CONNECTIONS; i++) {
        if (connections[i].server >= 0 && connections[i].client == client)
            return &connections[i];
        if (connections[i].server < 0)
            unused = &connections[i];
    }
    FUZZ_CHECK(unused);
    return unused;
}

int __wrap_endpoint_connect(const struct endpoint *endpoint, int *fd, struct error *error)
{
    int type = endpoint->transport == TRANSPORT_TCP ? SOCK_STREAM : SOCK_DGRAM;
    struct connection *connection;
    int pair[2];

    if (script_byte(script) >= 248) {
        hostile_deeds.faults++;
        return error_set(error, ERROR_UNREACHABLE, -ECONNREFUSED, "refused");
    }
    FUZZ_CHECK(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) == 0);
    connection = find_place(pair[0]);
    drop(connection);
    connection->client = *fd = pair[0];
    connection->server = pair[1];
    connection->transport = endpoint->transport;
    connection->filled = connection->length = connection->sent = 0;
    connection->failure = 0;
    return 0;
}

/* The host "two" has two addresses, "none" none, any other host one. */
int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                       struct addrinfo **result)
{
    static struct sockaddr_in v4 = {.sin_family = AF_INET};
    static struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    static struct addrinfo second = {
        .ai_family = AF_INET, .ai_addr = (struct sockaddr *)&v4, .ai_addrlen = sizeof v4};
    static struct addrinfo first = {.ai_family = AF_INET6,
                                    .ai_addr = (struct sockaddr *)&v6,
                                    .ai_addrlen = sizeof v6,
                                    .ai_next = &second};

    *result = strcmp(node, "two") == 0 ? &first : &second;
    return strcmp(node, "none") == 0 ? EAI_NONAME : 0;
}

void __wrap_freeaddrinfo(struct addrinfo *result)
{
}

uint64_t __wrap_clock_raw_ns(void)
{
    return now_ns += 1000;
}

uint64_t __wrap_random_system_seed(void)
{
    return (uint64_t)embedded_new_xid() << 16; /* the low bits are for the xids of calls */
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
    now_ns += (uint64_t)wanted->tv_sec * 1000000000 + (uint64_t)wanted->tv_nsec;
    return 0;
}

/* Write two registrations in the format of the port mapper's VERSION. */
static void list_registrations(struct wire_writer *writer, uint32_t version)
{
    static const char *const words[] = {"tcp", "127.0.0.1.8.1", "owner"};

    for (uint32_t i = 0; i < 2; i++) {
        wire_put_u32(writer, 1);
        wire_put_u32(writer, 100003 + 2 * i);
        wire_put_u32(writer, 3);
        for (size_t word = 0; word < 3 && version != PMAPVERS; word++)
            wire_put_opaque(writer, words[word], strlen(words[word]));
        if (version == PMAPVERS)
            wire_put_u64(writer, (uint64_t)IPPROTO_TCP << 32 | 2049);
    }
    wire_put_u32(writer, 0);
}

/* Answer a call to the port mapper: every program is at port 2049. */
static size_t answer_portmap(const struct rpc_call_header *header, uint8_t *reply)
{
    static const char address[] = "127.0.0.1.8.1";
    struct wire_writer writer = wire_writer(reply, 256);
    struct rpc_reply_header answer = {.xid = header->xid, .outcome = RPC_OUTCOME_SUCCESS};

    rpc_reply_encode(&writer, &answer);
    if (header->procedure == PMAPPROC_DUMP)
        list_registrations(&writer, header->version);
    else if (header->procedure != NULLPROC && header->version == PMAPVERS)
        wire_put_u32(&writer, 2049);
    else if (header->procedure != NULLPROC)
        wire_put_opaque(&writer, address, sizeof address - 1);
    return (size_t)(writer.at - reply);
}

/* Write the correct reply to REQUEST. Returns its length; 0 if there is no reply. */
static size_t answer_honestly(const struct connection *connection, const uint8_t *request,
                              size_t length, uint8_t *reply)
{
    struct wire_reader reader = wire_reader(request, length);
    struct rpc_call_header header;

    FUZZ_CHECK(rpc_call_decode(&reader, &header) == 0);
    if (header.program == PMAPPROG)
        return answer_portmap(&header, reply);
    length = embedded_answer(request, length, connection->transport == TRANSPORT_TCP);
    memcpy(reply, embedded_reply, length);
    return length;
}

/* Functions that change the reply at REPLY, of LENGTH bytes, or replace all but its xid. They
 * return the reply's new length. */

static size_t put_reply_header(uint8_t *reply, enum rpc_outcome outcome, uint32_t word)
{
    struct wire_reader reader = wire_reader(reply, 4);
    struct rpc_reply_header header = {.xid = wire_get_u32(&reader),
                                      .outcome = outcome,
                                      .auth_status = word,
                                      .low = word,
                                      .high = word + 1};
    struct wire_writer writer = wire_writer(reply, 256);

    rpc_reply_encode(&writer, &header);
    return (size_t)(writer.at - reply);
}

static size_t refuse(uint8_t *reply)
{
    static const uint32_t statuses[] = {1,  2,  5,     13,    17,    20,    21,    28,   30,
                                        66, 70, 10001, 10003, 10004, 10005, 10006, 10008};
    size_t length = put_reply_header(reply, RPC_OUTCOME_SUCCESS, 0);

    memset(reply + length, 0, 20);
    wire_store_u32(reply + length, statuses[script_byte(script) % 17]);
    return length + 20;
}

static size_t flip(uint8_t *reply, size_t length)
{
    for (unsigned i = script_byte(script) % 4 + 1; i > 0; i--)
        reply[script_u16(script) % length] ^= script_byte(script);
    return length;
}

static size_t replace_word(uint8_t *reply, size_t length)
{
    static const uint32_t words[] = {0,  1,  2,   3,   UINT32_MAX, INT32_MAX, 0x80000000, 63,
                                     64, 65, 255, 256, 4,          8,         0x00100000};
    size_t words_there = length / 4;
    uint32_t place = script_byte(script), choice = script_byte(script);

    if (words_there == 0)
        return length;
    if (place >= 224)
        place = (place - 224) * 32 + script_byte(script);
    wire_store_u32(reply + place % words_there * 4, choice < 128 ? choice : words[choice % 15]);
    return length;
}

/* Copy the script's bytes to the reply: if WITH_HEADER, as the result after a correct RPC header;
 * else as everything after the xid. */
static size_t make_up(uint8_t *reply, bool with_header)
{
    size_t at = with_header ? put_reply_header(reply, RPC_OUTCOME_SUCCESS, 0) : 4;
    size_t length = script_byte(script) * 2u;
    const uint8_t *bytes = script_bytes(script, &length);

    memcpy(reply + at, bytes, length);
    return at + length;
}

static const char *pick_listed_name(void)
{
    static const char *const names[] = {"a",
                                        "filler-3",
                                        "filler-4",
                                        "data",
                                        "link",
                                        ".",
                                        "..",
                                        "",
                                        "a/b",
                                        "file",
                                        ".nfsbench-commit",
                                        ".nfsbench-h-1-00000001",
                                        "file-0001",
                                        "\033[2J\n"};
    static char longest[301];
    uint8_t choice = script_byte(script);

    memset(longest, 'l', sizeof longest - 1);
    return choice == 255 ? longest : names[choice % (sizeof names / sizeof names[0])];
}

static size_t list(uint8_t *reply, bool plus)
{
    size_t header = put_reply_header(reply, RPC_OUTCOME_SUCCESS, 0);
    struct wire_writer writer = wire_writer(reply + header, REPLY_MAXIMUM - RESULT_AT);
    uint8_t how = script_byte(script);
    uint64_t cookie = script_byte(script);

    wire_put_u32(&writer, 0); /* NFS3_OK */
    wire_put_u32(&writer, 0); /* no attributes */
    wire_put_u64(&writer, how & 4);
    for (unsigned i = how >> 3; i > 0; i--) {
        const char *name = pick_listed_name();

        wire_put_u32(&writer, 1);
        wire_put_u64(&writer, i);
        wire_put_opaque(&writer, name, strlen(name));
        wire_put_u64(&writer, how & 2 ? cookie++ : cookie);
        if (plus)
            wire_put_u64(&writer, 0); /* neither attributes nor a handle */
    }
    wire_put_u32(&writer, 0);
    wire_put_u32(&writer, how & 1); /* 1 if the list ends here */
    return (size_t)(writer.at - reply);
}

static size_t offer_flavors(uint8_t *reply)
{
    static const uint32_t flavors[] = {0, 1, 2, 3, 6, 390003, 390004, 390005, 7};
    size_t header = put_reply_header(reply, RPC_OUTCOME_SUCCESS, 0);
    struct wire_writer writer = wire_writer(reply + header, REPLY_MAXIMUM - RESULT_AT);
    unsigned count = script_byte(script) % 32;

    wire_put_u32(&writer, MNT3_OK);
    wire_put_opaque(&writer, "handle", 6);
    wire_put_u32(&writer, count);
    for (unsigned i = 0; i < count; i++)
        wire_put_u32(&writer, flavors[script_byte(script) % 9]);
    return (size_t)(writer.at - reply);
}

static size_t lie(uint8_t *reply, size_t length, unsigned how)
{
    switch (how % 12) {
    case 0:
        return refuse(reply);
    case 1:
        return flip(reply, length);
    case 10: /* change the last byte: READ's data, or a write verifier */
        reply[length - 1] ^= script_byte(script) | 1;
        return length;
    case 11:
        return offer_flavors(reply);
    case 2:
    case 3:
        return replace_word(reply, length);
    case 4:
        return script_u16(script) % length;
    case 5:
        return make_up(reply, true);
    case 6:
        return make_up(reply, false);
    case 7:
        return put_reply_header(reply, (enum rpc_outcome)(script_byte(script) % 8),
                                script_byte(script) % 16);
    default:
        return list(reply, how % 12 == 9);
    }
}

/* From a message to the bytes on the connection */

static void put_record(struct connection *connection, const uint8_t *message, size_t length,
                       size_t fragment)
{
    struct wire_writer writer =
        wire_writer(connection->reply + connection->length, REPLY_ROOM - connection->length);

    record_put(&writer, message, length, fragment, length < REPLY_MAXIMUM ? SIZE_MAX : 1);
    connection->length = (size_t)(writer.at - connection->reply);
}

/* Over TCP, before a short reply, send 1 to 64 unmatched replies, whose xids have one wrong bit. If
 * there are more than 32, each arrives alone. */
static void put_unmatched(struct connection *connection, const uint8_t *message, size_t length)
{
    unsigned count = script_byte(script) % 64 + 1;

    if (connection->transport != TRANSPORT_TCP || length > UNMATCHED_MAXIMUM)
        return;
    for (unsigned i = 0; i < count; i++) {
        size_t at = connection->length;

        put_record(connection, message, length, 0);
        connection->reply[at + RPC_RECORD_MARK_SIZE] ^= 0x80;
    }
    connection->piece = count > 32 ? RPC_RECORD_MARK_SIZE + length : 0;
}

/* Send a record that announces too large a length, or whose last fragment never comes. */
static void put_endless(struct connection *connection, const uint8_t *message, size_t length)
{
    put_record(connection, message, length < UNMATCHED_MAXIMUM ? length : UNMATCHED_MAXIMUM, 0);
    connection->reply[0] = 0; /* not the last fragment */
    if (script_byte(script) & 1)
        wire_store_u32(connection->reply, RPC_LAST_FRAGMENT | (REPLY_MAXIMUM + 1));
}

static void put_message(struct connection *connection, const uint8_t *message, size_t length,
                        size_t fragment)
{
    if (connection->transport == TRANSPORT_TCP) {
        put_record(connection, message, length, fragment);
        return;
    }
    memcpy(connection->reply, message, length);
    connection->length = length;
}

/* Send MESSAGE with a fault, which HOW and the script select: nothing arrives, a receive fails or
 * is interrupted, bytes arrive in pieces or late, other replies arrive, or Ctrl-C is pressed. */
static void fault(struct connection *connection, uint8_t *message, size_t length, unsigned how)
{
    static const int failures[] = {-1, ECONNRESET, EAGAIN, EINTR, EPIPE};
    size_t fragment = 0;

    switch (how % 8) {
    case 0:
    case 1:
    case 2:
        connection->failure = failures[script_byte(script) % 5];
        return;
    case 3:
        put_unmatched(connection, message, length);
        break;
    case 4:
        fragment = script_byte(script) + 16u;
        break;
    case 5:
        connection->piece = script_byte(script) + 1u;
        break;
    case 6: /* over UDP, a reply with another xid */
        if (connection->transport == TRANSPORT_UDP)
            message[0] ^= 0x80;
        break;
    default: /* perhaps Ctrl-C */
        stop = script_byte(script) >= 240;
    }
    put_message(connection, message, length, fragment);
}

static void answer(struct connection *connection, const uint8_t *request, size_t request_length)
{
    static uint8_t message[REPLY_ROOM];
    uint8_t how = script_byte(script);
    size_t length;

    if (how >= 112 && how < 128) {
        hostile_deeds.others++;
        others(script_byte(script));
    }
    length = answer_honestly(connection, request, request_length, message);
    connection->length = connection->sent = connection->piece = 0;
    if (length == 0)
        return;
    if (how >= 128 && how < 192) {
        hostile_deeds.faults++;
        fault(connection, message, length, how);
        return;
    }
    if (how >= 192) {
        hostile_deeds.lies++;
        if (how >= 252 && connection->transport == TRANSPORT_TCP) {
            put_endless(connection, message, length);
            return;
        }
        length = lie(message, length, how);
    }
    put_message(connection, message, length, 0);
}

static bool answer_record(struct connection *connection)
{
    struct rpc_record record = {0};

    if (rpc_record_find(connection->request, &connection->filled, REQUEST_ROOM, &record) <= 0)
        return false;
    answer(connection, record.message, record.length);
    connection->filled -= record.consumed;
    memmove(connection->request, connection->request + record.consumed, connection->filled);
    return true;
}

/* Receive a request, and answer it. Returns whether a complete request came. */
static bool serve(struct connection *connection)
{
    ssize_t got;

    if (connection->transport == TRANSPORT_TCP && answer_record(connection))
        return true;
    got = recv(connection->server, connection->request + connection->filled,
               REQUEST_ROOM - connection->filled, MSG_DONTWAIT);
    if (got <= 0)
        return false;
    if (connection->transport == TRANSPORT_UDP) {
        answer(connection, connection->request, (size_t)got);
        return true;
    }
    connection->filled += (size_t)got;
    return answer_record(connection);
}

static ssize_t fail(struct connection *connection)
{
    int failure = connection->failure;

    connection->failure = 0;
    errno = failure;
    now_ns += failure == EAGAIN ? SILENCE_NS : 0;
    return failure == -1 ? 0 : -1;
}

static ssize_t receive(void *context, unsigned number, int fd, void *bytes, size_t room, int flags)
{
    struct connection *connection = find_place(fd);
    size_t part;

    while (connection->sent == connection->length && !connection->failure)
        if (!serve(connection))
            connection->failure = EAGAIN;
    if (connection->failure)
        return fail(connection);
    part = connection->length - connection->sent;
    if (connection->piece && connection->piece < part && connection->transport == TRANSPORT_TCP)
        part = connection->piece;
    if (part > room)
        part = room;
    now_ns += connection->piece ? PIECE_NS : 0;
    memcpy(bytes, connection->reply + connection->sent, part);
    connection->sent += part;
    if (connection->transport == TRANSPORT_UDP)
        connection->sent = connection->length;
    return (ssize_t)part;
}

static void connected(void *context, unsigned number, int fd, size_t sent, size_t received)
{
}

static ssize_t send_call(void *context, unsigned number, int fd, struct msghdr *message, int flags)
{
    return sendmsg(fd, message, flags);
}

static const struct load_watch watch = {
    .connected = connected, .send = send_call, .receive = receive};

struct channel_options hostile_options(void)
{
    return (struct channel_options){.timeout_ns = TIMEOUT_NS,
                                    .retransmissions = 2,
                                    .reply_maximum = REPLY_MAXIMUM,
                                    .deadline.stop = &stop,
                                    .watch = &watch};
}

void hostile_begin(struct script *wanted, void (*do_others)(uint8_t what))
{
    script = wanted;
    deadline_clock = __wrap_clock_raw_ns;
    others = do_others;
    now_ns = UINT64_C(1) << 40;
    stop = 0;
    hostile_deeds = (struct hostile_deeds){0};
    for (size_t i = 0; i < CONNECTIONS; i++)
        connections[i].server = -1;
}

void hostile_end(void)
{
    for (size_t i = 0; i < CONNECTIONS; i++)
        drop(&connections[i]);
}
