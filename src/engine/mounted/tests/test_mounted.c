/* Tests of reading the kernel's texts about mounts, as Linux 6.1 writes them; of the process that
 * makes system calls, on the file system of the tests; and of the table of system calls. */

#include <arpa/inet.h>
#include <inttypes.h>

#include "common/deadline.h"
#include "common/mountinfo.h"
#include "engine/engines.h"
#include "engine/mounted/caller.h"
#include "engine/mounted/mounted_run.h"
#include "engine/mounted/operation_data.h"
#include "nfs/status.h"
#include "sandbox.h"

/* mountinfo */

static const char mountinfo[] =
    "22 1 0:2 / / rw - rootfs rootfs rw,size=221772k,nr_inodes=55443\n"
    "29 1 0:25 / /mnt rw,relatime - nfs 127.0.0.1:/export rw,vers=3,rsize=65536,wsize=65536,"
    "namlen=255,hard,nolock,proto=tcp,timeo=600,retrans=2,sec=sys,mountaddr=127.0.0.1,"
    "mountvers=3,mountproto=tcp,local_lock=all,addr=127.0.0.1\n"
    "31 22 0:27 / /srv/two\\040words rw shared:7 master:2 - nfs4 [fd00::1]:/a\\134b rw,vers=4.2,"
    "noac\n"
    "290 22 0:28 / /cut rw,relatime - nfs\n"
    "30 22 8:1 / /boot rw,relatime - ext4 /dev/vda rw\n";

/* Mount numbers must match completely: 22 and 29 begin with 2. */
TEST_CASE(mountinfo)
{
    static const struct {
        uint64_t id;
        int code;
        const char *point, *source, *what;
    } cases[] = {
        {29, 0, "/mnt", "127.0.0.1:/export", "NFSv3"},
        {31, 0, "/srv/two words", "[fd00::1]:/a\\b", "NFSv4.2"}, /* optional fields and escapes */
        {30, 0, "/boot", "/dev/vda", "ext4"},
        {2, -ENOENT, NULL, NULL, NULL},
        {290, -EBADMSG, NULL, NULL, NULL},
    };
    struct mountinfo info;
    char what[64];

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(mountinfo_find(mountinfo, cases[i].id, &info), cases[i].code);
        if (cases[i].code)
            continue;
        assert_all((info.point, cases[i].point), (info.source, cases[i].source),
                   (mounted_is_nfs3(&info, what, sizeof what), strcmp(cases[i].what, "NFSv3") == 0),
                   (what, cases[i].what));
    }
    assert_int_equal(mountinfo_find("", 1, &info), -ENOENT);
}

TEST_CASE(mount_options)
{
    static const char *const cases[][2] = {
        {"addr", "127.0.0.1"}, /* not the value of mountaddr */
        {"hard", ""},
        {"port", NULL},
        {"har", NULL},
    };
    char value[MOUNTINFO_VALUE_SIZE];
    struct mountinfo info;

    assert_int_equal(mountinfo_find(mountinfo, 29, &info), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(mountinfo_option(&info, cases[i][0], value), cases[i][1] != NULL);
        if (cases[i][1])
            assert_string_equal(value, cases[i][1]);
    }
}

/* A mount with a too long word is refused, a too long option is ignored, bad escapes are kept. */
TEST_CASE(odd_mounts)
{
    static char text[20000];
    struct mountinfo info;
    char value[MOUNTINFO_VALUE_SIZE];

    assert_int_equal(mountinfo_find("7 1 0:2 / \\000a rw - nfs s:/ rw\n", 7, &info), 0);
    assert_string_equal(info.point, "\\000a"); /* a decoded \000 would make an empty string */
    assert_all((mountinfo_find("7 1 0:2 / /a\\400b\\8 rw - nfs s:/ addr=x,addr=y\n", 7, &info), 0),
               (info.point, "/a\\400b\\8"), (mountinfo_option(&info, "addr", value)), (value, "x"));
    memset(text, 'x', sizeof text - 1);
    memcpy(text, "7 1 0:2 / /", 11);
    assert_int_equal(mountinfo_find(text, 7, &info), -EBADMSG);
    memcpy(text, "7 1 0:2 / /a rw - nfs s:/ addr=", 31);
    memcpy(text + 31 + MOUNTINFO_VALUE_SIZE, ",hard\n", 7);
    assert_all(
        (mountinfo_find(text, 7, &info), 0), (!mountinfo_option(&info, "addr", value)),
        (mountinfo_option(&info, "hard", value)),
        (mountinfo_find("18446744073709551615 1 0:2 / /a rw - nfs s:/ rw\n", 1, &info), -ENOENT));
}

