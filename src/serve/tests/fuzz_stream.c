/* Fuzz target: any bytes of a client over one connection of the embedded server. Records are
 * complete or in fragments, sent in pieces, many at once or never completed, with garbage between
 * records. Replies may be read late. Unless there was garbage, each call must get one reply, and
 * READs must return the file's bytes. No memory may be held for a closed connection. */
#include <errno.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "embedded.h"
#include "nfs/procedures/procedures.h"
#include "record.h"
#include "script.h"
#include "serve/transport/timeouts.h"

enum {
    FILE_SIZE = 40 << 10,
    OUT_ROOM = 2 << 20,
    IN_ROOM = 2 << 20,
    /* maximum number of calls; larger than STREAM_TURN_CALLS, so that one turn can't answer all */
    CALLS = 3000,
    REPLIES_MAXIMUM = 6 << 20, /* limit of the bytes that READs request; more than one turn sends */
    /* number of rounds without progress after which the connection counts as stuck */
    IDLE_ROUNDS = 8,
};

/* A call. Element N of ASKED has the xid FIRST_XID + N. */
struct asked {
    bool open; /* the call must still get a reply */
    const struct rpc_procedure *rpc;
    uint32_t offset, count;
};

struct session {
    struct script script;
    struct stream *stream; /* the server's end; NULL: closed */
    int fd;                /* the client's end */
    bool garbage;          /* garbage was sent, or the server may reset: errors are allowed */
    uint32_t first_xid, calls, open;
    size_t asked_bytes; /* bytes requested by READs */
    size_t out_filled, out_sent, in_filled;
    bool moved; /* this round has sent, answered or read something */
};

static struct asked asked[CALLS];
static uint8_t out[OUT_ROOM], in[IN_ROOM];
static struct stream_scratch scratch;
static struct stream_queue favoured;
static struct nfs_handle file, root, written;

/* The client's calls */

static void fill_arguments(const struct asked *call, union nfs_arguments *arguments)
{
    static char data[16 << 10];
    const uint32_t length = call->count % sizeof data;

    memset(arguments, 0, sizeof *arguments);
    if (call->rpc->number == NFSPROC3_READ)
        arguments->read = (READ3args){nfs_handle_argument(&file), call->offset, call->count};
    else if (call->rpc->number == NFSPROC3_WRITE)
        arguments->write = (WRITE3args){
            nfs_handle_argument(&written), call->offset, length, UNSTABLE, {length, data}};
    else if (call->rpc->number == NFSPROC3_READDIR)
        arguments->readdir = (READDIR3args){.dir = nfs_handle_argument(&root), .count = 4096};
    else if (call->rpc->number == NFSPROC3_GETATTR)
        arguments->getattr.object = nfs_handle_argument(&root);
}

static void add_call(struct session *session, const struct asked *call, size_t fragment)
{
    enum { MESSAGE_ROOM = 20 << 10, MARKS = 16 };
    static const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    static uint8_t encoded[MESSAGE_ROOM], *const message = encoded + RPC_RECORD_MARK_SIZE;
    struct wire_writer record =
        wire_writer(out + session->out_filled, sizeof out - session->out_filled);
    uint32_t xid;
    union nfs_arguments arguments;
    size_t length;

    if (session->calls == CALLS || session->asked_bytes > REPLIES_MAXIMUM ||
        sizeof out - session->out_filled < MARKS * MESSAGE_ROOM)
        return;
    xid = embedded_new_xid();
    if (session->calls == 0)
        session->first_xid = xid;
    fill_arguments(call, &arguments);
    FUZZ_CHECK(
        rpc_message_encode(encoded, sizeof encoded, call->rpc, &nobody, &arguments, &length) == 0);
    wire_store_u32(message, xid);
    record_put(&record, message, length, fragment, SIZE_MAX);
    session->out_filled = (size_t)(record.at - out);
    asked[session->calls] = *call;
    asked[session->calls].open = !session->garbage;
    session->open += !session->garbage;
    session->calls++;
    session->asked_bytes += call->rpc->number == NFSPROC3_READ ? call->count : 0;
}

