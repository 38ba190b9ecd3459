/* Odd, broken or hostile answers of port mappers, mount daemons and servers to single calls. The
 * server has a list of replies, and each call gets the next reply. Or it has a script, from which
 * it makes directories' lists of entries. The fuzz targets have a complete server. */
#include "golden.h"

#include <netinet/in.h>
#include <rpc/rpc.h>
#include <sys/socket.h>

#include <rpc/pmap_prot.h>

#include "common/address.h"
#include "nfs/call.h"
#include "nfs/change.h"
#include "nfs/client.h"
#include "nfs/objects/lease.h"
#include "nfs/procedures/procedures.h"
#include "target/mount.h"

/* Beginnings of replies, after the xid (RFC 5531 section 9), and beginnings or parts of results. */
#define ACCEPTED      "00000001 00000000 00000000 00000000 00000000"
#define PROG_UNAVAIL  "00000001 00000000 00000000 00000000 00000001"
#define PROG_MISMATCH "00000001 00000000 00000000 00000000 00000002 00000004 00000004"
#define PROC_UNAVAIL  "00000001 00000000 00000000 00000000 00000003"
#define SYSTEM_ERR    "00000001 00000000 00000000 00000000 00000005"
#define TOO_WEAK      "00000001 00000001 00000001 00000005"
#define OK            ACCEPTED "00000000"
#define NO_ATTRIBUTES "00000000"
#define HANDLE        "00000004 'fh_1'"
/* A regular file or directory with permissions 0700 and fileid 7. Its times are 1 s. NANOSECONDS
 * are added to the time of last access. MODIFIED is the time of last modification (mtime). */
#define FATTR_AT(type, nanoseconds, modified)                                                      \
    type "000001c0 00000001 00000000 00000000 0000000000000005 0000000000000005"                   \
         "00000000 00000000 0000000000000001 0000000000000007"                                     \
         "00000001" nanoseconds modified "00000001 00000000"
#define FATTR_OF(type, nanoseconds) FATTR_AT(type, nanoseconds, "00000001 00000000")
#define FATTR                       FATTR_OF("00000001", "00000000")

/* ENTRY: an entry with cookie 9. BEGIN: the beginning of a reply. MORE: the end of a reply if more
 * entries follow in another reply. END: the end of the last reply. */
#define ENTRY "00000001 0000000000000007 00000003 'abc' 00 0000000000000009"
#define BEGIN OK NO_ATTRIBUTES "'verifier'"
#define MORE  "00000000 00000000"
#define END   "00000000 00000001"

enum { REPLIES = 8, REPLY_ROOM = 100000, REPLY_MAXIMUM = 90000 };

/* Lists that the server makes up. An entry's cookie is its number, with the exceptions below. */
struct script {
    /* ENTRIES: number of entries in the list; 0: endless. IN_A_REPLY: entries in each reply. */
    uint64_t entries, in_a_reply;
    /* MODULUS: cookies are taken modulo this number. TWIN: the entry of this number has the cookie
     * of entry TWIN - 2. 0: no exception. */
    uint64_t modulus, twin;
    bool dots; /* each entry has the name "." */
};

static struct {
    const char *replies[REPLIES];
    size_t asked;                /* number of replies sent */
    uint32_t xid;                /* xid of the last call */
    size_t more;                 /* number of zero bytes after each reply */
    const char *record;          /* bytes of a record with its mark, sent instead of a reply */
    const struct script *script; /* lists that replace replies to READDIR and READDIRPLUS */
    uint64_t cookie;             /* cookie in the last request for a list */
    bool plus;
} server;

static struct error error;

int __wrap_endpoint_connect(const struct endpoint *endpoint, int *fd, struct error *why);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);

int __wrap_endpoint_connect(const struct endpoint *endpoint, int *fd, struct error *why)
{
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return *fd < 0 ? -errno : 0;
}

/* Time of a clock that advances only when the client sleeps. */
static uint64_t now_ns;

static uint64_t clock_of_sleeps(void)
{
    return now_ns;
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
    now_ns += (uint64_t)wanted->tv_sec * 1000000000 + (uint64_t)wanted->tv_nsec;
    return 0;
}