/* Reads this machine's files: unknown numbers and paths are not found; the first mount is found by
 * its number. */
TEST_CASE(own_mounts)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    struct mountstats stats;
    struct mountinfo info;
    uint64_t id = 0;

    assert_int_equal(mountinfo_read(UINT64_MAX, &info), -ENOENT);
    assert_true(mountstats_read("/no/such/place", &stats) < 0);
    if (!file || fscanf(file, "%" SCNu64, &id) != 1)
        skip();
    fclose(file);
    assert_all((mountinfo_read(id, &info), 0), (info.point[0], '/'));
}

/* The flavor is read from sec=. With Kerberos, the target has a host name, not an address. */
TEST_CASE(security)
{
    static const struct {
        const char *options;
        uint32_t flavor;
        const char *host;
    } cases[] = {
        {"rw,sec=sys,addr=10.0.2.2", RPC_FLAVOR_SYS, "10.0.2.2"},
        {"rw,addr=10.0.2.2", RPC_FLAVOR_SYS, "10.0.2.2"},
        {"rw,sec=null", RPC_FLAVOR_NONE, "10.0.2.2"},
        {"rw,sec=krb5,hard", RPC_FLAVOR_KRB5, "server"},
        {"rw,hard,sec=krb5i", RPC_FLAVOR_KRB5I, "server"},
        {"rw,sec=krb5p", RPC_FLAVOR_KRB5P, "server"},
    };
    static struct setup setup = {.target.host = "server"};
    struct sockaddr_in *address = (struct sockaddr_in *)&setup.mount.nfs.address;
    struct target target;

    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(0x0a000202);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        snprintf(setup.mounted_at.options, sizeof setup.mounted_at.options, "%s", cases[i].options);
        setup.mount.options.identity.flavor = mounted_flavor(&setup.mounted_at);
        assert_int_equal(setup.mount.options.identity.flavor, cases[i].flavor);
        mounted_setup_target(&setup, &target);
        assert_string_equal(target.host, cases[i].host);
    }
}

/* mountstats */

#define HEAD(point, version)                                                                       \
    "device rootfs mounted on / with fstype rootfs\n"                                              \
    "device 127.0.0.1:/export mounted on " point " with fstype nfs statvers=1.1\n"                 \
    "\topts:\trw,vers=3,rsize=65536,wsize=65536\n"                                                 \
    "\tcaps:\tcaps=0xf,wtmult=4096,dtsize=65536,bsize=0,namlen=255\n"                              \
    "\tevents:\t1 4 0 0 1 0 5 0 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \n"                          \
    "\tbytes:\t0 0 0 0 0 0 0 0 \n"                                                                 \
    "\tRPC iostats version: " version "  p/v: 100003/3 (nfs)\n"                                    \
    "\txprt:\ttcp 945 1 2 0 0 11 11 0 11 0 2 0 0\n"                                                \
    "\tper-op statistics\n"

#define COUNTS(getattr, lines)                                                                     \
    "\t        NULL: 1 1 0 44 24 7 3 10 0\n"                                                       \
    "\t     GETATTR: " getattr "\n"                                                                \
    "\t     SETATTR: 0 0 0 0 0 0 0 0 0\n\t      LOOKUP: 0 0 0 0 0 0 0 0 0\n"                       \
    "\t      ACCESS: 1 1 0 100 120 0 0 0 0\n\t    READLINK: 1 1 0 104 124 0 1 2 0\n"               \
    "\t        READ: 0 0 0 0 0 0 0 0 0\n\t       WRITE: 0 0 0 0 0 0 0 0 0\n"                       \
    "\t      CREATE: 0 0 0 0 0 0 0 0 0\n\t       MKDIR: 0 0 0 0 0 0 0 0 0\n"                       \
    "\t     SYMLINK: 0 0 0 0 0 0 0 0 0\n\t       MKNOD: 0 0 0 0 0 0 0 0 0\n"                       \
    "\t      REMOVE: 0 0 0 0 0 0 0 0 0\n\t       RMDIR: 0 0 0 0 0 0 0 0 0\n"                       \
    "\t      RENAME: 0 0 0 0 0 0 0 0 0\n\t        LINK: 0 0 0 0 0 0 0 0 0\n"                       \
    "\t     READDIR: 0 0 0 0 0 0 0 0 0\n\t READDIRPLUS: 1 1 0 120 768 0 3 3 0\n"                   \
    "\t      FSSTAT: 0 0 0 0 0 0 0 0 0\n\t      FSINFO: 2 2 0 192 160 0 11 12 0\n"                 \
    "\t    PATHCONF: 1 1 0 96 56 0 5 6 0\n" lines