static void add_calls(struct session *session)
{
    static const char *const ops[] = {"null", "getattr", "read", "write", "read", "readdir"};
    struct script *script = &session->script;
    struct asked call = {.rpc = &nfs_procedure_find(ops[script_byte(script) % 6])->rpc};
    unsigned repeat = script_byte(script);
    size_t fragment = script_byte(script) * 4u;

    if (call.rpc->number == NFSPROC3_READ || call.rpc->number == NFSPROC3_WRITE) {
        call.offset = script_u16(script);
        call.count = script_u16(script);
    }
    repeat = repeat < 128 ? 1 : repeat - 126;
    for (unsigned i = 0; i < repeat; i++)
        add_call(session, &call, fragment);
}

static void add_garbage(struct session *session)
{
    size_t length = script_byte(&session->script);
    const uint8_t *bytes = script_bytes(&session->script, &length);

    if (length == 0 || sizeof out - session->out_filled < length)
        return;
    session->garbage = true;
    memcpy(out + session->out_filled, bytes, length);
    session->out_filled += length;
}

static void send_some(struct session *session, size_t most)
{
    size_t left = session->out_filled - session->out_sent;
    ssize_t sent = left ? send(session->fd, out + session->out_sent, most < left ? most : left,
                               MSG_DONTWAIT | MSG_NOSIGNAL)
                        : 0;

    if (sent <= 0)
        return;
    session->out_sent += (size_t)sent;
    session->moved = true;
    if (session->out_sent == session->out_filled)
        session->out_sent = session->out_filled = 0;
}

/* Replies */

static void check_read(const struct asked *call, struct wire_reader *reader)
{
    uint32_t left = call->offset < FILE_SIZE ? FILE_SIZE - call->offset : 0;
    uint32_t expected = call->count < left ? call->count : left, length;
    const uint8_t *data;

    FUZZ_CHECK(wire_get_u32(reader) == NFS3_OK && wire_get_bool(reader));
    wire_skip(reader, CALL_ATTRIBUTES_SIZE);
    FUZZ_CHECK(wire_get_u32(reader) == expected);
    FUZZ_CHECK(wire_get_bool(reader) == (expected == left));
    data = wire_get_opaque(reader, FILE_SIZE, &length);
    FUZZ_CHECK(data && length == expected && wire_left(reader) == 0);
    for (uint32_t i = 0; i < length; i += 61)
        FUZZ_CHECK(data[i] == embedded_byte(call->offset + i));
}

static void take_reply(struct session *session, const uint8_t *message, size_t length)
{
    struct wire_reader reader = wire_reader(message, length);
    struct rpc_reply_header header;
    uint32_t number;

    FUZZ_CHECK(rpc_reply_decode(&reader, &header) == 0);
    number = header.xid - session->first_xid;
    if (number >= session->calls || !asked[number].open) {
        FUZZ_CHECK(session->garbage); /* garbage may look like a call with any xid */
        return;
    }
    asked[number].open = false;
    session->open--;
    FUZZ_CHECK(header.outcome == RPC_OUTCOME_SUCCESS);
    if (asked[number].rpc->number == NFSPROC3_READ)
        check_read(&asked[number], &reader);
}

static void read_some(struct session *session, size_t most)
{
    struct rpc_record record = {0};
    size_t used = 0, left;
    ssize_t got =
        recv(session->fd, in + session->in_filled,
             most < sizeof in - session->in_filled ? most : sizeof in - session->in_filled,
             MSG_DONTWAIT);

    if (got <= 0)
        return;
    session->moved = true;
    session->in_filled += (size_t)got;
    left = session->in_filled;
    while (rpc_record_find(in + used, &left, sizeof in - used, &record) > 0) {
        take_reply(session, record.message, record.length);
        used += record.consumed;
        left -= record.consumed;
    }
    memmove(in, in + used, left);
    session->in_filled = left;
}

/* The server */

static void close_stream(struct session *session)
{
    delayed_forget(&embedded_service.delayed, session->stream);
    stream_close(session->stream, &embedded_service);
    session->stream = NULL;
    FUZZ_CHECK(atomic_load(&embedded_exported.budget.held) == 0);
    FUZZ_CHECK(embedded_service.gather.count == 0 && !embedded_service.reading);
}

/* Send all delayed replies, as a server thread does when they are due. */
static int send_delayed(struct session *session)
{
    struct delayed_reply *delayed;
    int code = 0;

    while (code == 0 && (delayed = delayed_take(&embedded_service.delayed, UINT64_MAX))) {
        bool waited = stream_events(session->stream) == 0;

        code = stream_send_delayed(session->stream, &embedded_service, delayed->bytes,
                                   delayed->length);
        free(delayed);
        if (code == 0 && waited)
            code = stream_writable(session->stream, &embedded_service, &scratch);
        session->moved = true;
    }
    return code;
}