static ssize_t take_call(void *context, unsigned number, int fd, struct msghdr *message, int flags)
{
    const struct iovec *part = message->msg_iov;
    struct wire_reader reader = wire_reader(part->iov_base, part->iov_len);

    struct rpc_call_header header;
    uint32_t length;

    wire_get_u32(&reader); /* the record mark */
    assert_int_equal(rpc_call_decode(&reader, &header), 0);
    server.xid = header.xid;
    server.plus = header.procedure == NFSPROC3_READDIRPLUS;
    wire_get_opaque(&reader, NFS3_FHSIZE, &length);
    server.cookie = wire_get_u64(&reader);
    return (ssize_t)part->iov_len;
}

static void put_list(struct wire_writer *writer, const struct script *script)
{
    uint64_t left = script->entries ? script->entries - server.cookie : UINT64_MAX;
    uint64_t count = left < script->in_a_reply ? left : script->in_a_reply;

    for (uint64_t i = 1; i <= count; i++) {
        uint64_t number = server.cookie + i;
        char name[32];

        snprintf(name, sizeof name, "entry-%llu", (unsigned long long)number);
        wire_put_u32(writer, 1);
        wire_put_u64(writer, number);
        wire_put_opaque(writer, script->dots ? "." : name, script->dots ? 1 : strlen(name));
        wire_put_u64(writer, script->modulus ? number % script->modulus
                                             : number - (number == script->twin ? 2 : 0));
        if (server.plus)
            wire_put_u64(writer, 0); /* neither attributes nor a handle */
    }
    wire_put_u32(writer, 0);
    wire_put_u32(writer, count == left);
}

/* Give the next reply. If there is none, the connection is closed. */
static ssize_t give_reply(void *context, unsigned number, int fd, void *bytes, size_t room,
                          int flags)
{
    static uint8_t reply[REPLY_ROOM];
    const char *text = server.record            ? server.record
                       : server.script          ? BEGIN
                       : server.asked < REPLIES ? server.replies[server.asked]
                                                : NULL;
    struct wire_writer writer = wire_writer(reply, sizeof reply);
    struct golden words = golden(text ? text : "");
    size_t length;

    if (!text)
        return 0;
    server.asked++;
    if (!server.record) {
        wire_put_u32(&writer, 0); /* room for the record mark */
        wire_put_u32(&writer, server.xid);
    }
    wire_put_fixed(&writer, words.bytes, words.length);
    if (server.script)
        put_list(&writer, server.script);
    memset(wire_reserve(&writer, server.more), 0, server.more);
    assert_false(writer.failed);
    length = (size_t)(writer.at - reply);
    if (!server.record)
        wire_store_u32(reply, RPC_LAST_FRAGMENT | (uint32_t)(length - RPC_RECORD_MARK_SIZE));
    length = room < length ? room : length;
    memcpy(bytes, reply, length);
    return (ssize_t)length;
}

static void begin_watch(void *context, unsigned number, int fd, size_t sent, size_t received)
{
}

static struct channel_options options_of(struct channel_trailing *trailing)
{
    static const struct load_watch watch = {
        .connected = begin_watch, .send = take_call, .receive = give_reply};

    return (struct channel_options){.timeout_ns = 100000000,
                                    .reply_maximum = REPLY_MAXIMUM,
                                    .trailing = trailing,
                                    .watch = &watch};
}

static void answer(const char *first, const char *second, const char *third)
{
    memset(&server, 0, sizeof server);
    error.text[0] = '\0';
    server.replies[0] = first;
    server.replies[1] = second;
    server.replies[2] = third;
}

/* Check that CODE, the return value of case I, is EXPECTED, and that the error has WORDS. */
static void assert_outcome(size_t i, int code, int expected, const char *words)
{
    if (code != expected || !strstr(error.text, words))
        fail_msg("%zu: %d, '%s'", i, code, error.text);
}

static struct endpoint host(void)
{
    struct endpoint endpoint = {.transport = TRANSPORT_TCP};

    *(struct sockaddr_in *)&endpoint.address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return endpoint;
}

static struct rpc_client *open_client(struct channel_trailing *trailing)
{
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    const struct channel_options options = options_of(trailing);
    const struct endpoint endpoint = host();
    struct rpc_client *client;

