/* The arguments of calls, and the check of replies: each procedure's valid result, truncated at
 * every byte, with extra bytes, and broken in specific ways. The bytes are written by hand. */
#include "golden.h"

#include <limits.h>

#include "engine/engine.h"
#include "nfs/call.h"
#include "nfs/status.h"

static struct error error;

#define OK    "00000000"
#define FATTR /* REG 0644, 1 link, uid 2, gid 3, 5 bytes, 4096 used, no device, */                 \
    "00000001 000001a4 00000001 00000002 00000003 0000000000000005 0000000000001000"               \
    "00000000 00000000 0000000000000009 000000000000000a" /* fsid 9, fileid 10, times */           \
    "00000001 00000002 00000003 00000004 00000005 00000006"
#define POST_OP  "00000001" FATTR
#define NO_POST  "00000000"
#define HANDLE   "00000008 'handle01'"
#define VERIFIER "0000000000000000"
#define ENTRY    "00000001 0000000000000007 00000003 'abc' 00 0000000000000009"
#define LIST_END "00000000 00000001"
#define WCC                                                                                        \
    "00000001 0000000000000005 00000001 00000002 00000003 00000004" POST_OP /* before, after */
#define NO_WCC "00000000 00000000"
#define MADE   "00000001" HANDLE POST_OP WCC
#define WVERF  "0123456789abcdef"

struct result {
    const char *op, *bytes;
    int status;
};

static const struct result results[] = {
    {"null", "", 0},
    {"getattr", OK FATTR, 0},
    {"getattr", "00000046", NFS3ERR_STALE},
    {"lookup", OK HANDLE POST_OP POST_OP, 0},
    {"lookup", OK HANDLE NO_POST NO_POST, 0},
    {"access", OK POST_OP "0000001f", 0},
    {"readlink", OK NO_POST "00000005 'where' 000000", 0},
    {"readlink", OK NO_POST "00000000", 0},
    {"read", OK POST_OP "00000005 00000001 00000005 'hello' 000000", 0},
    {"readdir", OK POST_OP VERIFIER LIST_END, 0},
    {"readdir", OK NO_POST VERIFIER ENTRY ENTRY LIST_END, 0},
    {"readdirplus",
     OK POST_OP VERIFIER ENTRY POST_OP "00000001" HANDLE ENTRY NO_POST "00000000" LIST_END, 0},
    {"fsstat",
     OK POST_OP "0000000000000001 0000000000000002 0000000000000003"
                "0000000000000004 0000000000000005 0000000000000006 00000007",
     0},
    {"fsinfo",
     OK POST_OP "00000001 00000002 00000003 00000004 00000005 00000006 00000007"
                "0000000000000008 00000000 00000001 0000001b",
     0},
    {"pathconf", OK POST_OP "00007d00 000000ff 00000001 00000001 00000000 00000001", 0},
    {"setattr", OK WCC, 0},
    {"write", OK WCC "00000005 00000000" WVERF, 0},
    {"write", OK NO_WCC "00000005 00000002" WVERF, 0},
    {"write-data-sync", OK WCC "00000005 00000001" WVERF, 0},
    {"write-file-sync", OK WCC "00000005 00000002" WVERF, 0},
    {"commit", OK WCC WVERF, 0},
    {"create", OK MADE, 0},
    {"create-guarded", OK "00000000" NO_POST NO_WCC, 0},
    {"create-exclusive", OK MADE, 0},
    {"mkdir", OK MADE, 0},
    {"symlink", OK MADE, 0},
    {"mknod", OK MADE, 0},
    {"link", OK POST_OP WCC, 0},
    {"remove", OK WCC, 0},
    {"rmdir", OK NO_WCC, 0},
    {"rename", OK WCC WCC, 0},
    {"lookup-absent", "00000002" POST_OP, 0},
    {"lookup-absent", OK HANDLE NO_POST NO_POST, NFS_NOT_REFUSED},
    {"lookup-absent", "0000000d", NFS3ERR_ACCES},
    {"create-existing", "00000011" WCC, 0},
    {"mkdir-existing", "00000011" WCC, 0},
    {"symlink-existing", "00000011" NO_WCC, 0},
    {"link-existing", "00000011" POST_OP WCC, 0},
    {"remove-absent", "00000002" WCC, 0},
    {"rmdir-absent", "00000002" WCC, 0},
    {"rename-absent", "00000002" WCC WCC, 0},
    {"mount-null", "", 0},
    {"mount-mnt", OK HANDLE "00000002 00000001 0005f373", 0},
    {"mount-mnt", OK HANDLE "00000000", 0},
    {"mount-mnt", "0000000d", NFS_MOUNT_STATUS + MNT3ERR_ACCES},
    {"mount-dump", "00000001 00000004 'host' 00000003 '/to' 00 00000000", 0},
    {"mount-umnt", "", 0},
    {"mount-export", "00000001 00000003 '/to' 00 00000001 00000004 'host' 00000000 00000000", 0},
    {"portmap-null", "", 0},
    {"acl-null", "", 0},
    {"getacl", OK POST_OP "0000000f 00000001 00000001 00000001 000003e8 00000006 00000000 00000000",
     0},
    {"getacl", OK NO_POST "00000002 00000003 00000000 00000000 00000000", 0},
    {"setacl", OK POST_OP, 0},
};

