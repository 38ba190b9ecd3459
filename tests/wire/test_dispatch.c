/* The server's side of a call, message in and message out: its hand-written encoding read back by
 * rpcgen's routines, its refusals, and messages that are none. */
#include "golden.h"

#include <netinet/in.h>
#include <rpc/rpc.h>

#include "mount3.h"
#include "nfs3.h"
#include "rpc/message.h"
#include "server/dispatch.h"

enum { REQUEST_MAXIMUM = 4096 };

struct fixture {
    struct service service;
    uint64_t costs[22];
    uint8_t *reply;
    size_t length; /* of the last reply */
    struct rpc_reply_header header;
    struct wire_reader results;
};

static struct sockaddr_storage peer;

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->service.tree = tree_open(1000, 100);
    fixture->service.cost_ns = fixture->costs;
    fixture->reply = malloc(DISPATCH_REPLY_MAXIMUM);
    *(struct sockaddr_in *)&peer =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *state = fixture;
    return tree_fill_default(fixture->service.tree);
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tree_close(fixture->service.tree);
    free(fixture->reply);
    free(fixture);
    return 0;
}

static void send_bytes(struct fixture *fixture, const uint8_t *bytes, size_t length, bool stream)
{
    uint8_t *copy = exact_copy(bytes, length);

    fixture->length =
        dispatch_message(&fixture->service, copy, length, stream, &peer, fixture->reply);
    free(copy);
    fixture->results = wire_reader(fixture->reply, fixture->length);
    if (fixture->length)
        assert_int_equal(rpc_reply_decode(&fixture->results, &fixture->header), 0);
}

/* A call of PROGRAM's PROCEDURE as user UID with arguments in hexadecimal. */
static size_t make_call(uint8_t request[REQUEST_MAXIMUM], uint32_t program, uint32_t version,
                        uint32_t procedure, uint32_t uid, const char *arguments)
{
    struct wire_writer writer = wire_writer(request, REQUEST_MAXIMUM);
    struct golden words = golden(arguments);
    struct rpc_opaque_auth auth;

    rpc_auth_sys(&auth, 0, "m", uid, 50, NULL, 0);
    rpc_call_encode(&writer, &(struct rpc_call_header){.xid = 77,
                                                       .program = program,
                                                       .version = version,
                                                       .procedure = procedure,
                                                       .credential_flavor = auth.flavor,
                                                       .credential_length = auth.length,
                                                       .credential = auth.body});
    wire_put_fixed(&writer, words.bytes, words.length);
    assert_false(writer.failed);
    return (size_t)(writer.at - request);
}

static void call(struct fixture *fixture, uint32_t program, uint32_t procedure, uint32_t uid,
                 const char *arguments)
{
    uint8_t request[REQUEST_MAXIMUM];

    send_bytes(fixture, request, make_call(request, program, 3, procedure, uid, arguments), true);
    assert_int_equal(fixture->header.xid, 77);
}

/* The handle of the node at PATH below the root, as an argument in hexadecimal. */
static const char *handle(const struct fixture *fixture, const char *path)
{
    static char text[200];
    const struct tree_node *node = tree_root(fixture->service.tree);
    uint8_t bytes[64];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);

    while (*path) {
        size_t length = strcspn(path, "/");

        node = tree_lookup(node, path, length);
        path += length + (path[length] == '/');
    }
    call_put_handle(&writer, node);
    for (size_t i = 0; i < (size_t)(writer.at - bytes); i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    return text;
}

/* Arguments: the handle of PATH, then REST. */
static const char *with_handle(const struct fixture *fixture, const char *path, const char *rest)
{
    static char text[3000];

    snprintf(text, sizeof text, "%s %s", handle(fixture, path), rest);
    return text;
}

/* Decode the results with rpcgen's routine: all of them must be used up. */
static void decode(struct fixture *fixture, xdrproc_t xdr, void *result, size_t size)
{
    XDR stream;

    assert_int_equal(fixture->header.outcome, RPC_OUTCOME_SUCCESS);
    memset(result, 0, size);
    xdrmem_create(&stream, (char *)(uintptr_t)fixture->results.at,
                  (u_int)wire_left(&fixture->results), XDR_DECODE);
    assert_true(xdr(&stream, result, 0));
    assert_int_equal(xdr_getpos(&stream), wire_left(&fixture->results));
    xdr_destroy(&stream);
}

