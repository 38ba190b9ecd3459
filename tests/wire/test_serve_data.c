/* Data and attributes on the server: WRITE, COMMIT, SETATTR, and exhausted memory. */
#include "change.h"

static void test_write(void **state)
{
    static const char end[] = "the end of the largest file";
    const uint64_t last = TREE_SIZE_MAXIMUM - (sizeof end - 1);
    WRITE3args odd = {.file = handle_of(node_at(*state, "file1")),
                      .count = 3,
                      .stable = FILE_SYNC,
                      .data = {2, (char *)(uintptr_t) "ab"}};
    WRITE3res result;

    assert_int_equal(write_at(state, OWNER, "file1", 1, "ABC", UNSTABLE), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "file1", 4, "D", DATA_SYNC), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "file1", 0, "h", FILE_SYNC), NFS3_OK);
    read_is(state, "file1", 0, "hABCDE", 6);
    assert_int_equal(write_at(state, OWNER, "file1", 0, "", FILE_SYNC), NFS3_OK);
    assert_int_equal(write_at(state, OTHER, "file1", 0, "x", UNSTABLE), NFS3ERR_ACCES);
    assert_int_equal(write_at(state, OWNER, "dir", 0, "x", UNSTABLE), NFS3ERR_ISDIR);
    assert_int_equal(write_at(state, OWNER, "link", 0, "x", UNSTABLE), NFS3ERR_INVAL);
    CALL(WRITE, NFSPROC3_WRITE, OWNER, &odd, &result);
    assert_int_equal(result.status, NFS3ERR_INVAL);
    /* Sparse, up to the last possible byte. */
    assert_int_equal(create(state, OWNER, "", "sparse"), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "sparse", last, end, UNSTABLE), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "sparse", last + 1, end, UNSTABLE), NFS3ERR_FBIG);
    assert_int_equal(write_at(state, OWNER, "sparse", UINT64_MAX, end, UNSTABLE), NFS3ERR_FBIG);
    read_is(state, "sparse", last - 2, "\0\0the", 5);
    assert_true(node_at(*state, "sparse")->size == TREE_SIZE_MAXIMUM);
    assert_true(node_at(*state, "sparse")->pages.count <= 2);
    /* A file whose owner may no longer write it, while it is open. */
    node_at(*state, "file1")->mode = 0;
    assert_int_equal(write_at(state, OWNER, "file1", 0, "x", UNSTABLE), NFS3_OK);
    node_at(*state, "file1")->mode = 0644;
}

static void test_commit(void **state)
{
    COMMIT3args arguments = {.file = handle_of(node_at(*state, "file1")), .count = 0};
    WRITE3args write = {.file = arguments.file, .count = 1, .data = {1, (char *)(uintptr_t) "x"}};
    WRITE3res written;
    COMMIT3res result;

    CALL(WRITE, NFSPROC3_WRITE, OWNER, &write, &written);
    CALL(COMMIT, NFSPROC3_COMMIT, OWNER, &arguments, &result);
    assert_int_equal(result.status, NFS3_OK);
    assert_wcc(&result.COMMIT3res_u.resok.file_wcc, false);
    assert_memory_equal(result.COMMIT3res_u.resok.verf, written.WRITE3res_u.resok.verf,
                        NFS3_WRITEVERFSIZE);
    arguments.file = handle_of(node_at(*state, "dir"));
    CALL(COMMIT, NFSPROC3_COMMIT, OWNER, &arguments, &result);
    assert_int_equal(result.status, NFS3ERR_ISDIR);
}

/* Memory is limited; removing something makes room again. */
static void test_no_space(void **state)
{
    static char page[4097];
    struct fixture *fixture = *state;
    nfsstat3 status = NFS3_OK;
    uint64_t used;
    FSSTAT3args fsstat = {.fsroot = handle_of(node_at(*state, ""))};
    FSSTAT3res result;

    memset(page, 'p', sizeof page - 1);
    assert_int_equal(create(state, OWNER, "", "large"), NFS3_OK);
    for (uint64_t offset = 0; status == NFS3_OK; offset += 4096) {
        assert_true(offset < UINT64_C(1) << 25);
        status = write_at(state, OWNER, "large", offset, page, UNSTABLE);
    }
    assert_int_equal(status, NFS3ERR_NOSPC);
    /* A WRITE that is refused keeps no memory that it took before. */
    used = tree_memory_used(fixture->exported.tree);
    assert_int_equal(
        write_at(state, OWNER, "large", node_at(fixture, "large")->size + 4095, page, UNSTABLE),
        NFS3ERR_NOSPC);
    assert_true(tree_memory_used(fixture->exported.tree) == used);
    CALL(FSSTAT, NFSPROC3_FSSTAT, OWNER, &fsstat, &result);
    assert_true(result.FSSTAT3res_u.resok.fbytes < 4096);
    for (int i = 0; status == NFS3ERR_NOSPC && i < 1000; i++) {
        char name[16];

        snprintf(name, sizeof name, "more%d", i);
        status = mkdir_mode(state, OWNER, "", name, 0755) == NFS3_OK ? NFS3ERR_NOSPC : NFS3_OK;
    }
    assert_int_equal(mkdir_mode(state, OWNER, "", "nomore", 0755), NFS3ERR_NOSPC);
    assert_null(node_at(*state, "nomore"));
    assert_int_equal(make_symlink(state, OWNER, "", "nomore", long_name(4000)), NFS3ERR_NOSPC);
    assert_null(node_at(*state, "nomore"));
    assert_int_equal(remove_name(state, OWNER, "", "large"), NFS3_OK);
    assert_int_equal(mkdir_mode(state, OWNER, "", "again", 0755), NFS3_OK);
}

