/* The server's NFS procedures: their hand-written encoding, decoded by rpcgen's routines, and the
 * statuses that they return. */
#include "service.h"

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
    tree_root(fixture->exported.tree)->mode = 0700;
    lookup_status(state, "", "00000004 'file'", 4711, NFS3ERR_ACCES);
    lookup_status(state, "", "00000004 'file'", 0, NFS3_OK);
    tree_root(fixture->exported.tree)->mode = 0755;
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

static void read_status(void **state, const char *path, uint32_t uid, nfsstat3 status)
{
    NFS_CALL(READ, 6, uid, path, "0000000000000000 00000004");
    assert_int_equal(result.status, status);
    FREE(READ);
}

/* ACCESS follows the mode bits for the owner, too; READ nevertheless allows the owner. */
static void test_owner_of_a_closed_file(void **state)
{
    struct fixture *fixture = *state;
    struct tree_node *file = tree_lookup(tree_root(fixture->exported.tree), "file", 4);

    file->mode = 0;
    access_allows(state, "file", 1000, 0);
    read_status(state, "file", 1000, NFS3_OK);
    read_status(state, "file", 4711, NFS3ERR_ACCES);
    file->mode = 0400;
    access_allows(state, "file", 1000, ACCESS3_READ);
    file->mode = 0644;
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

static void test_read_statuses(void **state)
{
    struct fixture *fixture = *state;
    struct tree_node *file = tree_lookup(tree_root(fixture->exported.tree), "file", 4);

    read_status(state, "dir", 0, NFS3ERR_ISDIR);
    read_status(state, "link", 0, NFS3ERR_INVAL);
    file->mode = 0600;
    read_status(state, "file", 4711, NFS3ERR_ACCES);
    read_status(state, "file", 1000, NFS3_OK);
    file->mode = 0644;
}

/* Over UDP a READ returns as much as a datagram holds. */
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

/* All names, in replies of COUNT bytes; each once. */
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
    handle_status(state, "00000014 'nfsX' 0000000000000001 0000000000000000", NFS3ERR_BADHANDLE);
    handle_status(state, "00000014 'nfsb' 0000000000000001 0000000000000000", NFS3ERR_STALE);
    handle_status(state, "00000014 'nfsb' 00000000000000ff 0000000000000000", NFS3ERR_STALE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_getattr),
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_lookup_statuses),
        cmocka_unit_test(test_access),
        cmocka_unit_test(test_owner_of_a_closed_file),
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
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