static const struct result broken[] = {
    {"lookup", OK "00000000" NO_POST NO_POST, 0},            /* an empty handle */
    {"lookup", OK "00000041 'handle01'" NO_POST NO_POST, 0}, /* a handle of 65 bytes */
    {"lookup-absent", OK "00000041 'handle01'" NO_POST NO_POST, 0},
    {"lookup", OK HANDLE "00000002" NO_POST, 0},           /* a boolean of 2 */
    {"readlink", OK NO_POST "fffffffc 'where' 000000", 0}, /* longer than the message */
    {"readlink", OK NO_POST "ffffffff 'where' 000000", 0},
    {"read", OK NO_POST "00000004 00000001 00000005 'hello' 000000", 0}, /* counts differ */
    {"read", OK NO_POST "00000005 00000001 00000004 'hell'", 0},
    {"read", OK NO_POST "00000009 00000001 00000009 'hello wor' 000000",
     0}, /* more than requested */
    {"read", OK NO_POST "ffffffff 00000001 ffffffff 'hello' 000000", 0},
    {"readdir", OK NO_POST VERIFIER ENTRY "00000002", 0}, /* neither entry nor end */
    {"readdirplus", OK NO_POST VERIFIER ENTRY NO_POST "00000001 00000000" LIST_END, 0},
    {"getattr", "ffffffff", 0},                           /* no nfsstat3 */
    {"write", OK WCC "00000006 00000000" WVERF, 0},       /* counts more bytes than were sent */
    {"write", OK WCC "00000005 00000003" WVERF, 0},       /* no stable_how */
    {"create", OK "00000001 00000000" NO_POST NO_WCC, 0}, /* an empty handle */
    {"mount-mnt", OK "00000000 00000000", 0},             /* an empty handle */
    {"mount-mnt", OK HANDLE "7fffffff", 0},               /* more flavors than bytes */
    /* so many flavors that their length in bytes, 2^32 + 4, overflows to 4 */
    {"mount-mnt", OK HANDLE "40000001 00000001", 0},
    {"mount-dump", "00000001 00000100 'host'", 0}, /* a name of 256 bytes */
    {"getacl", OK NO_POST "0000000f 00000001 00000002 00000001 00000000 00000006",
     0},                                                                      /* truncated */
    {"getacl", OK NO_POST "0000000f 00000001 00000401 00000000 00000000", 0}, /* 1025 entries */
};

static uint8_t hello[] = "hello";

/* A file of five bytes, READ with a count of eight. */
static const struct nfs_objects objects = {
    .root = {8, "handle01"},
    .directory = {8, "handle02"},
    .file = {8, "handle03"},
    .symlink = {8, "handle04"},
    .has_file = true,
    .file_size = 5,
    .file_id = 10,
    .write = {.count = 5, .expected = 5},
    .has_symlink = true,
    .name = "name",
    .read = {.offset = 0, .count = 8, .expected = 5, .data = hello},
};

/* Check the result in a reply to OP on the objects ABOUT. Returns what the check returns, and sets
 * *LEFT to the number of bytes that were not read. */