/* Return the number of bytes that the server has not received yet. */
static int waiting(const struct session *session)
{
    int bytes = 0;

    return ioctl(session->stream->watched.fd, FIONREAD, &bytes) == 0 ? bytes : -1;
}

/* Serve the connection as a server thread does. If WITH_DELAYED, send delayed replies first. */
static void serve(struct session *session, bool with_delayed)
{
    int code = 0, before;

    if (!session->stream)
        return;
    before = waiting(session);
    if (with_delayed)
        code = send_delayed(session);
    if (code == 0 && session->stream->waits_for_memory) {
        session->stream->favoured = &favoured;
        session->stream->may_hold = true; /* as if no other connection waited */
        code = stream_resume(session->stream, &embedded_service, &scratch);
        session->moved = true;
    } else if (code == 0)
        code = stream_is_blocked(session->stream)
                   ? stream_writable(session->stream, &embedded_service, &scratch)
                   : stream_readable(session->stream, &embedded_service, &scratch);
    if (code == 0) {
        session->moved = session->moved || waiting(session) != before;
        FUZZ_CHECK(!stream_is_blocked(session->stream) ==
                   (stream_events(session->stream) == EPOLLIN));
        return;
    }
    FUZZ_CHECK(session->garbage);
    close_stream(session);
}

static void open_stream(struct session *session, uint8_t how)
{
    /* size of the server's send buffer: the minimum, or plenty */
    int pair[2], size = how & 1 ? 1 : 1 << 18;

    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    session->fd = pair[1];
    session->stream = calloc(1, sizeof *session->stream);
    FUZZ_CHECK(session->stream);
    session->stream->watched = (struct watched){.kind = WATCHED_STREAM, .fd = pair[0]};
    session->stream->peer.ss_family = AF_INET;
}

static void set_up(struct session *session)
{
    uint8_t how = script_byte(&session->script);
    struct policy *policy = &embedded_exported.policy;
    struct tree_node *directory;

    memset(policy, 0, sizeof *policy);
    if (how & 2) {
        policy->delays[NFSPROC3_GETATTR] = (struct policy_time){1000, 1};
        policy->delays[NFSPROC3_READ] = (struct policy_time){1000, how & 4 ? 1 : 0};
    }
    if (how >= 240) {
        policy->reset_after = script_byte(&session->script) % 8 + 1;
        session->garbage = true;
    }
    /* the budget is spent soon, or never */
    embedded_exported.budget.limit = how & 8 ? 1 << 12 : 1 << 30;
    directory = tree_root(embedded_exported.tree);
    tree_resize(embedded_exported.tree, tree_lookup(directory, "written", 7), 0);
    open_stream(session, how);
}

static void step(struct session *session)
{
    uint8_t how = script_byte(&session->script);

    switch (how % 8) {
    case 0:
    case 1:
    case 2:
        add_calls(session);
        break;
    case 3:
        send_some(session, script_u16(&session->script) % 512 + 1);
        break;
    case 4:
        send_some(session, SIZE_MAX);
        break;
    case 5:
        serve(session, how & 8);
        break;
    case 6:
        read_some(session, script_u16(&session->script));
        break;
    default:
        if (how >= 192)
            add_garbage(session);
        else
            serve(session, true);
    }
}

static void finish_session(struct session *session)
{
    unsigned idle = 0;

    while (session->stream && session->open > 0 && idle < IDLE_ROUNDS) {
        session->moved = false;
        send_some(session, SIZE_MAX);
        serve(session, true);
        read_some(session, SIZE_MAX);
        idle = session->moved ? 0 : idle + 1;
    }
    FUZZ_CHECK(session->open == 0 || session->garbage);
    close(session->fd);
    if (session->stream)
        close_stream(session);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct tree_node *directory;

    if (embedded_open() != 0)
        return 1;
    embedded_renew(4 << 20);
    directory = tree_root(embedded_exported.tree);
    root = embedded_handle(directory);
    file = embedded_handle(embedded_make(directory, "file", TREE_FILE, FILE_SIZE));
    written = embedded_handle(embedded_make(directory, "written", TREE_FILE, 0));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session session = {.script = script_of(data, size)};

    set_up(&session);
    while (!script_ended(&session.script))
        step(&session);
    finish_session(&session);
    return 0;
}
