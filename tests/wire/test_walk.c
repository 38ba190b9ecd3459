/* Lists from READDIR and READDIRPLUS: valid ones, and ones that would keep a client busy for ever,
 * or overflow its stack. The server is a thread of this test, which follows a script. */

#include "listener.h"
#include "nfs/client.h"
#include "rpc/message.h"
#include "rpc/record.h"

enum {
    ENTRIES = 250,
    FLOOD = 60000,
    LIMIT = 1000,
    BUFFER = 4 * 1024 * 1024,
    CALL_MAXIMUM = 4096,
    PATIENCE_MS = 20000,
};

struct script {
    uint64_t entries; /* 0: endless */
    uint64_t in_a_reply;
    uint64_t (*cookie)(uint64_t number); /* of an entry; they are numbered from 1 */
    bool dots;                           /* each is called "." */
};

static uint64_t own_cookie(uint64_t number)
{
    return number;
}

static uint64_t same_cookie(uint64_t number)
{
    (void)number;
    return 7;
}

/* Returns to the beginning. */
static uint64_t circling_cookie(uint64_t number)
{
    return number % ENTRIES;
}

static uint64_t twins_cookie(uint64_t number)
{
    return number == 3 ? 2 : number;
}

static const struct script good = {ENTRIES, 20, own_cookie, false};
static const struct script empty = {0, 0, own_cookie, false};
static const struct script stands_still = {0, 20, same_cookie, false};
static const struct script circle = {0, 25, circling_cookie, false};
static const struct script endless = {0, 20, own_cookie, false};
static const struct script endless_dots = {0, 20, own_cookie, true};
static const struct script flood = {FLOOD, FLOOD, own_cookie, false};
static const struct script twins = {10, 10, twins_cookie, false};

/* The server */

static struct listener far;
static const struct script *far_script;

static uint8_t reply[BUFFER];

static void put_entry(struct wire_writer *writer, uint64_t number, bool plus)
{
    char name[32];

    snprintf(name, sizeof name, "entry-%llu", (unsigned long long)number);
    wire_put_u32(writer, 1);
    wire_put_u64(writer, number);
    wire_put_opaque(writer, far_script->dots ? "." : name, far_script->dots ? 1 : strlen(name));
    wire_put_u64(writer, far_script->cookie(number));
    if (plus) {
        wire_put_u32(writer, 0); /* no attributes */
        wire_put_u32(writer, 0); /* no handle */
    }
}

static void put_result(struct wire_writer *writer, uint64_t from, bool plus)
{
    uint64_t left = far_script->entries ? far_script->entries - from : UINT64_MAX;
    uint64_t count = left < far_script->in_a_reply ? left : far_script->in_a_reply;

    wire_put_u32(writer, NFS3_OK);
    wire_put_u32(writer, 0); /* no attributes */
    wire_put_u64(writer, 0); /* the verifier */
    for (uint64_t i = 1; i <= count; i++)
        put_entry(writer, from + i, plus);
    wire_put_u32(writer, 0);
    wire_put_u32(writer, count == left);
}

static void answer(int fd, struct wire_reader call)
{
    struct wire_writer writer = wire_writer(reply, sizeof reply);
    struct rpc_call_header header;
    uint32_t length;
    size_t left, sent = 0;

    if (rpc_call_decode(&call, &header) != 0)
        return;
    wire_get_opaque(&call, NFS3_FHSIZE, &length);
    wire_reserve(&writer, RPC_RECORD_MARK_SIZE);
    rpc_reply_encode(&writer, &(struct rpc_reply_header){.xid = header.xid});
    put_result(&writer, wire_get_u64(&call), header.procedure == NFSPROC3_READDIRPLUS);
    left = (size_t)(writer.at - reply);
    wire_store_u32(reply, RPC_LAST_FRAGMENT | (uint32_t)(left - RPC_RECORD_MARK_SIZE));
    while (sent < left) {
        ssize_t took = send(fd, reply + sent, left - sent, MSG_NOSIGNAL);

        if (took <= 0)
            return;
        sent += (size_t)took;
    }
}

/* The client sends each call as one record in one send(). */
static void serve(int fd)
{
    uint8_t call[CALL_MAXIMUM];

    while (!atomic_load(&far.over)) {
        ssize_t got;

        if (!listener_is_readable(fd))
            continue;
        got = recv(fd, call, sizeof call, 0);
        if (got <= RPC_RECORD_MARK_SIZE)
            return;
        answer(fd, wire_reader(call + RPC_RECORD_MARK_SIZE, (size_t)got - RPC_RECORD_MARK_SIZE));
    }
}

/* The client */

static struct rpc_client *client;
static struct error error;
static const struct nfs_handle directory = {4, "dir_"};

static void begin(const struct script *script)
{
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    const struct channel_options options = {.timeout_ns = PATIENCE_MS * UINT64_C(1000000),
                                            .reply_maximum = BUFFER};

    far_script = script;
    listener_open(&far, TRANSPORT_TCP, 8);
    listener_serve(&far, serve);
    assert_int_equal(rpc_client_open(&client, &far.endpoint, &nobody, &options, &error), 0);
}

static void end(void)
{
    rpc_client_close(client);
    listener_close(&far);
}

static int walk(bool plus, uint64_t *entries)
{
    return nfs_walk(client, &directory, "/dir", plus, 4096, LIMIT, entries, &error);
}

TEST_CASE(good_lists)
{
    for (int plus = 0; plus < 2; plus++) {
        uint64_t entries;

        begin(&good);
        assert_all((walk(plus, &entries), 0), (entries, ENTRIES));
        end();
    }
}

/* The error must contain WORDS. */
static void check_refused(const struct script *script, const char *words)
{
    for (int plus = 0; plus < 2; plus++) {
        uint64_t entries;

        begin(script);
        assert_all((walk(plus, &entries), -EBADMSG), (error.kind, ERROR_FAILED));
        if (!strstr(error.text, words))
            fail_msg("no '%s' in '%s'", words, error.text);
        end();
    }
}

TEST_CASE(lists_that_do_not_end)
{
    check_refused(&stands_still, "makes no progress");
    check_refused(&circle, "twice");
    check_refused(&endless, "does not end: more than 1000 entries");
    check_refused(&endless_dots, "does not end: more than 1000 entries");
}

TEST_CASE(lists_that_are_wrong)
{
    check_refused(&twins, "two entries one cookie, 2");
    check_refused(&flood, "more than any");
}

static int count_entry(void *context, const char *name)
{
    (void)name;
    ++*(unsigned *)context;
    return 0;
}

static int list(const struct script *script, unsigned *count)
{
    int code;

    begin(script);
    *count = 0;
    code = nfs_list(client, &directory, "/dir", LIMIT, count_entry, count, &error);
    end();
    return code;
}

TEST_CASE(searches)
{
    unsigned count;

    assert_all((list(&good, &count), 0), (count, ENTRIES));
    assert_int_equal(list(&empty, &count), 0); /* "more", without any entry */
    assert_all((count, 0), (list(&endless, &count), 0), (count, LIMIT),
               (list(&stands_still, &count), -EBADMSG), (strstr(error.text, "makes no progress")));
}
