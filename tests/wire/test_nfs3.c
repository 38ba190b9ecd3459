/* The protocol files: what rpcgen generates from them, compared with bytes written by hand from RFC
 * 1813. All arguments, and the results that nfsbench reads, are encoded, compared, decoded and
 * encoded again. */
#include "golden.h"

#include <rpc/rpc.h>

#include "mount3.h"
#include "nfs3.h"

#define HANDLE "00000004 'fh_1'"
#define NAME   "00000003 'abc' 00"
#define FATTR                                                                                      \
    "00000001 000001a4 00000001 00000002 00000003 0000000000000005 0000000000001000"               \
    "00000006 00000007 0000000000000008 0000000000000009"                                          \
    "0000000a 0000000b 0000000c 0000000d 0000000e 0000000f"
#define WCC    "00000001 0000000000000005 0000000c 0000000d 0000000e 0000000f 00000001" FATTR
#define NO_WCC "00000000 00000000"
/* mode 0640, no uid, gid 9, no size, atime by the server's clock, mtime 1.000000002 */
#define SATTR                                                                                      \
    "00000001 000001a0 00000000 00000001 00000009 00000000 00000001"                               \
    "00000002 00000001 00000002"

static char handle_bytes[] = "fh_1", name_bytes[] = "abc", path_bytes[] = "/to";

#define FH                                                                                         \
    {                                                                                              \
        {                                                                                          \
            4, handle_bytes                                                                        \
        }                                                                                          \
    }
#define WHERE                                                                                      \
    {                                                                                              \
        FH, name_bytes                                                                             \
    }

static const fattr3 fattr = {NF3REG, 0644, 1, 2,        3,        5,       4096,
                             {6, 7}, 8,    9, {10, 11}, {12, 13}, {14, 15}};

#define POST                                                                                       \
    {                                                                                              \
        .attributes_follow = TRUE, .post_op_attr_u.attributes = fattr                              \
    }
#define WCC_DATA                                                                                   \
    {                                                                                              \
        .before = {.attributes_follow = TRUE,                                                      \
                   .pre_op_attr_u.attributes = {5, {12, 13}, {14, 15}}},                           \
        .after = POST                                                                              \
    }
#define SATTR_DATA                                                                                 \
    {                                                                                              \
        .mode = {TRUE, {0640}}, .gid = {TRUE, {9}}, .atime = {.set_it = SET_TO_SERVER_TIME},       \
        .mtime = {                                                                                 \
            SET_TO_CLIENT_TIME,                                                                    \
            {{1, 2}}                                                                               \
        }                                                                                          \
    }

static size_t encode(xdrproc_t xdr, void *item, uint8_t bytes[GOLDEN_MAXIMUM])
{
    size_t length;
    XDR stream;

    xdrmem_create(&stream, (char *)bytes, GOLDEN_MAXIMUM, XDR_ENCODE);
    assert_true(xdr(&stream, item, 0));
    length = xdr_getpos(&stream);
    xdr_destroy(&stream);
    return length;
}

static void check(xdrproc_t xdr, void *item, size_t size, const char *text)
{
    struct golden message = golden(text);
    uint8_t bytes[GOLDEN_MAXIMUM];
    void *decoded = calloc(1, size);
    XDR stream;

    assert_non_null(decoded);
    assert_golden(bytes, encode(xdr, item, bytes), text);
    xdrmem_create(&stream, (char *)message.bytes, (u_int)message.length, XDR_DECODE);
    assert_true(xdr(&stream, decoded, 0));
    assert_int_equal(xdr_getpos(&stream), message.length);
    xdr_destroy(&stream);
    assert_golden(bytes, encode(xdr, decoded, bytes), text);
    xdr_free(xdr, decoded);
    free(decoded);
}