#define COMMITS "\t      COMMIT: 0 0 0 0 0 0 0 0 0\n\n"

TEST_CASE(mountstats)
{
    static const char text[] = HEAD("/mnt", "1.1") COUNTS("3 4 1 288 336 5 3 4 0", COMMITS)
        HEAD("/two\\040words", "1.0") COUNTS("7 7 0 0 0 0 0 0", COMMITS);
    const uint64_t getattr[MOUNTSTATS_COUNTERS] = {3, 4, 1, 288, 336, 5, 3, 4};
    struct mountstats stats;

    assert_int_equal(mountstats_find(text, "/mnt", &stats), 0);
    assert_memory_equal(stats.counters[1], getattr, sizeof getattr);
    assert_int_equal(mountstats_sum(&stats, MOUNTSTATS_CALLS), 10);
    assert_int_equal(mountstats_find(text, "/two words", &stats), 0);
    assert_int_equal(stats.counters[1][MOUNTSTATS_CALLS], 7);
    assert_int_equal(stats.connections, 1); /* the connections of the mount above are not counted */
    assert_all((stats.slots, 2), (mountstats_find(text, "/mn", &stats), -ENOENT));
    assert_int_equal(mountstats_find(text, "/", &stats), -ENOENT); /* the mount is not NFS */
}

/* One line per connection. Lines of UDP have three fewer members; lines before statvers=1.1 lack
 * three members at the end. */
TEST_CASE(connections)
{
    static const char several[] = HEAD("/mnt", "1.1") "\txprt:\ttcp 0 1 1 0 0 30 30 0 90 7 5 0 0\n"
                                                      "\txprt:\tudp 7 1 20 20 0 40 4 3 0 0\n"
                                                      "\txprt:\tlocal 1 1 1 1 1 1 1 1 1 1\n" COUNTS(
                                                          "3 3 0 1 1 1 1 1 0", COMMITS);
    static const char old[] =
        "device a:/b mounted on /mnt with fstype nfs statvers=1.0\n"
        "\tRPC iostats version: 1.0  p/v: 100003/3 (nfs)\n"
        "\txprt:\ttcp 0 1 1 0 0 30 29 0 90 7\n" COUNTS("3 3 0 1 1 1 1 1", COMMITS);
    struct mountstats stats, sum = {0};

    assert_all((mountstats_find(several, "/mnt", &stats), 0), (stats.connections, 3),
               (stats.sends, 11 + 30 + 20), (stats.backlog, 0 + 7 + 4), (stats.slots, 5));
    mountstats_add(&sum, &(struct mountstats){.sends = 60, .backlog = 20}, &stats);
    assert_all((sum.connections, 3), (sum.sends, 1), (sum.backlog, 0),
               (mountstats_find(old, "/mnt", &stats), 0), (stats.connections, 1),
               (stats.backlog, 7), (stats.slots, 0));
}

TEST_CASE(broken_mountstats)
{
    static const char *const texts[] = {
        HEAD("/mnt", "2.0") COUNTS("3 3 0 1 1 1 1 1 0", COMMITS),
        HEAD("/mnt", "1.1") COUNTS("3 3 0 1 1", COMMITS),
        HEAD("/mnt", "1.1") COUNTS("3 -3 0 1 1 1 1 1", COMMITS),
        /* COMMIT's line is missing here; the next mount's line must not be used */
        HEAD("/mnt", "1.1") COUNTS("3 3 0 1 1 1 1 1 0", "") HEAD("/b", "1.1")
            COUNTS("3 3 0 1 1 1 1 1 0", COMMITS),
    };
    struct mountstats stats;

    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_int_equal(mountstats_find(texts[i], "/mnt", &stats), -EBADMSG);
}