    assert_int_equal(rpc_client_open(&client, &endpoint, &nobody, &options, &error), 0);
    return client;
}

static struct rpc_client *client; /* opened by CLIENT_TEST, or by the test itself */

FIXTURE(begin, deadline_clock = clock_of_sleeps, (client = open_client(NULL)) == NULL)

FIXTURE(end, rpc_client_close(client), 0)

#define CLIENT_TEST(name) TEST_CASE_WITH(name, begin, end)

/* A server that is not ready is asked every tenth of a second, until the deadline. */
CLIENT_TEST(jukebox_ends_at_the_deadline)
{
    static const char jukebox[] = ACCEPTED "00002718";
    const struct deadline soon = deadline_within(NULL, 250 * 1000 * 1000);
    struct nfs_node node = {.handle.length = 4};

    channel_set_deadline(rpc_client_channel(client), &soon);
    answer(jukebox, jukebox, jukebox);
    assert_all((nfs_getattr(client, &node, "/file", &error), -EIO), (server.asked, 3),
               (strstr(error.text, "NFS3ERR_JUKEBOX") != NULL));
    assert_int_equal(deadline_left_ns(&soon), 0);
}

TEST_CASE(portmap_lookup)
{
    static const struct {
        const char *replies[3];
        int code;
        uint16_t port;
    } cases[] = {
        {{ACCEPTED "0000000d '127.0.0.1.8.1' 000000"}, 0, 2049},
        {{PROG_MISMATCH, ACCEPTED "00000007 '::1.8.1' 00"}, 0, 2049},
        {{PROG_MISMATCH, PROG_UNAVAIL, ACCEPTED "00000801"}, 0, 2049},
        {{ACCEPTED "00000000"}, -ENOENT, 0},
        {{ACCEPTED "0000000e '127.0.0.1.1.21' 0000"}, 0, 21 + 256},
        {{ACCEPTED "0000000c '127.0.0.1.21'"}, -ENOENT, 0}, /* half a port */
        {{ACCEPTED "00000014 '127.0.0.1.0.111 ; id'"}, -ENOENT, 0},
        {{ACCEPTED "00000007 '1.256.1' 00"}, -ENOENT, 0},
        {{ACCEPTED "00000006 '1.-1.1' 0000"}, -ENOENT, 0},
        {{ACCEPTED "00000003 '...' 00"}, -ENOENT, 0},
        {{ACCEPTED "00000004 'port'"}, -ENOENT, 0},
        {{ACCEPTED "00000101 'longer than any address'"}, -EBADMSG, 0},
        {{ACCEPTED "fffffffc '1.1'"}, -EBADMSG, 0},
        {{PROG_MISMATCH, PROG_MISMATCH, ACCEPTED "0001006f"}, -ENOENT, 0}, /* port 65536 + 111 */
        {{PROG_MISMATCH, PROG_MISMATCH, ACCEPTED "ffffffff"}, -ENOENT, 0},
        {{PROG_MISMATCH, PROG_MISMATCH, PROG_MISMATCH}, -EPROTONOSUPPORT, 0},
        {{TOO_WEAK}, -EACCES, 0},
        {{SYSTEM_ERR}, -EPROTO, 0},
    };
    const struct channel_options options = options_of(NULL);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct endpoint service = host();
        int code;

        answer(cases[i].replies[0], cases[i].replies[1], cases[i].replies[2]);
        code = portmap_lookup(&service, 100003, 3, "NFS", &options, &error);
        if (code != cases[i].code || address_port(&service.address) != cases[i].port)
            fail_msg("%zu: %d, port %u: %s", i, code, address_port(&service.address),
                     code ? error.text : "");
    }
}

struct registrations {
    struct portmap_entry entries[8];
    size_t count;
};

static void take_registration(void *context, const struct portmap_entry *entry)
{
    struct registrations *registrations = context;

    registrations->entries[registrations->count++] = *entry;
}