#define CHECK(type, text, ...)                                                                     \
    do {                                                                                           \
        type item = __VA_ARGS__;                                                                   \
        check((xdrproc_t)xdr_##type, &item, sizeof item, text);                                    \
    } while (0)

TEST_CASE(arguments)
{
    CHECK(GETATTR3args, HANDLE, {FH});
    CHECK(SETATTR3args, HANDLE SATTR "00000001 0000000e 0000000f",
          {.object = FH, .new_attributes = SATTR_DATA, .guard = {TRUE, {{14, 15}}}});
    CHECK(LOOKUP3args, HANDLE NAME, {WHERE});
    CHECK(ACCESS3args, HANDLE "0000003f", {FH, 0x3f});
    CHECK(READLINK3args, HANDLE, {FH});
    CHECK(READ3args, HANDLE "0000000100000002 00001000", {FH, 0x100000002, 4096});
    CHECK(WRITE3args, HANDLE "0000000000000010 00000003 00000002 00000003 'abc' 00",
          {FH, 16, 3, FILE_SYNC, {3, name_bytes}});
    CHECK(CREATE3args, HANDLE NAME "00000001" SATTR,
          {WHERE, {GUARDED, {.obj_attributes = SATTR_DATA}}});
    CHECK(CREATE3args, HANDLE NAME "00000002 'verifier'",
          {WHERE, {EXCLUSIVE, {.verf = {'v', 'e', 'r', 'i', 'f', 'i', 'e', 'r'}}}});
    CHECK(MKDIR3args, HANDLE NAME SATTR, {WHERE, SATTR_DATA});
    CHECK(SYMLINK3args, HANDLE NAME SATTR "00000003 '/to' 00", {WHERE, {SATTR_DATA, path_bytes}});
    CHECK(MKNOD3args, HANDLE NAME "00000004" SATTR "00000001 00000003",
          {WHERE, {NF3CHR, {.device = {SATTR_DATA, {1, 3}}}}});
    CHECK(MKNOD3args, HANDLE NAME "00000007" SATTR,
          {WHERE, {NF3FIFO, {.pipe_attributes = SATTR_DATA}}});
    CHECK(REMOVE3args, HANDLE NAME, {WHERE});
    CHECK(RMDIR3args, HANDLE NAME, {WHERE});
    CHECK(RENAME3args, HANDLE NAME HANDLE NAME, {WHERE, WHERE});
    CHECK(LINK3args, HANDLE HANDLE NAME, {FH, WHERE});
    CHECK(READDIR3args, HANDLE "0000000000000007 'verifier' 00002000",
          {FH, 7, {'v', 'e', 'r', 'i', 'f', 'i', 'e', 'r'}, 8192});
    CHECK(READDIRPLUS3args, HANDLE "0000000000000000 0000000000000000 00000200 00002000",
          {FH, 0, {0}, 512, 8192});
    CHECK(FSSTAT3args, HANDLE, {FH});
    CHECK(FSINFO3args, HANDLE, {FH});
    CHECK(PATHCONF3args, HANDLE, {FH});
    CHECK(COMMIT3args, HANDLE "0000000000000000 00000000", {FH, 0, 0});
}

TEST_CASE(attributes_and_data)
{
    CHECK(GETATTR3res, "00000000" FATTR, {NFS3_OK, {{fattr}}});
    CHECK(GETATTR3res, "00000046", {NFS3ERR_STALE, {{{0}}}});
    CHECK(SETATTR3res, "00000000" WCC, {NFS3_OK, {{WCC_DATA}}});
    CHECK(SETATTR3res, "00002712" NO_WCC, {.status = NFS3ERR_NOT_SYNC});
    CHECK(ACCESS3res, "00000000 00000001" FATTR "0000001f", {NFS3_OK, {{POST, 0x1f}}});
    CHECK(READLINK3res, "00000000 00000000 00000003 '/to' 00", {NFS3_OK, {{{0}, path_bytes}}});
    CHECK(READ3res, "00000000 00000001" FATTR "00000003 00000001 00000003 'abc' 00",
          {NFS3_OK, {{POST, 3, TRUE, {3, name_bytes}}}});
    CHECK(WRITE3res, "00000000" WCC "00000003 00000002 'verifier'",
          {NFS3_OK, {{WCC_DATA, 3, FILE_SYNC, {'v', 'e', 'r', 'i', 'f', 'i', 'e', 'r'}}}});
    CHECK(COMMIT3res, "00000000" WCC "'verifier'",
          {NFS3_OK, {{WCC_DATA, {'v', 'e', 'r', 'i', 'f', 'i', 'e', 'r'}}}});
}

TEST_CASE(names_and_directories)
{
    entry3 entries[2] = {{7, name_bytes, 1, &entries[1]}, {8, name_bytes, 2, NULL}};
    entryplus3 plus = {7, name_bytes, 1, POST, {TRUE, {FH}}, NULL};

    CHECK(LOOKUP3res, "00000000" HANDLE "00000001" FATTR "00000000", {NFS3_OK, {{FH, POST, {0}}}});
    CHECK(LOOKUP3res, "00000002 00000001" FATTR, {NFS3ERR_NOENT, {.resfail = {POST}}});
    CHECK(CREATE3res, "00000000 00000001" HANDLE "00000001" FATTR WCC,
          {NFS3_OK, {{{TRUE, {FH}}, POST, WCC_DATA}}});
    CHECK(REMOVE3res, "00000042" WCC, {NFS3ERR_NOTEMPTY, {.resfail = {WCC_DATA}}});
    CHECK(RENAME3res, "00000000" WCC NO_WCC, {NFS3_OK, {{.fromdir_wcc = WCC_DATA}}});
    CHECK(LINK3res, "00000000 00000001" FATTR WCC, {NFS3_OK, {{POST, WCC_DATA}}});
    CHECK(READDIR3res,
          "00000000 00000000 0000000000000000"
          "00000001 0000000000000007" NAME "0000000000000001"
          "00000001 0000000000000008" NAME "0000000000000002 00000000 00000001",
          {NFS3_OK, {{{0}, {0}, {entries, TRUE}}}});
    CHECK(READDIRPLUS3res,
          "00000000 00000000 0000000000000000"
          "00000001 0000000000000007" NAME "0000000000000001 00000001" FATTR "00000001" HANDLE
          "00000000 00000000",
          {NFS3_OK, {{{0}, {0}, {&plus, FALSE}}}});
}

TEST_CASE(file_system)
{
    CHECK(FSSTAT3res,
          "00000000 00000000 0000000000000001 0000000000000002 0000000000000003"
          "0000000000000004 0000000000000005 0000000000000006 00000007",
          {NFS3_OK, {{{0}, 1, 2, 3, 4, 5, 6, 7}}});
    CHECK(FSINFO3res,
          "00000000 00000000 00000001 00000002 00000003 00000004 00000005 00000006 00000007"
          "7fffffffffffffff 00000000 00000001 0000001b",
          {NFS3_OK,
           {{{0},
             1,
             2,
             3,
             4,
             5,
             6,
             7,
             INT64_MAX,
             {0, 1},
             FSF3_LINK | FSF3_SYMLINK | FSF3_HOMOGENEOUS | FSF3_CANSETTIME}}});
    CHECK(PATHCONF3res, "00000000 00000000 00007d00 000000ff 00000001 00000001 00000000 00000001",
          {NFS3_OK, {{{0}, 32000, 255, TRUE, TRUE, FALSE, TRUE}}});
}

TEST_CASE(mount)
{
    int flavors[] = {1, 390003};
    struct mountbody second = {name_bytes, path_bytes, NULL};
    struct mountbody first = {name_bytes, path_bytes, &second};
    struct groupnode group = {name_bytes, NULL};
    struct exportnode node = {path_bytes, &group, NULL};
    dirpath path = path_bytes;
    mountlist mounts = &first;
    exports list = &node;

    check((xdrproc_t)xdr_dirpath, &path, sizeof path, "00000003 '/to' 00");
    CHECK(mountres3, "00000000" HANDLE "00000002 00000001 0005f373",
          {MNT3_OK, {{{4, handle_bytes}, {2, flavors}}}});
    CHECK(mountres3, "0000000d", {.fhs_status = MNT3ERR_ACCES});
    check((xdrproc_t)xdr_mountlist, &mounts, sizeof mounts,
          "00000001" NAME "00000003 '/to' 00 00000001" NAME "00000003 '/to' 00 00000000");
    check((xdrproc_t)xdr_exports, &list, sizeof list,
          "00000001 00000003 '/to' 00 00000001" NAME "00000000 00000000");
}

/* Numbers that no message above contains. */
TEST_CASE(constants)
{
    assert_int_equal(NFS_PROGRAM, 100003);
    assert_int_equal(NFS_V3, 3);
    assert_int_equal(MOUNT_PROGRAM, 100005);
    assert_int_equal(MOUNT_V3, 3);
    assert_int_equal(NFSPROC3_NULL, 0);
    assert_int_equal(NFSPROC3_WRITE, 7);
    assert_int_equal(NFSPROC3_COMMIT, 21);
    assert_int_equal(MOUNTPROC3_MNT, 1);
    assert_int_equal(MOUNTPROC3_EXPORT, 5);
    assert_int_equal(NFS3ERR_JUKEBOX, 10008);
    assert_int_equal(NFS3ERR_BADHANDLE, 10001);
    assert_int_equal(NFS3ERR_DQUOT, 69);
    assert_int_equal(NFS3ERR_REMOTE, 71);
    assert_int_equal(MNT3ERR_SERVERFAULT, 10006);
    assert_int_equal(NFS3_FHSIZE, 64);
}