static int check_all(const char *op, const uint8_t *bytes, size_t length,
                     const struct nfs_objects *about, size_t *left)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(op);
    struct nfs_call call = {
        .procedure = procedure, .granted = nfs_procedure_succeeding(procedure), .objects = about};
    uint8_t *copy = exact_copy(bytes, length);
    struct wire_reader reader = wire_reader(copy, length);
    int status = nfs_call_check(&call, &reader);

    *left = wire_left(&reader);
    free(copy);
    return status;
}

static int check(const char *op, const char *text, const struct nfs_objects *about)
{
    struct golden message = golden(text);
    size_t left;

    return check_all(op, message.bytes, message.length, about, &left);
}

/* A complete result has its status. A truncated result is refused, whatever byte it ends at. Bytes
 * that follow a successful result are left. */
TEST_CASE(good_results)
{
    for (size_t i = 0; i < COUNT_OF(results); i++) {
        struct golden message = golden(results[i].bytes);

        for (size_t length = 0; length <= message.length + 4; length++) {
            size_t left, more = length > message.length ? length - message.length : 0;
            int status = check_all(results[i].op, message.bytes, length, &objects, &left);

            if (status != (length < message.length ? -EBADMSG : results[i].status) ||
                (status == 0 && left != more))
                fail_msg("%s (%zu) of %zu bytes: %d, %zu left", results[i].op, i, length, status,
                         left);
        }
    }
}

/* Replies with trailing bytes are counted, or refused if the call is strict. A truncated reply is
 * always refused. */
TEST_CASE(trailing_bytes)
{
    struct nfs_call call = {.procedure = nfs_procedure_find("getattr"), .objects = &objects};
    struct engine_call lenient = {.check = nfs_call_check, .context = &call};
    struct engine_call strict = {.check = nfs_call_check, .context = &call, .strict = true};
    struct golden good = golden("00000001 00000001 00000000 00000000 00000000 00000000" OK FATTR);
    struct engine_tally tally = {.trailing = 0};

    assert_all(
        (engine_check_reply(&strict, good.bytes, good.length, &tally), 0),
        (engine_check_reply(&lenient, good.bytes, good.length, &tally), 0), (tally.trailing, 0),
        (engine_check_reply(&strict, good.bytes, good.length + 4, &tally), -EBADMSG),
        (tally.trailing, 0), (engine_check_reply(&lenient, good.bytes, good.length + 4, &tally), 0),
        (engine_check_reply(&lenient, good.bytes, good.length + 1, NULL), 0), (tally.trailing, 1),
        (engine_check_reply(&lenient, good.bytes, good.length - 4, &tally), -EBADMSG),
        (tally.trailing, 1));
}

TEST_CASE(broken_results)
{
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        int status = check(broken[i].op, broken[i].bytes, &objects);

        if (status != -EBADMSG)
            fail_msg("%s (%zu) was accepted: %d", broken[i].op, i, status);
    }
}

TEST_CASE(read_findings)
{
    const char *const other = OK NO_POST "00000005 00000001 00000005 'jello' 000000";
    const char *const less = OK NO_POST "00000004 00000000 00000004 'hell'";
    struct nfs_objects unverified = objects;

    assert_int_equal(check("read", other, &objects), NFS_DATA_MISMATCH);
    assert_int_equal(check("read", less, &objects), NFS_SHORT_READ);
    unverified.read.data = NULL;
    assert_int_equal(check("read", other, &unverified), 0);
}

/* A changed fileid or size of the file is reported, unless the objects have no file. */
TEST_CASE(attributes_findings)
{
    static const char *const ops[] = {OK FATTR, OK HANDLE POST_OP NO_POST, OK POST_OP "0000001f"};
    static const char *const names[] = {"getattr", "lookup", "access"};
    struct nfs_objects other = objects, longer = objects, without = objects;

    other.file_id = 11;
    longer.file_size = 6;
    without.has_file = false;
    for (size_t i = 0; i < COUNT_OF(ops); i++)
        assert_all((check(names[i], ops[i], &objects), 0),
                   (check(names[i], ops[i], &other), NFS_ATTRIBUTES_MISMATCH),
                   (check(names[i], ops[i], &longer), NFS_ATTRIBUTES_MISMATCH),
                   (check(names[i], ops[i], &without), 0));
}