/* Registrations over other transports are left out. An impossible port becomes 0. */
TEST_CASE(portmap_dump)
{
    const struct channel_options options = options_of(NULL);
    const struct endpoint endpoint = host();
    struct registrations found = {.count = 0};

    answer(ACCEPTED "00000001 000186a3 00000003 00000003 'tcp' 00 0000000d '127.0.0.1.8.1' 000000"
                    "00000001 'x'",
           NULL, NULL);
    assert_all((portmap_dump(&endpoint, &options, take_registration, &found, &error), -EBADMSG),
               (found.count, 0));
    answer(PROG_MISMATCH,
           ACCEPTED "00000001 000186a3 00000003 00000003 'tcp' 00 0000000d '127.0.0.1.8.1' 000000"
                    "00000000"
                    "00000001 000186a3 00000003 00000004 'tcp6' 00000000 00000000"
                    "00000001 000186a5 00000003 00000003 'udp' 00 00000000 00000000 00000000",
           NULL);
    assert_all((portmap_dump(&endpoint, &options, take_registration, &found, &error), 0),
               (found.count, 2), (found.entries[0].port, 2049),
               (found.entries[1].transport, TRANSPORT_UDP), (found.entries[1].port, 0));
    found.count = 0;
    answer(PROG_MISMATCH, PROG_UNAVAIL,
           ACCEPTED "00000001 000186a3 00000003 00000006 00000801"
                    "00000001 000186a3 00000003 00000011 00010801"
                    "00000001 000186a3 00000003 00000084 00000801 00000000"); /* SCTP */
    assert_all((portmap_dump(&endpoint, &options, take_registration, &found, &error), 0),
               (found.count, 2), (found.entries[0].port, 2049),
               (found.entries[0].transport, TRANSPORT_TCP),
               (found.entries[1].transport, TRANSPORT_UDP), (found.entries[1].port, 0));
    answer(TOO_WEAK, NULL, NULL);
    assert_int_equal(portmap_dump(&endpoint, &options, take_registration, &found, &error), -EACCES);
}

static int call_null(void)
{
    char nothing[1];

    return rpc_client_call(client, &nfs_procedure_find("null")->rpc, nothing, nothing, &error);
}

CLIENT_TEST(replies)
{
    static const struct {
        const char *reply;
        int code;
        const char *text;
    } cases[] = {
        {ACCEPTED, 0, ""},
        {"00000000 00000002", -EBADMSG, "is not an RPC reply"}, /* a call, not a reply */
        {"00000001 00000002", -EBADMSG, "is not an RPC reply"}, /* neither accepted nor denied */
        {"00000001 00000000 00000006 00000191", -EBADMSG, "is not an RPC reply"}, /* 401 bytes */
        {"00000001 00000000 00000000 00000000 00000006", -EBADMSG, "is not an RPC reply"},
        {"00000001 00000001 00000002 00000000", -EBADMSG, "is not an RPC reply"},
        {"00000001", -EBADMSG, "is not an RPC reply"},
        {PROC_UNAVAIL, -EPROTONOSUPPORT, "RPC_PROCUNAVAIL"},
        {PROG_MISMATCH, -EPROTONOSUPPORT, "it offers versions 4 to 4"},
        {"00000001 00000001 00000000 00000002 00000002", -EPROTO, "RPC_VERSMISMATCH"},
        {"00000001 00000001 00000001 7fffffff", -EACCES, "an unknown auth_stat"},
        {SYSTEM_ERR, -EPROTO, "RPC_SYSTEMERROR"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        answer(cases[i].reply, NULL, NULL);
        assert_outcome(i, call_null(), cases[i].code, cases[i].text);
    }
}

TEST_CASE(trailing_bytes)
{
    struct channel_trailing trailing = {.replies = 0};

    client = open_client(&trailing);
    answer(ACCEPTED "00000000", ACCEPTED "00000000", ACCEPTED "00000000");
    assert_all((call_null(), 0), (call_null(), 0), (trailing.replies, 2),
               (trailing.procedure, "NULL"));
    trailing.refused = true;
    assert_int_equal(call_null(), -EMSGSIZE);
    assert_non_null(strstr(error.text, "4 bytes follow the result of NULL, which --strict"));
    answer(ACCEPTED, NULL, NULL);
    server.more = RPC_REPLY_USUAL;
    assert_all((call_null(), -EBADMSG),
               (strstr(error.text, "more than an RPC reply can have (65536)")));
    rpc_client_close(client);
}

#define EMPTY_FRAGMENTS "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"

TEST_CASE(records)
{
    static const char *const records[] = {"ffffffff 00000000", "80100000 00000000",
                                          "7fffffff 00000000",
                                          /* more empty fragments than the limit of a record */
                                          EMPTY_FRAGMENTS EMPTY_FRAGMENTS};

    client = open_client(NULL);
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        answer(NULL, NULL, NULL);
        server.record = records[i];
        assert_int_equal(call_null(), -EMSGSIZE);
        assert_non_null(strstr(error.text, "sent a record longer than any reply to this call"));
        rpc_client_close(client);
        client = open_client(NULL);
    }
    rpc_client_close(client);
}