#define NFS_CALL(type, number, uid, path, rest)                                                    \
    type##3res result;                                                                             \
    call(*state, NFS_PROGRAM, number, uid, with_handle(*state, path, rest));                       \
    decode(*state, (xdrproc_t)xdr_##type##3res, &result, sizeof result)

#define FREE(type) xdr_free((xdrproc_t)xdr_##type##3res, &result)

static void test_getattr(void **state)
{
    NFS_CALL(GETATTR, 1, 0, "file", "");
    assert_int_equal(result.status, NFS3_OK);
    assert_int_equal(result.GETATTR3res_u.resok.obj_attributes.type, NF3REG);
    assert_int_equal(result.GETATTR3res_u.resok.obj_attributes.size, 1 << 20);
    assert_int_equal(result.GETATTR3res_u.resok.obj_attributes.mode, 0644);
    assert_int_equal(result.GETATTR3res_u.resok.obj_attributes.uid, 1000);
    assert_int_equal(result.GETATTR3res_u.resok.obj_attributes.gid, 100);
    assert_int_equal(result.GETATTR3res_u.resok.obj_attributes.nlink, 1);
}

static void test_lookup(void **state)
{
    NFS_CALL(LOOKUP, 3, 0, "", "00000003 'dir' 00");
    assert_int_equal(result.status, NFS3_OK);
    assert_int_equal(result.LOOKUP3res_u.resok.obj_attributes.post_op_attr_u.attributes.type,
                     NF3DIR);
    assert_true(result.LOOKUP3res_u.resok.dir_attributes.attributes_follow);
    FREE(LOOKUP);
}

static void lookup_status(void **state, const char *path, const char *name, uint32_t uid,
                          nfsstat3 status)
{
    NFS_CALL(LOOKUP, 3, uid, path, name);
    assert_int_equal(result.status, status);
    FREE(LOOKUP);
}

static void test_lookup_statuses(void **state)
{
    struct fixture *fixture = *state;
    char longest[800] = "00000100 '";

    lookup_status(state, "dir", "00000001 '.' 000000", 0, NFS3_OK);
    lookup_status(state, "dir", "00000002 '..' 0000", 0, NFS3_OK);
    lookup_status(state, "", "00000002 '..' 0000", 0, NFS3_OK);
    lookup_status(state, "", "00000004 'none'", 0, NFS3ERR_NOENT);
    lookup_status(state, "", "00000000", 0, NFS3ERR_ACCES);
    lookup_status(state, "file", "00000001 'x' 000000", 0, NFS3ERR_NOTDIR);
    memset(longest + strlen(longest), 'n', 256);
    strcat(longest, "'");
    lookup_status(state, "", longest, 0, NFS3ERR_NAMETOOLONG);
    tree_root(fixture->service.tree)->mode = 0700;
    lookup_status(state, "", "00000004 'file'", 4711, NFS3ERR_ACCES);
    lookup_status(state, "", "00000004 'file'", 0, NFS3_OK);
    tree_root(fixture->service.tree)->mode = 0755;
}

static void access_allows(void **state, const char *path, uint32_t uid, uint32_t expected)
{
    NFS_CALL(ACCESS, 4, uid, path, "0000003f");
    assert_int_equal(result.status, NFS3_OK);
    assert_int_equal(result.ACCESS3res_u.resok.access, expected);
}

static void test_access(void **state)
{
    const uint32_t change = ACCESS3_MODIFY | ACCESS3_EXTEND;

    access_allows(state, "file", 1000, ACCESS3_READ | change);
    access_allows(state, "file", 4711, ACCESS3_READ);
    access_allows(state, "file", 0, ACCESS3_READ | change);
    access_allows(state, "", 4711, ACCESS3_READ | ACCESS3_LOOKUP);
    access_allows(state, "", 1000, ACCESS3_READ | ACCESS3_LOOKUP | change | ACCESS3_DELETE);
}

static void test_readlink(void **state)
{
    NFS_CALL(READLINK, 5, 0, "link", "");
    assert_int_equal(result.status, NFS3_OK);
    assert_string_equal(result.READLINK3res_u.resok.data, "file");
    FREE(READLINK);
}

static void test_readlink_of_a_file(void **state)
{
    NFS_CALL(READLINK, 5, 0, "file", "");
    assert_int_equal(result.status, NFS3ERR_INVAL);
    assert_true(result.READLINK3res_u.resfail.symlink_attributes.attributes_follow);
}

static void read_gives(void **state, const char *rest, const char *bytes, u_int count, bool_t eof)
{
    NFS_CALL(READ, 6, 0, "file", rest);
    assert_int_equal(result.status, NFS3_OK);
    assert_int_equal(result.READ3res_u.resok.count, count);
    assert_int_equal(result.READ3res_u.resok.data.data_len, count);
    assert_int_equal(result.READ3res_u.resok.eof, eof);
    assert_memory_equal(result.READ3res_u.resok.data.data_val, bytes, strlen(bytes));
    FREE(READ);
}

static void test_read(void **state)
{
    read_gives(state, "0000000000000000 00000004", "HEEE", 4, FALSE);
    read_gives(state, "00000000000ffffe 00000010", "EO", 2, TRUE);
    read_gives(state, "00000000000ffffe 00000002", "EO", 2, TRUE);
    read_gives(state, "0000000000000000 00100000", "HEEE", 1 << 20, TRUE);
    read_gives(state, "0000000000000000 ffffffff", "HEEE", 1 << 20, TRUE);
    read_gives(state, "0000000000100000 00000001", "", 0, TRUE);
    read_gives(state, "ffffffffffffffff ffffffff", "", 0, TRUE);
    read_gives(state, "0000000000000005 00000000", "", 0, FALSE);
}

static void read_status(void **state, const char *path, uint32_t uid, nfsstat3 status)
{
    NFS_CALL(READ, 6, uid, path, "0000000000000000 00000004");
    assert_int_equal(result.status, status);
    FREE(READ);
}

static void test_read_statuses(void **state)
{
    struct fixture *fixture = *state;
    struct tree_node *file = tree_lookup(tree_root(fixture->service.tree), "file", 4);

    read_status(state, "dir", 0, NFS3ERR_ISDIR);
    read_status(state, "link", 0, NFS3ERR_INVAL);
    file->mode = 0600;
    read_status(state, "file", 4711, NFS3ERR_ACCES);
    read_status(state, "file", 1000, NFS3_OK);
    file->mode = 0644;
}

/* Over UDP a READ returns what a datagram holds. */
static void test_read_over_udp(void **state)
{
    struct fixture *fixture = *state;
    uint8_t request[REQUEST_MAXIMUM];
    READ3res result;

    send_bytes(fixture, request,
               make_call(request, NFS_PROGRAM, 3, 6, 0,
                         with_handle(fixture, "file", "0000000000000000 00010000")),
               false);
    decode(fixture, (xdrproc_t)xdr_READ3res, &result, sizeof result);
    assert_int_equal(result.READ3res_u.resok.count, 32768);
    FREE(READ);
}

/* All names, a reply of COUNT bytes at a time; each once. */
static void list_all(void **state, unsigned count, unsigned replies_at_least)
{
    struct fixture *fixture = *state;
    char seen[200] = "", rest[64];
    uint64_t cookie = 0;
    bool_t eof = FALSE;
    unsigned replies = 0;

    while (!eof) {
        READDIR3res result;

        snprintf(rest, sizeof rest, "%016llx 0000000000000000 %08x", (unsigned long long)cookie,
                 count);
        call(fixture, NFS_PROGRAM, 16, 0, with_handle(fixture, "", rest));
        assert_true(wire_left(&fixture->results) <= count);
        decode(fixture, (xdrproc_t)xdr_READDIR3res, &result, sizeof result);
        assert_int_equal(result.status, NFS3_OK);
        for (entry3 *entry = result.READDIR3res_u.resok.reply.entries; entry;
             entry = entry->nextentry) {
            strcat(strcat(seen, entry->name), " ");
            assert_true(entry->cookie > cookie);
            cookie = entry->cookie;
        }
        eof = result.READDIR3res_u.resok.reply.eof;
        replies++;
        FREE(READDIR);
    }
    assert_string_equal(seen, ". .. file file1 file2 file3 file4 file5 link dir ");
    assert_true(replies >= replies_at_least);
}

static void test_readdir(void **state)
{
    list_all(state, 8192, 1);
    list_all(state, 200, 3);
    list_all(state, 140, 9);
}

static void readdir_status(void **state, const char *path, const char *rest, nfsstat3 status)
{
    NFS_CALL(READDIR, 16, 0, path, rest);
    assert_int_equal(result.status, status);
    FREE(READDIR);
}

static void test_readdir_statuses(void **state)
{
    readdir_status(state, "file", "0000000000000000 0000000000000000 00002000", NFS3ERR_NOTDIR);
    readdir_status(state, "", "0000000000000000 0000000000000000 00000080", NFS3ERR_TOOSMALL);
    readdir_status(state, "", "0000000000000000 0000000000000000 00000000", NFS3ERR_TOOSMALL);
    readdir_status(state, "", "0000000000001000 0000000000000000 00002000", NFS3ERR_BAD_COOKIE);
    readdir_status(state, "", "0000000000000002 0000000000000001 00002000", NFS3ERR_BAD_COOKIE);
    readdir_status(state, "", "000000000000000a 0000000000000000 00002000", NFS3_OK);
}

static void test_readdirplus(void **state)
{
    unsigned count = 0;

    NFS_CALL(READDIRPLUS, 17, 0, "", "0000000000000000 0000000000000000 00001000 00002000");
    assert_int_equal(result.status, NFS3_OK);
    for (entryplus3 *entry = result.READDIRPLUS3res_u.resok.reply.entries; entry;
         entry = entry->nextentry) {
        assert_true(entry->name_attributes.attributes_follow);
        assert_int_equal(entry->name_attributes.post_op_attr_u.attributes.fileid, entry->fileid);
        assert_true(entry->name_handle.handle_follows);
        count++;
    }
    assert_int_equal(count, 10);
    assert_true(result.READDIRPLUS3res_u.resok.reply.eof);
    FREE(READDIRPLUS);
}

static void test_readdirplus_is_bounded_by_dircount(void **state)
{
    /* Names and cookies of "." and "..": 24 bytes each. */
    NFS_CALL(READDIRPLUS, 17, 0, "", "0000000000000000 0000000000000000 00000030 00002000");
    assert_non_null(result.READDIRPLUS3res_u.resok.reply.entries->nextentry);
    assert_null(result.READDIRPLUS3res_u.resok.reply.entries->nextentry->nextentry);
    assert_false(result.READDIRPLUS3res_u.resok.reply.eof);
    FREE(READDIRPLUS);
}

static void test_fsstat(void **state)
{
    NFS_CALL(FSSTAT, 18, 0, "", "");
    assert_int_equal(result.status, NFS3_OK);
    assert_true(result.FSSTAT3res_u.resok.fbytes < result.FSSTAT3res_u.resok.tbytes);
}

static void test_fsinfo(void **state)
{
    NFS_CALL(FSINFO, 19, 0, "", "");
    assert_int_equal(result.FSINFO3res_u.resok.rtmax, 1 << 20);
    assert_int_equal(result.FSINFO3res_u.resok.maxfilesize, INT64_MAX);
}

static void test_pathconf(void **state)
{
    NFS_CALL(PATHCONF, 20, 0, "file", "");
    assert_int_equal(result.PATHCONF3res_u.resok.name_max, 255);
}

static void handle_status(void **state, const char *text, nfsstat3 status)
{
    static const uint32_t procedures[] = {1, 4, 5, 18, 19, 20};

    for (size_t i = 0; i < COUNT_OF(procedures); i++) {
        char arguments[300];

        snprintf(arguments, sizeof arguments, "%s%s", text, procedures[i] == 4 ? "0000003f" : "");
        call(*state, NFS_PROGRAM, procedures[i], 0, arguments);
        assert_int_equal(wire_get_u32(&((struct fixture *)*state)->results), status);
    }
}

static void test_bad_handles(void **state)
{
    handle_status(state, "00000000", NFS3ERR_BADHANDLE);
    handle_status(state, "00000004 'what'", NFS3ERR_BADHANDLE);
    handle_status(state, "00000014 'nfsbencX' 0000000000000001 00000000", NFS3ERR_BADHANDLE);
    handle_status(state, "00000014 'nfsbench' 0000000000000001 00000000", NFS3ERR_STALE);
    handle_status(state, "00000014 'nfsbench' 00000000000000ff 00000000", NFS3ERR_STALE);
}

static void mnt_status(void **state, const char *path, mountstat3 status)
{
    struct fixture *fixture = *state;
    char arguments[300];
    mountres3 result;

    snprintf(arguments, sizeof arguments, "%08zx '%s' %.*s", strlen(path), path,
             (int)((4 - strlen(path) % 4) % 4 * 2), "000000");
    call(fixture, MOUNT_PROGRAM, 1, 0, arguments);
    decode(fixture, (xdrproc_t)xdr_mountres3, &result, sizeof result);
    assert_int_equal(result.fhs_status, status);
    if (status == MNT3_OK) {
        assert_int_equal(result.mountres3_u.mountinfo.auth_flavors.auth_flavors_len, 2);
        assert_int_equal(result.mountres3_u.mountinfo.auth_flavors.auth_flavors_val[0], 1);
    }
    xdr_free((xdrproc_t)xdr_mountres3, &result);
}

static unsigned mounts_listed(void **state)
{
    struct fixture *fixture = *state;
    mountlist list;
    unsigned count = 0;

    call(fixture, MOUNT_PROGRAM, 2, 0, "");
    decode(fixture, (xdrproc_t)xdr_mountlist, &list, sizeof list);
    for (struct mountbody *at = list; at; at = at->ml_next) {
        assert_string_equal(at->ml_hostname, "127.0.0.1");
        count++;
    }
    xdr_free((xdrproc_t)xdr_mountlist, &list);
    return count;
}

static void test_mount(void **state)
{
    exports list;

    mnt_status(state, "/export", MNT3_OK);
    mnt_status(state, "/export/", MNT3_OK);
    mnt_status(state, "/export/dir", MNT3_OK);
    mnt_status(state, "/export", MNT3_OK); /* again: listed once */
    mnt_status(state, "/export/file", MNT3ERR_NOTDIR);
    mnt_status(state, "/export/file/x", MNT3ERR_NOTDIR);
    mnt_status(state, "/export/none", MNT3ERR_NOENT);
    mnt_status(state, "/exports", MNT3ERR_NOENT);
    mnt_status(state, "", MNT3ERR_NOENT);
    mnt_status(state, "/", MNT3ERR_ACCES);
    assert_int_equal(mounts_listed(state), 3);
    call(*state, MOUNT_PROGRAM, 3, 0, "00000007 '/export' 00");
    assert_int_equal(mounts_listed(state), 2);
    call(*state, MOUNT_PROGRAM, 4, 0, "");
    assert_int_equal(mounts_listed(state), 0);
    call(*state, MOUNT_PROGRAM, 5, 0, "");
    decode(*state, (xdrproc_t)xdr_exports, &list, sizeof list);
    assert_string_equal(list->ex_dir, "/export");
    assert_null(list->ex_groups);
    xdr_free((xdrproc_t)xdr_exports, &list);
}

static void outcome_is(void **state, uint32_t program, uint32_t version, uint32_t procedure,
                       const char *arguments, enum rpc_outcome outcome)
{
    struct fixture *fixture = *state;
    uint8_t request[REQUEST_MAXIMUM];

    send_bytes(fixture, request, make_call(request, program, version, procedure, 0, arguments),
               true);
    assert_int_equal(fixture->header.outcome, outcome);
    assert_int_equal(wire_left(&fixture->results), 0);
}

static void test_refusals(void **state)
{
    struct fixture *fixture = *state;

    outcome_is(state, 100003, 3, 0, "", RPC_OUTCOME_SUCCESS);
    outcome_is(state, 100005, 3, 0, "", RPC_OUTCOME_SUCCESS);
    outcome_is(state, 100004, 3, 0, "", RPC_OUTCOME_PROG_UNAVAIL);
    outcome_is(state, 100003, 4, 0, "", RPC_OUTCOME_PROG_MISMATCH);
    assert_int_equal(fixture->header.low, 3);
    assert_int_equal(fixture->header.high, 3);
    outcome_is(state, 100005, 1, 0, "", RPC_OUTCOME_PROG_MISMATCH);
    outcome_is(state, 100003, 3, 22, "", RPC_OUTCOME_PROC_UNAVAIL);
    outcome_is(state, 100003, 3, UINT32_MAX, "", RPC_OUTCOME_PROC_UNAVAIL);
    outcome_is(state, 100005, 3, 6, "", RPC_OUTCOME_PROC_UNAVAIL);
    outcome_is(state, 100003, 3, 0, "00000000", RPC_OUTCOME_GARBAGE_ARGS);
    outcome_is(state, 100003, 3, 1, "", RPC_OUTCOME_GARBAGE_ARGS);
    outcome_is(state, 100003, 3, 1, "00000041 'longer than a handle'", RPC_OUTCOME_GARBAGE_ARGS);
}

static void test_credentials(void **state)
{
    static const char *const bad[] = {
        "00000001 00000000", /* an empty AUTH_SYS */
        "00000001 00000018 00000000 00000000 00000000 00000000 00000011 00000000", /* 17 gids */
        "00000001 00000018 00000000 00000000 00000000 00000000 00000000 00000000", /* more behind */
        "00000006 00000000",                                                       /* RPCSEC_GSS */
    };

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct fixture *fixture = *state;
        char text[300];
        struct golden message;

        snprintf(text, sizeof text,
                 "0000004d 00000000 00000002 000186a3 00000003 00000000 %s 00000000 00000000",
                 bad[i]);
        message = golden(text);
        send_bytes(fixture, message.bytes, message.length, true);
        assert_int_equal(fixture->header.outcome, RPC_OUTCOME_AUTH_ERROR);
        assert_int_equal(fixture->header.auth_status, 1);
    }
}