TEST_CASE(write_findings)
{
    struct nfs_verifier verifier = {.known = false};
    struct nfs_objects watched = objects;
    const char *const less = OK WCC "00000004 00000002" WVERF;
    const char *const unstable = OK WCC "00000005 00000001" WVERF;
    const char *const again = OK WCC "00000005 00000001 0123456789abcdee";
    const char *const committed = OK WCC "0123456789abcdee";

    watched.verifier = &verifier;
    assert_all((check("write", less, &watched), NFS_SHORT_WRITE),
               (check("write-file-sync", unstable, &watched), NFS_NOT_STABLE),
               (check("write", unstable, &watched), 0), (verifier.changes, 0),
               (check("write", again, &watched), NFS_VERIFIER_CHANGED),
               (check("commit", committed, &watched), 0), (verifier.changes, 1));
}

/* Return OBJECTS with all members that the arguments of any op need. */
static struct nfs_objects complete_objects(void)
{
    struct nfs_objects complete = objects;

    complete.export = "/to";
    complete.write.data = hello;
    complete.scratch = complete.scratch_file = complete.scratch_commit_file = objects.file;
    return complete;
}

/* Check that ITEM, decoded from MESSAGE, is encoded to the same bytes. */
static void assert_encoded(xdrproc_t xdr, void *item, const struct golden *message)
{
    uint8_t bytes[GOLDEN_MAXIMUM];
    XDR stream;

    xdrmem_create(&stream, (char *)bytes, sizeof bytes, XDR_ENCODE);
    assert_all((xdr(&stream, item, 0)), (xdr_getpos(&stream), message->length));
    assert_memory_equal(bytes, message->bytes, message->length);
    xdr_destroy(&stream);
}

/* Decode a result with rpcgen's routines, and check it as the library engines do. */
static int check_decoded(const char *op, const char *text, const struct nfs_objects *about)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(op);
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    struct golden message = golden(text);
    struct wire_reader reader = wire_reader(message.bytes, message.length);
    struct nfs_call call;
    int status;

    assert_int_equal(nfs_call_make(&call, procedure, about, &nobody, 1, &error), 0);
    status = rpc_result_decode(&procedure->rpc, &reader, call.engine.result);
    if (status == 0) {
        status = call.engine.status(call.engine.context, call.engine.result);
        assert_encoded(procedure->rpc.xdr_result, call.engine.result, &message);
    }
    xdr_free(procedure->rpc.xdr_result, call.engine.result);
    nfs_call_free(&call);
    return status;
}

/* The check of bytes and the check of decoded results agree, also on a status that is not in
 * nfsstat3. Exceptions: a status without the rest of its result, and a READ whose counts differ. */
TEST_CASE(decoded_results)
{
    struct nfs_objects complete = complete_objects(), longer = complete;

    for (size_t i = 0; i < COUNT_OF(results); i++) {
        int status = check_decoded(results[i].op, results[i].bytes, &complete);
        bool is_status_alone = results[i].status != 0 && strlen(results[i].bytes) == 8;

        if (status != results[i].status && !(is_status_alone && status == -EBADMSG))
            fail_msg("%s (%zu): %d", results[i].op, i, status);
    }
    longer.read.expected = 6;
    assert_all(
        (check_decoded("getattr", "ffffffff", &complete), -EBADMSG),
        (check_decoded("lookup", "fffffffc", &complete), -EBADMSG),
        (check_decoded("read", OK NO_POST "00000005 00000001 00000005 'jello' 000000", &complete),
         NFS_DATA_MISMATCH),
        (check_decoded("read", OK NO_POST "00000004 00000000 00000004 'hell'", &complete),
         NFS_SHORT_READ),
        (check_decoded("read", OK NO_POST "00000005 00000001 00000004 'hell'", &complete),
         NFS_SHORT_READ),
        (check_decoded("read", OK NO_POST "00000005 00000001 00000005 'hello' 000000", &longer),
         NFS_SHORT_READ),
        (check_decoded("write", OK WCC "00000004 00000002" WVERF, &complete), NFS_SHORT_WRITE));
}

TEST_CASE(mount_statuses)
{
    static const char *const bytes[] = {"0000ffff", "00010000", "7fffffff", "ffffffff"};
    struct nfs_objects exported = {.export = "/to"};

    for (size_t i = 0; i < COUNT_OF(bytes); i++)
        assert_all((check("mount-mnt", bytes[i], &exported), NFS_MOUNT_STATUS + 0xffff),
                   (check_decoded("mount-mnt", bytes[i], &exported), NFS_MOUNT_STATUS + 0xffff));
}