TEST_CASE(difference)
{
    struct mountstats before = {0}, after = {0}, sum = {0};
    char text[64], cut[6];

    mountstats_describe(&sum, text, sizeof text);
    assert_string_equal(text, "none");
    before.counters[6][MOUNTSTATS_CALLS] = 5;
    after.counters[6][MOUNTSTATS_CALLS] = 105;
    after.counters[1][MOUNTSTATS_CALLS] = 2;
    before.counters[2][MOUNTSTATS_CALLS] = 1; /* decreases, because the mount was made anew */
    mountstats_add(&sum, &before, &after);
    mountstats_describe(&sum, text, sizeof text);
    assert_string_equal(text, "2 GETATTR, 100 READ");
    mountstats_describe(&sum, cut, sizeof cut);
    assert_string_equal(cut, "2 GET");
}

/* The process */

#define PATIENCE_NS UINT64_C(60000000000)

static struct clock caller_clock;
static struct caller *caller;
static struct caller_errors errors;
static struct error error;

static struct caller_file_system open_caller(const char *target, bool verify)
{
    static volatile sig_atomic_t stop;
    const struct caller_options options = {.target = target,
                                           .patience_ns = PATIENCE_NS,
                                           .stop = &stop,
                                           .verify = verify,
                                           .clock = &caller_clock};
    struct caller_file_system found;

    assert_all((clock_open(&caller_clock, "monotonic-raw", &error), 0),
               (caller_open(&caller, &options, &found, &error), 0), (found.path, target));
    return found;
}

static int set_up(void **state)
{
    int code = sandbox_enter(state);

    open_caller(sandbox, true);
    return code;
}

FIXTURE(tear_down, assert_all((caller_close(caller, &error), 0), (names_in("."), "")),
        sandbox_leave(state))

/* Make the run's files. Returns whether the file system supports O_DIRECT, as the files require. */
static bool make_scratch(void)
{
    int code = caller_make_scratch(caller, ".scratch", 4096, &error);

    assert_true(code == 0 || code == -EINVAL);
    return code == 0;
}

/* Make WANTED prepared calls of OPERATION, at most 30. Returns how many succeed. */
static size_t run_calls(const struct mounted_operation *operation, size_t wanted)
{
    uint64_t ticks[30];
    struct block block = {.count = wanted, .ticks = ticks};

    errors = (struct caller_errors){.kinds = 0};
    assert_int_equal(caller_run(caller, operation, &block, &errors, &error), 0);
    assert_false(block.is_cut);
    return block.recorded;
}

static size_t make_calls(const struct mounted_operation *operation, size_t wanted)
{
    assert_int_equal(caller_prepare(caller, operation, wanted, &error), 0);
    return run_calls(operation, wanted);
}

/* Each operation can be made twice, because its files are cleared. FSINFO is left out, because it
 * would reconfigure the tests' own file system. Without O_DIRECT, only operations on the target are
 * tested. */
TEST_CASE_WITH(operations, set_up, tear_down)
{
    enum { CALLS = 5 };
    bool scratch = make_scratch();

    for (const struct mounted_operation *at = mounted_operations; at->op; at++)
        for (int i = 0; i < 2 && at->procedure != NFSPROC3_FSINFO &&
                        (scratch || at->object == OPERATION_TARGET);
             i++) {
            if (make_calls(at, CALLS) != CALLS)
                fail_msg("%s: %s", at->op, strerror(errors.errors[0].number));
            assert_int_equal(caller_clear(caller, at, CALLS, &error), 0);
        }
}

/* Assert that EXPECTED of 30 calls of OP succeed, and that the failed ones read wrong data. */
static void assert_verified(const char *op, size_t expected)
{
    assert_int_equal(make_calls(mounted_operation_find(op), 30), expected);
    for (size_t i = 0; i < errors.kinds; i++)
        assert_int_equal(errors.errors[i].number, OPERATION_DATA_MISMATCH);
}

/* Overwrite the run's file NAME, as another user might. */
static void change_file(const char *name)
{
    enum { LENGTH = 16 * 4096 };
    char path[120], text[LENGTH];
    int fd;

    snprintf(path, sizeof path, ".scratch/%s", name);
    fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    memset(text, 'x', LENGTH);
    assert_all((write(fd, text, LENGTH), LENGTH), (close(fd), 0));
}

static void read_written(char text[16 * 4096])
{
    int fd = open(".scratch/data", O_RDONLY);

    assert_true(fd >= 0);
    assert_all((read(fd, text, 16 * 4096), 16 * 4096), (close(fd), 0));
}

