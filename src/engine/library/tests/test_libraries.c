/* Replies with one wrong word, or cut short, to calls that a library makes and decodes. In each
 * case engine_run() must return 0, or an error with a message, and the process must not crash. */
#include "golden.h"
#include "listener.h"

#include <signal.h>

#include "engine/engines.h"
#include "nfs/call.h"
#include "rpc/message.h"

#define OK "00000000"
#define FATTR                                                                                      \
    "00000001 000001a4 00000001 00000002 00000003 0000000000000005 0000000000001000"               \
    "00000000 00000000 0000000000000009 000000000000000a"                                          \
    "00000001 00000002 00000003 00000004 00000005 00000006"
#define POST_OP  "00000001" FATTR
#define NO_POST  "00000000"
#define HANDLE   "00000008 'handle01'"
#define VERIFIER "0000000000000000"
#define ENTRY    "00000001 0000000000000007 00000003 'abc' 00 0000000000000009"
#define LIST_END "00000000 00000001"
#define HEADER   "00000001 00000000 00000000 00000000 00000000" /* reply header after the xid */

static const struct {
    const char *op, *result;
} replies[] = {
    {"null", ""},
    /* This reply must have index 1: in its header, try_op() also breaks the RPC verifier. */
    {"getattr", OK FATTR},
    {"lookup", OK HANDLE NO_POST NO_POST},
    {"lookup-absent", OK HANDLE NO_POST NO_POST},
    {"access", OK NO_POST "0000001f"},
    {"readlink", OK NO_POST "00000005 'where' 000000"},
    {"read", OK NO_POST "00000005 00000001 00000005 'hello' 000000"},
    {"readdir", OK NO_POST VERIFIER ENTRY ENTRY LIST_END},
    {"readdirplus",
     OK NO_POST VERIFIER ENTRY POST_OP "00000001" HANDLE ENTRY NO_POST "00000000" LIST_END},
    {"fsinfo", OK NO_POST "00000001 00000002 00000003 00000004 00000005 00000006 00000007"
                          "0000000000000008 00000000 00000001 0000001b"},
    {"write", OK "00000000 00000000 00000005 00000000" VERIFIER},
    {"create", OK "00000001" HANDLE NO_POST "00000000 00000000"},
    {"create-existing", OK "00000001" HANDLE NO_POST "00000000 00000000"},
    {"mount-mnt", OK HANDLE "00000002 00000001 0005f373"},
    {"mount-dump", "00000001 00000004 'host' 00000003 '/to' 00 00000000"},
    {"mount-export", "00000001 00000003 '/to' 00 00000001 00000004 'host' 00000000 00000000"},
};

/* Lengths, counts and discriminants: small ones, and some that overflow, point back into the
 * message, or are too big. */
static const uint32_t words[] = {0,          1,          2,          3,          0x200,
                                 0x400,      0x10000,    0x3fffffff, 0x40000001, 0x7fffffff,
                                 0x80000000, 0x80000001, 0xc0000000, 0xe0000000, 0xffffff00,
                                 0xffffffe0, 0xfffffff0, 0xfffffff8, 0xfffffffc, 0xffffffff};

/* Offsets in a reply of the verifier and of the result. Only GETATTR tries wrong verifiers. */
enum { VERIFIER_AT = 12, HEADER_LENGTH = 24 };
/* Timeouts for a good reply on a busy machine, and for a reply that may never be complete. */
enum { GOOD_NS = 1000 * 1000 * 1000, WRONG_NS = 10 * 1000 * 1000 };

static struct listener far;
static struct golden reply; /* reply of the server, which writes the call's xid into it */
static atomic_uint reply_length;
static uint8_t hello[] = "hello";
static struct error error;