/* No prefix of a call is answered by anything but a refusal, or silence. */
static void test_truncated_calls(void **state)
{
    struct fixture *fixture = *state;
    uint8_t request[REQUEST_MAXIMUM];
    size_t length =
        make_call(request, NFS_PROGRAM, 3, 17, 0,
                  with_handle(fixture, "", "0000000000000000 0000000000000000 00001000 00002000"));

    for (size_t cut = 0; cut < length; cut++) {
        send_bytes(fixture, request, cut, true);
        if (fixture->length)
            assert_int_not_equal(fixture->header.outcome, RPC_OUTCOME_SUCCESS);
    }
}

static void test_other_rpc_version(void **state)
{
    struct golden message = golden("0000004d 00000000 00000003 000186a3");
    struct fixture *fixture = *state;

    send_bytes(fixture, message.bytes, message.length, true);
    assert_int_equal(fixture->header.outcome, RPC_OUTCOME_RPC_MISMATCH);
    assert_int_equal(fixture->header.low, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_getattr),
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_lookup_statuses),
        cmocka_unit_test(test_access),
        cmocka_unit_test(test_readlink),
        cmocka_unit_test(test_readlink_of_a_file),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_statuses),
        cmocka_unit_test(test_read_over_udp),
        cmocka_unit_test(test_readdir),
        cmocka_unit_test(test_readdir_statuses),
        cmocka_unit_test(test_readdirplus),
        cmocka_unit_test(test_readdirplus_is_bounded_by_dircount),
        cmocka_unit_test(test_fsstat),
        cmocka_unit_test(test_fsinfo),
        cmocka_unit_test(test_pathconf),
        cmocka_unit_test(test_bad_handles),
        cmocka_unit_test(test_mount),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_credentials),
        cmocka_unit_test(test_truncated_calls),
        cmocka_unit_test(test_other_rpc_version),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