/* Each of 16 verified WRITEs writes at a different offset, with new data. */
TEST_CASE_WITH(each_write_is_read_back, set_up, tear_down)
{
    static char before[16 * 4096], after[16 * 4096];
    const struct mounted_operation *write = mounted_operation_find("write");

    if (!make_scratch())
        return;
    for (int i = 0; i < 3; i++) {
        read_written(before);
        assert_int_equal(make_calls(write, 16), 16);
        read_written(after);
        for (size_t at = 0; at < sizeof after; at += 4096)
            assert_true(memcmp(before + at, after + at, 4096) != 0);
        assert_int_equal(caller_clear(caller, write, 16, &error), 0);
    }
}

/* Verification accepts the data that were written, and detects changes by another user. */
TEST_CASE_WITH(verify, set_up, tear_down)
{
    const struct mounted_operation *write = mounted_operation_find("write");

    if (!make_scratch())
        return;
    for (int i = 0; i < 3; i++) {
        assert_verified("read", 30);
        assert_verified("write", 30);
        assert_int_equal(caller_clear(caller, write, 30, &error), 0);
    }
    assert_verified("read-cached", 30);
    assert_verified("read-last-byte", 30);
    change_file("data");
    assert_int_equal(caller_clear(caller, write, 30, &error), -OPERATION_DATA_MISMATCH);
    assert_non_null(strstr(error.text, "DATA_MISMATCH"));
    assert_verified("read", 0);
    assert_verified("read-last-byte", 30);
    change_file("cached");
    assert_verified("read-last-byte", 0);
    assert_verified("read-cached", 0);
}

static bool is_own(const char *op)
{
    for (const char *const *own = engine_find("mounted")->own_ops; *own; own++)
        if (strcmp(*own, op) == 0)
            return true;
    return false;
}

/* Checks the entries of all system calls. The messages say what to write in an entry. */
TEST_CASE(table)
{
    for (const struct mounted_operation *call = mounted_operations; call->op; call++) {
        if (mounted_operation_find(call->op) != call)
            fail_msg("system call '%s': another one has this name", call->op);
        if (!call->system_call || !call->make)
            fail_msg("system call '%s': write .system_call and .make", call->op);
        if (call->procedure < OPERATION_NO_RPC || call->procedure > NFSPROC3_COMMIT)
            fail_msg("system call '%s': .procedure is none of NFSv3's, nor OPERATION_NO_RPC",
                     call->op);
        if (call->baseline && !mounted_operation_find(call->baseline))
            fail_msg("system call '%s': its .baseline '%s' is none", call->op, call->baseline);
        if (call->procedure != OPERATION_NO_RPC && !call->baseline)
            fail_msg("system call '%s': write the .baseline that its cost is above", call->op);
        if (!nfs_procedure_find(call->op) && !is_own(call->op))
            fail_msg("system call '%s': it is no op of NFS: write it into own_ops", call->op);
    }
}

TEST_CASE(data)
{
    uint8_t bytes[1000];

    operation_data_fill(bytes, sizeof bytes, 7);
    assert_true(operation_data_is(bytes, 0, sizeof bytes, 7));
    assert_true(operation_data_is(bytes + 999, 999, 1, 7));
    for (uint64_t stamp = 0; stamp < 300; stamp++)
        assert_int_equal(operation_data_is(bytes, 0, 16, stamp), stamp == 7);
    for (size_t from = 1; from < 300; from++)
        assert_false(operation_data_is(bytes, from, 16, 7));
    bytes[500] ^= 1;
    assert_false(operation_data_is(bytes, 0, sizeof bytes, 7));
}

/* Failed calls are counted by errno, and leave no sample. */
TEST_CASE_WITH(errors, set_up, tear_down)
{
    const struct mounted_operation *mkdir = mounted_operation_find("mkdir");

    if (!make_scratch())
        return;
    assert_all((make_calls(mkdir, 2), 2), (run_calls(mkdir, 2), 0), (errors.kinds, 1),
               (errors.errors[0].number, EEXIST), (errors.errors[0].count, 2));
}

static int take_long(struct operation_objects *objects, size_t number)
{
    deadline_pause(2 * 1000 * 1000);
    return 0;
}

/* A block of slow calls ends when its time is over, and the calls made until then count. */
TEST_CASE_WITH(cut, set_up, tear_down)
{
    static const struct mounted_operation slow = {.op = "slow", .make = take_long};
    uint64_t ticks[3];
    struct block block = {.count = 3, .ticks = ticks};

    assert_all((caller_run(caller, &slow, &block, &errors, &error), 0), (block.recorded, 3),
               (!block.is_cut));
    block.until_ns = deadline_now_ns();
    assert_all((caller_run(caller, &slow, &block, &errors, &error), 0), (block.recorded, 1),
               (block.is_cut));
}