static void serve_replies(int fd)
{
    uint8_t call[1024], record[RPC_RECORD_MARK_SIZE + GOLDEN_MAXIMUM];

    while (!atomic_load(&far.over)) {
        size_t length = atomic_load(&reply_length);

        if (!listener_is_readable(fd))
            continue;
        if (recv(fd, call, sizeof call, 0) <= 0)
            break;
        wire_store_u32(record, RPC_LAST_FRAGMENT | (uint32_t)length);
        memcpy(record + RPC_RECORD_MARK_SIZE, reply.bytes, length);
        memcpy(record + RPC_RECORD_MARK_SIZE, call + RPC_RECORD_MARK_SIZE, 4);
        send(fd, record, RPC_RECORD_MARK_SIZE + length, MSG_NOSIGNAL);
    }
}

static int call_once(struct engine *engine, const struct nfs_call *call)
{
    uint64_t ticks[1];
    struct block block = {.ticks = ticks, .count = 1};
    struct engine_tally tally = {.failed = 0};
    int code;

    error.text[0] = '\0';
    code = engine_run(engine, &call->engine, &block, &tally, &error);
    assert_true(code <= 0 && block.recorded + tally.failed <= 1);
    if (code)
        assert_true(error.text[0] != '\0');
    return code;
}

/* Try REPLY with each word from offset FROM on replaced by each of WORDS. Then try REPLY cut at
 * each offset from FROM on. */
static void try_words(struct engine *engine, const struct nfs_call *call, size_t from)
{
    const struct golden good = reply;

    for (size_t at = from; at < good.length; at += 4)
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            reply = good;
            wire_store_u32(reply.bytes + at, words[i]);
            call_once(engine, call);
        }
    reply = good;
    for (size_t length = from; length < good.length; length++) {
        atomic_store(&reply_length, (unsigned)length);
        call_once(engine, call);
    }
}

static void try_op(const struct engine_type *type, size_t index, const struct nfs_objects *objects,
                   const struct identity *identity)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(replies[index].op);
    struct clock clock;
    struct engine_config config = {
        .endpoint = far.endpoint,
        .channel = {.timeout_ns = GOOD_NS, .reply_maximum = RPC_REPLY_USUAL},
        .clock = &clock,
        .load = {.clients = 1, .connections = 1, .depth = 1, .threads = 1}};
    struct engine *engine;
    struct nfs_call call;
    char text[GOLDEN_MAXIMUM];

    assert_int_equal(clock_open(&clock, "monotonic", &error), 0);
    snprintf(text, sizeof text, "00000000" HEADER "%s", replies[index].result);
    reply = golden(text);
    atomic_store(&reply_length, (unsigned)reply.length);
    assert_int_equal(nfs_call_make(&call, procedure, objects, identity, 1, &error), 0);
    call.engine.result = &call.result;
    assert_int_equal(engine_open(&engine, type, &config, &error), 0);
    assert_int_equal(call_once(engine, &call), 0);
    engine_close(engine);
    config.channel.timeout_ns = WRONG_NS;
    assert_int_equal(engine_open(&engine, type, &config, &error), 0);
    try_words(engine, &call, index == 1 ? VERIFIER_AT : HEADER_LENGTH);
    engine_close(engine);
    nfs_call_free(&call);
}

static void try_engine(const char *name)
{
    const struct engine_type *type = engine_find(name);
    const struct identity identity = {.flavor = RPC_FLAVOR_NONE};
    const struct nfs_objects objects = {
        .root = {8, "handle01"},
        .directory = {8, "handle02"},
        .file = {8, "handle03"},
        .symlink = {8, "handle04"},
        .scratch = {8, "handle05"},
        .scratch_file = {8, "handle06"},
        .export = "/to",
        .name = "name",
        .write = {.count = 5, .data = hello},
        .read = {.count = 8, .expected = 5, .data = hello},
    };

    if (!type)
        return;
    /* Like the program, ignore SIGPIPE, because libtirpc writes to closed connections. */
    signal(SIGPIPE, SIG_IGN);
    listener_open(&far, TRANSPORT_TCP, 8);
    listener_serve(&far, serve_replies);
    for (size_t i = 0; i < COUNT_OF(replies); i++)
        try_op(type, i, &objects, &identity);
    listener_close(&far);
}

TEST_CASE(libnfs)
{
    try_engine("libnfs");
}

TEST_CASE(tirpc)
{
    try_engine("tirpc");
}