static const struct nfs_handle directory = {4, "fh_d"};

CLIENT_TEST(lookup)
{
    static const struct {
        const char *replies[2];
        int code;
        const char *text;
    } cases[] = {
        {{OK HANDLE NO_ATTRIBUTES NO_ATTRIBUTES, OK FATTR}, 0, ""},
        {{OK HANDLE NO_ATTRIBUTES NO_ATTRIBUTES, OK FATTR_OF("00000008", "ffffffff")}, 0, ""},
        {{OK "00000000" NO_ATTRIBUTES NO_ATTRIBUTES}, -EBADMSG, "returned an empty file handle"},
        {{OK "00000041 'fh_1'"}, -EBADMSG, "RPC_CANTDECODERES"},
        {{OK "ffffffff 'fh_1'"}, -EBADMSG, "RPC_CANTDECODERES"},
        {{OK HANDLE "00000002"}, -EBADMSG, "RPC_CANTDECODERES"}, /* a boolean of 2 */
        {{ACCEPTED "80000000" NO_ATTRIBUTES}, -EBADMSG, "which RFC 1813 does not define"},
        {{ACCEPTED "00001267" NO_ATTRIBUTES}, -EIO, "nfsstat3 4711"},
        {{ACCEPTED "00000002" NO_ATTRIBUTES}, -ENOENT, "NFS3ERR_NOENT"},
        {{ACCEPTED "00000011" NO_ATTRIBUTES}, -EEXIST, "NFS3ERR_EXIST"},
        {{ACCEPTED "00000014" NO_ATTRIBUTES}, -ENOTDIR, "NFS3ERR_NOTDIR"},
        {{ACCEPTED "00000015" NO_ATTRIBUTES}, -EISDIR, "NFS3ERR_ISDIR"},
        {{ACCEPTED "0000001e" NO_ATTRIBUTES}, -EROFS, "NFS3ERR_ROFS"},
        {{ACCEPTED "00000042" NO_ATTRIBUTES}, -ENOTEMPTY, "NFS3ERR_NOTEMPTY"},
        {{ACCEPTED "00000046" NO_ATTRIBUTES}, -ESTALE, "NFS3ERR_STALE"},
        {{ACCEPTED "0000000d" NO_ATTRIBUTES}, -EIO, "this user has no permission"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct nfs_node node;

        answer(cases[i].replies[0], cases[i].replies[1], NULL);
        assert_outcome(i, nfs_lookup(client, &directory, "name", "/to", &node, &error),
                       cases[i].code, cases[i].text);
    }
}

CLIENT_TEST(long_name)
{
    struct nfs_node node;
    char name[NFS3_NAME_MAXIMUM + 2] = {0};

    memset(name, 'n', sizeof name - 1);
    answer(OK HANDLE NO_ATTRIBUTES NO_ATTRIBUTES, OK FATTR, NULL);
    assert_all((nfs_lookup(client, &directory, name, "/to", &node, &error), -EINVAL),
               (strstr(error.text, "the arguments of LOOKUP can't be encoded")), (server.asked, 0));
}

CLIENT_TEST(jukebox)
{
    struct nfs_node node = {.handle = directory};

    answer(ACCEPTED "00002718", ACCEPTED "00002718", OK FATTR);
    assert_all((nfs_getattr(client, &node, "/to", &error), 0), (node.id, 7));
    answer(ACCEPTED "00002718 00000000 00000000", NULL, NULL);
    assert_int_equal(nfs_remove_once(client, "remove", &directory, "/to", "name", &error), -EAGAIN);
    assert_int_equal(server.asked, 1);
}

CLIENT_TEST(data)
{
    const uint8_t bytes[] = "abcd";
    struct nfs_read_data read;

    answer(OK NO_ATTRIBUTES "00000004 00000001 00000004 'abcd'", NULL, NULL);
    assert_all((nfs_read(client, &directory, 0, 4, "/to/f", &read, &error), 0), (read.count, 4),
               (read.ended, true));
    assert_memory_equal(read.bytes, "abcd", 4);
    free(read.bytes);
    answer(OK NO_ATTRIBUTES "00000005 00000001 00000005 'abcde' 000000", NULL, NULL);
    assert_int_equal(nfs_read(client, &directory, 0, 4, "/to/f", &read, &error), -EBADMSG);
    assert_non_null(strstr(error.text, "READ of 4 bytes of /to/f: the server sent 5"));
    answer(OK NO_ATTRIBUTES "ffffffff 00000001 ffffffff 'abcde' 000000", NULL, NULL);
    assert_int_equal(nfs_read(client, &directory, 0, 4, "/to/f", &read, &error), -EBADMSG);

    answer(OK "00000000 00000000 00000003 00000000 'verifier'",
           OK "00000000 00000000 00000001 00000000 'verifier'", NULL);
    assert_all((nfs_write(client, &directory, "/to/f", 0, bytes, 4, &error), 0), (server.asked, 2));
    answer(OK "00000000 00000000 00000000 00000000 'verifier'", NULL, NULL);
    assert_int_equal(nfs_write(client, &directory, "/to/f", 0, bytes, 4, &error), -EBADMSG);
    answer(OK "00000000 00000000 00000005 00000000 'verifier'", NULL, NULL);
    assert_int_equal(nfs_write(client, &directory, "/to/f", 0, bytes, 4, &error), -EBADMSG);
    assert_non_null(strstr(error.text, "the server says that it wrote 5"));
}

static int count_name(void *context, const char *name)
{
    assert_string_equal(name, "abc");
    ++*(unsigned *)context;
    return 0;
}

CLIENT_TEST(listings)
{
    static const struct {
        const char *replies[2];
        int code;
        unsigned count;
    } cases[] = {
        {{BEGIN ENTRY END}, 0, 1},
        {{BEGIN ENTRY MORE, BEGIN ENTRY END}, 0, 2},
        {{BEGIN ENTRY MORE, BEGIN ENTRY MORE}, -EBADMSG, 2}, /* the same cookie: no progress */
        {{BEGIN MORE}, 0, 0}, /* no entry, but not the end: accepted */
        {{BEGIN "00000001 0000000000000007 00000100 'a name of 256 bytes, it says'"}, -EBADMSG, 0},
        {{BEGIN "00000001 0000000000000007 ffffffff 'a'"}, -EBADMSG, 0},
        {{BEGIN ENTRY "00000002"}, -EBADMSG, 0}, /* neither entry nor end */
        {{BEGIN ENTRY}, -EBADMSG, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        unsigned count = 0;
        int code;

        answer(cases[i].replies[0], cases[i].replies[1], NULL);
        code = nfs_list(client, &directory, "/to", 100, count_name, &count, &error);
        if (code != cases[i].code || count != cases[i].count)
            fail_msg("%zu: %d, %u names: %s", i, code, count, error.text);
    }
}

static int count_any(void *context, const char *name)
{
    ++*(unsigned *)context;
    return 0;
}

/* nfs_walk() counts each entry once, and refuses lists that are too long, never end, or repeat
 * names or cookies. nfs_list() ends without an error after LIMIT entries. */
TEST_CASE(walks)
{
    enum { ENTRIES = 250, LIMIT = 1000, FLOOD = 1850 };
    static const struct {
        struct script script;
        const char *words;
    } cases[] = {
        {{ENTRIES, 20}, NULL},
        {{.in_a_reply = 20, .modulus = 1}, "makes no progress"},
        {{.in_a_reply = 25, .modulus = ENTRIES}, "twice"},
        {{LIMIT + 1, 20}, "does not end: more than 1000 entries"},
        {{.in_a_reply = 20}, "does not end: more than 1000 entries"},
        {{.in_a_reply = 20, .dots = true}, "does not end: more than 1000 entries"},
        {{10, 10, .twin = 5}, "two entries with the same cookie, 3"},
        {{FLOOD, FLOOD}, "more than an"},
    };
    uint64_t entries;
    unsigned count = 0;

    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        const char *words = cases[i / 2].words;
        int code;

        client = open_client(NULL);
        answer(NULL, NULL, NULL);
        server.script = &cases[i / 2].script;
        code = nfs_walk(client, &directory, "/to", i % 2, 4096, LIMIT, &entries, &error);
        if (words ? code != -EBADMSG || error.kind != ERROR_FAILED || !strstr(error.text, words)
                  : code || entries != ENTRIES)
            fail_msg("%zu: %d, %s", i, code, code ? error.text : "");
        rpc_client_close(client);
    }
    client = open_client(NULL);
    server.script = &cases[0].script;
    assert_all((nfs_list(client, &directory, "/to", LIMIT, count_any, &count, &error), 0),
               (count, ENTRIES));
    count = 0;
    server.script = &cases[4].script; /* the endless list */
    assert_all((nfs_list(client, &directory, "/to", LIMIT, count_any, &count, &error), 0),
               (count, LIMIT));
    rpc_client_close(client);
}

/* Ages are never negative. If the server returns an invalid time, nfs_lease_age() fails. A lease of
 * another format is not read. A server that says that it wrote 0 bytes makes nfs_lease_write()
 * fail.
 */
CLIENT_TEST(lease)
{
#define CHANGED(seconds, nanoseconds) OK FATTR_AT("00000001", "00000000", seconds nanoseconds)
    static const struct {
        const char *before, *now;
        int code;
        uint64_t seconds;
    } ages[] = {
        {CHANGED("00000005", "3b9ac9ff"), CHANGED("00000105", "00000000"), 0, 256},
        {CHANGED("00000005", "00000000"), CHANGED("00000005", "00000000"), 0, 0},
        {CHANGED("00000005", "00000000"), CHANGED("00000001", "00000000"), 0, 0},
        {CHANGED("00000000", "00000000"), NULL, 0, UINT64_MAX},
        {CHANGED("00000005", "3b9aca00"), CHANGED("00000005", "00000000"), -EBADMSG, 0},
        {CHANGED("00000005", "00000000"), CHANGED("00000005", "3b9aca00"), -EBADMSG, 0},
    };
    struct nfs_node node = {.handle = directory, .id = 7};
    struct nfs_lease lease;
    struct nfs_handle file;

    for (size_t i = 0; i < COUNT_OF(ages); i++) {
        uint32_t renewed;
        uint64_t seconds;

        answer(ages[i].before, OK "00000000 00000000", ages[i].now);
        server.replies[3] = OK "00000000 00000000";
        assert_int_equal(nfs_lease_age(client, &directory, "/to", &renewed, &seconds, &error),
                         ages[i].code);
        assert_true(ages[i].code ? strstr(error.text, "the age of the lease is not known") != NULL
                                 : seconds == ages[i].seconds);
    }
    answer(OK HANDLE NO_ATTRIBUTES NO_ATTRIBUTES, OK FATTR,
           OK NO_ATTRIBUTES "00000005 00000001 00000005 'hello' 000000");
    assert_int_equal(nfs_lease_read(client, &node, "/to", "name", &lease, &file, &error), -EBADMSG);
    assert_non_null(strstr(error.text, "was not written by nfsbench for this directory"));
    answer(OK "00000001" HANDLE NO_ATTRIBUTES "00000000 00000000",
           OK "00000000 00000000 00000001 00000002 'verifier'",
           OK "00000000 00000000 00000000 00000002 'verifier'");
    nfs_lease_begin(&lease, &node, "name");
    assert_int_equal(nfs_lease_write(client, &directory, "/to", &lease, &file, &error), -EBADMSG);
    assert_non_null(strstr(error.text, "the server says that it wrote 0"));
}

/* The first call of an op: some statuses are results, and some errors end the run. */
CLIENT_TEST(first_call)
{
    static const struct {
        const char *replies[3];
        bool strict;
        int code, status;
        const char *text;
    } cases[] = {
        {{OK FATTR}, true, 0, 0, ""},
        {{ACCEPTED "00000005"}, true, 0, NFS3ERR_IO, ""},
        {{PROC_UNAVAIL}, true, 0, -(int)RPC_OUTCOME_PROC_UNAVAIL, ""},
        {{TOO_WEAK}, true, 0, -(int)RPC_OUTCOME_AUTH_ERROR, ""},
        {{SYSTEM_ERR}, true, 0, -(int)RPC_OUTCOME_SYSTEM_ERR, ""},
        {{ACCEPTED "00002718", ACCEPTED "00002718", OK FATTR}, true, 0, 0, ""},
        {{OK "00000001"}, true, -EBADMSG, -EBADMSG, "the result of GETATTR can't be decoded"},
        {{ACCEPTED "ffffffff"}, true, -EBADMSG, -EBADMSG, "RPC_CANTDECODERES"},
        {{OK FATTR "00000000"}, true, -EMSGSIZE, 0, "4 bytes follow the result of GETATTR"},
        {{OK FATTR "00000000"}, false, 0, 0, ""},
    };
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    const struct nfs_objects objects = {.directory = directory};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct nfs_call call;
        int code, status;

        assert_int_equal(
            nfs_call_make(&call, nfs_procedure_find("getattr"), &objects, &nobody, 1, &error), 0);
        call.engine.strict = cases[i].strict;
        answer(cases[i].replies[0], cases[i].replies[1], cases[i].replies[2]);
        code = nfs_call_try(&call, client, &status, &error);
        if (code != cases[i].code || status != cases[i].status ||
            !strstr(error.text, cases[i].text))
            fail_msg("%zu: %d, status %d, '%s'", i, code, status, error.text);
        if (code == 0 && status == 0)
            assert_int_equal(call.trailing, cases[i].strict ? 0 : 4);
        nfs_call_free(&call);
    }
}