/* A process without progress is given up, and all later requests fail. */
TEST_CASE(stuck)
{
    const struct mounted_operation *getattr = mounted_operation_find("getattr");
    const struct caller_options options = {.target = "/", .patience_ns = 300 * 1000 * 1000};
    struct caller_file_system found;
    uint64_t ticks[1];
    struct block block = {.count = 1, .ticks = ticks};

    assert_int_equal(caller_open(&caller, &options, &found, &error), 0);
    kill(caller_pid(caller), SIGSTOP);
    assert_all((caller_run(caller, getattr, &block, &errors, &error), -ETIMEDOUT),
               (error.kind, ERROR_UNREACHABLE), (caller_pid(caller), 0),
               (caller_run(caller, getattr, &block, &errors, &error), -ETIMEDOUT),
               (caller_close(caller, &error), 0));
}

/* A file whose length is no multiple of the calls' size is read, and is not changed. */
SANDBOX_TEST(file)
{
    enum { SIZE = 4096, LENGTH = 3 * SIZE + 77, CALLS = 20 };
    static const char *const ops[] = {"read-cached", "read", "read-last-byte", "getattr"};
    char path[64], text[LENGTH], after[LENGTH + 1];
    struct caller_file_system found;
    int fd, code;

    snprintf(path, sizeof path, "%s/file", sandbox);
    memset(text, 'x', LENGTH);
    put_bytes("file", text, LENGTH);
    found = open_caller(path, false);
    assert_all((found.is_file), (found.size, LENGTH));
    code = caller_use_file(caller, SIZE, &error);
    assert_true(code == 0 || code == -EINVAL); /* -EINVAL: the file system has no O_DIRECT */
    for (size_t i = 0; i < COUNT_OF(ops) && code == 0; i++) {
        const struct mounted_operation *operation = mounted_operation_find(ops[i]);

        assert_int_equal(make_calls(operation, CALLS), CALLS);
        assert_int_equal(caller_clear(caller, operation, CALLS, &error), 0);
    }
    assert_int_equal(caller_close(caller, &error), 0);
    fd = open("file", O_RDONLY);
    assert_int_equal(read(fd, after, sizeof after), LENGTH);
    assert_memory_equal(after, text, LENGTH);
    close(fd);
}

TEST_CASE(no_target)
{
    static const struct {
        const char *target, *why;
        int code;
    } cases[] = {{"/dev/null", "Not a directory", -ENOTDIR},
                 {"/absent/directory", "No such file or directory", -ENOENT}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct caller_options options = {.target = cases[i].target,
                                               .patience_ns = PATIENCE_NS};
        struct caller_file_system found;

        assert_int_equal(caller_open(&caller, &options, &found, &error), cases[i].code);
        assert_non_null(strstr(error.text, cases[i].why));
    }
}

/* A result is made after the process has ended, so the state and the counts must still exist. */
TEST_CASE(counts_after_the_end)
{
    const struct mount_calls *calls = engine_find("mounted")->mount;
    struct clock clock = {.tsc = false};
    struct run_plan plan = {.target_text = "/", .target.path = "/", .timeout_ns = PATIENCE_NS};
    struct setup setup = {.plan = &plan};
    struct mounted_series own = {.operation = mounted_operation_find("write"), .calls = 2};
    struct run_series series = {.mounted = &own};
    struct series_set set = {.setup = &setup};
    struct mount_counts counts;

    assert_all((calls->open(&setup, &clock, &error), -ENODEV), (calls->process(&setup) > 0));
    calls->close(&setup);
    calls->close(&setup);
    own.sent.counters[NFSPROC3_WRITE][MOUNTSTATS_CALLS] = 2;
    own.sent.counters[NFSPROC3_WRITE][MOUNTSTATS_BYTES_SENT] = 300;
    calls->count(&set, &series, &counts);
    assert_all((calls->process(&setup), 0), (calls->change(&setup), NULL), (counts.in_scratch),
               (counts.means.rpcs, 1, 0), (counts.lengths.call, 150, 0));
    calls->begin(&series);
    assert_all((own.calls, 0), (own.operation->op, "write"));
    free(setup.on_mount);
}