#define DIRECTORY "00000008 'handle02'"
#define FILE_FH   "00000008 'handle03'"
#define SYMLINK   "00000008 'handle04'"
#define NO_SATTR  "00000000 00000000 00000000 00000000 00000000 00000000"
#define MODE      "00000001 00000180 00000000 00000000 00000000 00000000 00000000" /* 0600 */
#define DATA_NAME "00000004 'data'"
#define HELLO     "00000005 'hello' 000000"

enum { NFS = 100003, MOUNT = 100005, PORTMAP = 100000, ACL = 100227 };

static const struct {
    const char *op;
    uint32_t program, number;
    const char *bytes;
} calls[] = {
    {"null", NFS, 0, ""},
    {"getattr", NFS, 1, FILE_FH},
    {"setattr", NFS, 2, FILE_FH "00000000 00000000 00000000 00000000 00000000 00000001 00000000"},
    {"lookup", NFS, 3, DIRECTORY "00000004 'name'"},
    {"lookup-absent", NFS, 3, DIRECTORY "00000016 'lookup-absent-00000000' 0000"},
    {"access", NFS, 4, FILE_FH "0000003f"},
    {"readlink", NFS, 5, SYMLINK},
    {"read", NFS, 6, FILE_FH "0000000000000000 00000008"},
    {"read-last-byte", NFS, 6, FILE_FH "0000000000000004 00000001"},
    {"write", NFS, 7, FILE_FH "0000000000000000 00000005 00000000" HELLO},
    {"write-data-sync", NFS, 7, FILE_FH "0000000000000000 00000005 00000001" HELLO},
    {"write-file-sync", NFS, 7, FILE_FH "0000000000000000 00000005 00000002" HELLO},
    {"create", NFS, 8, FILE_FH "0000000f 'create-00000000' 00 00000000" MODE},
    {"create-guarded", NFS, 8, FILE_FH "00000017 'create-guarded-00000000' 00 00000001" MODE},
    {"create-exclusive", NFS, 8,
     FILE_FH "00000019 'create-exclusive-00000000' 000000 00000002 'nfsbench'"},
    {"create-existing", NFS, 8, FILE_FH DATA_NAME "00000001" MODE},
    {"mkdir", NFS, 9,
     FILE_FH "0000000e 'mkdir-00000000' 0000"
             "00000001 000001c0 00000000 00000000 00000000 00000000 00000000"},
    {"mkdir-existing", NFS, 9,
     FILE_FH DATA_NAME "00000001 000001c0 00000000 00000000 00000000 00000000 00000000"},
    {"symlink", NFS, 10, FILE_FH "00000010 'symlink-00000000'" NO_SATTR DATA_NAME},
    {"symlink-existing", NFS, 10, FILE_FH DATA_NAME NO_SATTR DATA_NAME},
    {"mknod", NFS, 11, FILE_FH "0000000e 'mknod-00000000' 0000 00000007" MODE},
    {"remove", NFS, 12, FILE_FH "0000000f 'remove-00000000' 00"},
    {"remove-absent", NFS, 12, FILE_FH "00000016 'remove-absent-00000000' 0000"},
    {"rmdir", NFS, 13, FILE_FH "0000000e 'rmdir-00000000' 0000"},
    {"rmdir-absent", NFS, 13, FILE_FH "00000015 'rmdir-absent-00000000' 000000"},
    {"rename", NFS, 14,
     FILE_FH "0000000f 'rename-00000000' 00" FILE_FH "00000012 'rename-to-00000000' 0000"},
    {"rename-absent", NFS, 14,
     FILE_FH "00000016 'rename-absent-00000000' 0000" FILE_FH
             "00000019 'rename-absent-to-00000000' 000000"},
    {"link", NFS, 15, FILE_FH FILE_FH "0000000d 'link-00000000' 000000"},
    {"link-existing", NFS, 15, FILE_FH FILE_FH DATA_NAME},
    {"readdir", NFS, 16, DIRECTORY "0000000000000000 0000000000000000 00002000"},
    {"readdirplus", NFS, 17, DIRECTORY "0000000000000000 0000000000000000 00000800 00002000"},
    {"fsstat", NFS, 18, HANDLE},
    {"fsinfo", NFS, 19, HANDLE},
    {"pathconf", NFS, 20, FILE_FH},
    {"commit", NFS, 21, FILE_FH "0000000000000000 00001000"},
    {"mount-null", MOUNT, 0, ""},
    {"mount-mnt", MOUNT, 1, "00000003 '/to' 00"},
    {"mount-dump", MOUNT, 2, ""},
    {"mount-umnt", MOUNT, 3, "00000003 '/to' 00"},
    {"mount-umntall", MOUNT, 4, ""},
    {"mount-export", MOUNT, 5, ""},
    {"portmap-null", PORTMAP, 0, ""},
    {"acl-null", ACL, 0, ""},
    {"getacl", ACL, 1, FILE_FH "0000000f"},
    {"setacl", ACL, 2,
     FILE_FH "00000003 00000004 00000004 00000001 00000000 00000006 00000004 00000000 00000000"
             "00000010 00000000 00000000 00000020 00000000 00000000 00000000 00000000"},
};