TEST_CASE(mount)
{
    static const struct {
        const char *replies[3];
        int code;
        const char *text;
    } cases[] = {
        {{OK HANDLE "00000001 00000001"}, 0, ""},
        {{OK HANDLE "00000000"}, 0, ""},
        {{OK "00000000 00000000"}, -EBADMSG, "MNT of /to returned an empty handle"},
        {{OK "00000041 'fh_1' 00000000"}, -EBADMSG, "RPC_CANTDECODERES"},
        {{OK HANDLE "40000000 00000001"}, -EBADMSG, "RPC_CANTDECODERES"},
        {{OK HANDLE "00000002 0005f373 00000063"},
         -EPROTONOSUPPORT,
         "/to accepts krb5, flavor 99, not AUTH_SYS"},
        {{ACCEPTED "00000002", ACCEPTED "00000002"}, -ENOENT, "MNT3ERR_NOENT"},
        {{ACCEPTED "0000000d", ACCEPTED "00000002"}, -EACCES, "source port below 1024"},
        {{ACCEPTED "ffffffff", ACCEPTED "00000002"}, -EIO, "mountstat3 4294967295"},
        {{PROG_MISMATCH, PROG_MISMATCH, ACCEPTED},
         -EPROTONOSUPPORT,
         "has NFS version 4, but not version 3"},
        {{PROG_MISMATCH, ACCEPTED}, -EPROTONOSUPPORT, "RPC_PROGVERSMISMATCH"},
    };
    const struct mount_options options = {.identity = {.flavor = RPC_FLAVOR_SYS},
                                          .channel = options_of(NULL)};
    const struct target target = {
        .host = "127.0.0.1", .path = "/to", .nfs_port = 2049, .mount_port = 2048};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct mount mount;

        answer(cases[i].replies[0], cases[i].replies[1], cases[i].replies[2]);
        assert_outcome(i, mount_export(&mount, &target, &options, &error), cases[i].code,
                       cases[i].text);
    }
}