static void test_setattr_mode_and_owner(void **state)
{
    assert_int_equal(set_attributes(state, OTHER, "file1", set_mode(0), NULL), NFS3ERR_PERM);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_mode(04755), NULL), NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 04755);
    /* Only the superuser may change the owner; this clears the set-user-id and set-group-id bits.
     */
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(true, 5, false, 0), NULL),
                     NFS3ERR_PERM);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(true, OWNER, false, 0), NULL),
                     NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 0755);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(false, 0, true, 50), NULL),
                     NFS3_OK);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(false, 0, true, 51), NULL),
                     NFS3ERR_PERM);
    assert_int_equal(set_attributes(state, 0, "file1", set_owner(true, 5, true, 51), NULL),
                     NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->uid, 5);
    assert_int_equal(node_at(*state, "file1")->gid, 51);
    /* Set-group-id only for a group of the caller; writing clears it. */
    assert_int_equal(set_attributes(state, 5, "file1", set_mode(02775), NULL), NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 0775);
    assert_int_equal(set_attributes(state, 0, "file1", set_mode(06777), NULL), NFS3_OK);
    assert_int_equal(write_at(state, OTHER, "file1", 0, "x", UNSTABLE), NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 0777);
}

static void test_setattr_size(void **state)
{
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(2), NULL), NFS3_OK);
    read_is(state, "file1", 0, "HE", 2);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(5), NULL), NFS3_OK);
    read_is(state, "file1", 0, "HE\0\0\0", 5);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(TREE_SIZE_MAXIMUM), NULL),
                     NFS3_OK);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(UINT64_C(1) << 63), NULL),
                     NFS3ERR_INVAL);
    assert_int_equal(set_attributes(state, OWNER, "dir", set_size(0), NULL), NFS3ERR_ISDIR);
    assert_int_equal(set_attributes(state, OWNER, "link", set_size(0), NULL), NFS3ERR_INVAL);
    assert_int_equal(set_attributes(state, OTHER, "file1", set_size(0), NULL), NFS3ERR_ACCES);
}

static void test_setattr_times(void **state)
{
    struct tree_node *file = node_at(*state, "file1");

    if (!file) {
        fail();
        return;
    }
    assert_int_equal(
        set_attributes(state, OWNER, "file1", set_times(SET_TO_CLIENT_TIME, 1000, 5), NULL),
        NFS3_OK);
    assert_true(file->accessed == UINT64_C(1000000000005));
    assert_true(file->modified == UINT64_C(1001000000005));
    assert_int_equal(
        set_attributes(state, OWNER, "file1", set_times(SET_TO_CLIENT_TIME, 1, 1000000000), NULL),
        NFS3ERR_INVAL);
    assert_int_equal(
        set_attributes(state, OTHER, "file1", set_times(SET_TO_CLIENT_TIME, 1, 0), NULL),
        NFS3ERR_PERM);
    assert_int_equal(
        set_attributes(state, OTHER, "file1", set_times(SET_TO_SERVER_TIME, 0, 0), NULL),
        NFS3ERR_ACCES);
    file->mode = 0666;
    assert_int_equal(
        set_attributes(state, OTHER, "file1", set_times(SET_TO_SERVER_TIME, 0, 0), NULL), NFS3_OK);
    assert_true(file->modified == file->changed && file->accessed == file->changed);
    /* Reading changes the access time. */
    file->accessed = 0;
    read_is(state, "file1", 0, "H", 1);
    assert_true(file->accessed > file->modified);
}

static void test_setattr_guard(void **state)
{
    struct tree_node *file = node_at(*state, "file1");
    nfstime3 guard = {(uint32)(file->changed / 1000000000), (uint32)(file->changed % 1000000000)};

    assert_int_equal(set_attributes(state, OWNER, "file1", set_mode(0600), &guard), NFS3_OK);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_mode(0644), &guard),
                     NFS3ERR_NOT_SYNC);
    assert_int_equal(file->mode, 0600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(test_write),         FRESH(test_commit),
        FRESH(test_no_space),      FRESH(test_setattr_mode_and_owner),
        FRESH(test_setattr_size),  FRESH(test_setattr_times),
        FRESH(test_setattr_guard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