TEST_CASE(arguments)
{
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    const struct nfs_objects complete = complete_objects();

    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        struct golden expected = golden(calls[i].bytes);
        struct rpc_call_header header;
        struct wire_reader reader;
        struct nfs_call call;

        assert_int_equal(
            nfs_call_make(&call, nfs_procedure_find(calls[i].op), &complete, &nobody, 1, &error),
            0);
        reader = wire_reader(call.engine.messages[0].bytes + RPC_RECORD_MARK_SIZE,
                             call.engine.messages[0].length);
        assert_int_equal(rpc_call_decode(&reader, &header), 0);
        if (header.program != calls[i].program || header.procedure != calls[i].number ||
            wire_left(&reader) != expected.length ||
            memcmp(reader.at, expected.bytes, expected.length) != 0)
            fail_msg("%s: these are not its arguments", calls[i].op);
        nfs_call_free(&call);
    }
}

TEST_CASE(constants)
{
    assert_all((NFS3ERR_JUKEBOX, 10008), (NFS3ERR_BADHANDLE, 10001), (NFS3ERR_DQUOT, 69),
               (NFS3ERR_REMOTE, 71), (MNT3ERR_SERVERFAULT, 10006), (NFS3_FHSIZE, 64));
}

TEST_CASE(names)
{
    static const struct {
        int status;
        const char *name;
    } cases[] = {{NFS3ERR_STALE, "NFS3ERR_STALE"},
                 {NFS3ERR_JUKEBOX, "NFS3ERR_JUKEBOX"},
                 {NFS_SHORT_READ, "SHORT_READ"},
                 {NFS_VERIFIER_CHANGED, "VERIFIER_CHANGED"},
                 {NFS_MOUNT_STATUS + MNT3ERR_NOENT, "MNT3ERR_NOENT"},
                 {NFS_MOUNT_STATUS + 10004, "MNT3ERR_NOTSUPP"},
                 {NFS_MOUNT_STATUS + 10006, "MNT3ERR_SERVERFAULT"},
                 {ENGINE_SYSTEM_ERROR + EINVAL, "EINVAL"},
                 {ENGINE_SYSTEM_ERROR + ENOSPC, "ENOSPC"},
                 {ENGINE_DATA_MISMATCH, "DATA_MISMATCH"},
                 {-RPC_OUTCOME_PROC_UNAVAIL, "RPC_PROCUNAVAIL"},
                 {-RPC_OUTCOME_AUTH_ERROR, "RPC_AUTHERROR"},
                 {-RPC_OUTCOME_AUTH_ERROR - 1, "nfsstat3 -8"},
                 {123456, "nfsstat3 123456"},
                 {INT_MIN, "nfsstat3 -2147483648"}};
    char name[NFS_STATUS_NAME_SIZE];

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(nfs_status_name(cases[i].status, name), cases[i].name);
    assert_all((nfs_status_find("NFS3ERR_STALE"), NFS3ERR_STALE),
               (nfs_status_find("NFS3ERR_JUKEBOX"), NFS3ERR_JUKEBOX),
               (nfs_status_find("NFS3_OK"), -1), (nfs_status_find("ESTALE"), -1),
               (nfs_mount_status_name(13, name), "MNT3ERR_ACCES"),
               (nfs_mount_status_name(99, name), "mountstat3 99"),
               (nfs_mount_status_name(UINT32_MAX, name), "mountstat3 4294967295"));
}
