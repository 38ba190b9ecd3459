/* What all procedures that change the tree have in common: repeated requests, squashing, injected
 * errors. */
#include "change.h"

/* A request that is not idempotent is executed once, however often it arrives. */
static void test_repeated_requests(void **state)
{
    struct fixture *fixture = *state;
    REMOVE3args arguments = {.object = place(fixture, "", "file5")};
    uint8_t request[REQUEST_MAXIMUM];
    REMOVE3res result;
    size_t length = encode_call(fixture, request, NFSPROC3_REMOVE, OWNER,
                                (xdrproc_t)xdr_REMOVE3args, &arguments);

    for (int i = 0; i < 3; i++) {
        send_bytes(fixture, request, length, true);
        decode(fixture, (xdrproc_t)xdr_REMOVE3res, &result, sizeof result);
        assert_int_equal(result.status, NFS3_OK);
        if (i == 0)
            assert_int_equal(create(state, OWNER, "", "file5"), NFS3_OK);
        assert_non_null(node_at(fixture, "file5"));
    }
    /* From another socket, or with another xid, it is another request. */
    send_bytes(fixture, request, length, false);
    assert_null(node_at(fixture, "file5"));
    assert_int_equal(create(state, OWNER, "", "file5"), NFS3_OK);
    send_bytes(fixture, request, length, false);
    assert_non_null(node_at(fixture, "file5"));
    assert_int_equal(remove_name(state, OWNER, "", "file5"), NFS3_OK);
    assert_int_equal(remove_name(state, OWNER, "", "file5"), NFS3ERR_NOENT);
}

static void test_squash(void **state)
{
    struct fixture *fixture = *state;

    fixture->exported.policy.squash = SQUASH_ROOT;
    assert_int_equal(create(state, 0, "", "x"), NFS3ERR_ACCES);
    assert_int_equal(create(state, OWNER, "", "x"), NFS3_OK);
    fixture->exported.policy.squash = SQUASH_ALL;
    assert_int_equal(create(state, OWNER, "", "y"), NFS3ERR_ACCES);
    node_at(fixture, "")->mode = 0777;
    assert_int_equal(create(state, OWNER, "", "y"), NFS3_OK);
    assert_int_equal(node_at(fixture, "y")->uid, 65534);
    assert_int_equal(node_at(fixture, "y")->gid, 65534);
    fixture->exported.policy.squash = SQUASH_NONE;
}

/* Injected errors have the form of each procedure, and change nothing. */
static void test_injected_errors(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 1; i < POLICY_PROCEDURES; i++) {
        fixture->exported.policy.errors[i].status = NFS3ERR_JUKEBOX;
        fixture->exported.policy.errors[i].probability = 1;
    }
    {
        REMOVE3args remove = {.object = place(fixture, "", "file1")};
        RENAME3args rename = {.from = remove.object, .to = remove.object};
        LINK3args link = {.file = handle_of(node_at(fixture, "file1")), .link = remove.object};
        GETATTR3args getattr = {.object = link.file};
        REMOVE3res removed;
        RENAME3res renamed;
        LINK3res linked;
        GETATTR3res got;

        CALL(REMOVE, NFSPROC3_REMOVE, OWNER, &remove, &removed);
        CALL(RENAME, NFSPROC3_RENAME, OWNER, &rename, &renamed);
        CALL(LINK, NFSPROC3_LINK, OWNER, &link, &linked);
        CALL(GETATTR, NFSPROC3_GETATTR, OWNER, &getattr, &got);
        assert_int_equal(removed.status, NFS3ERR_JUKEBOX);
        assert_int_equal(renamed.status, NFS3ERR_JUKEBOX);
        assert_int_equal(linked.status, NFS3ERR_JUKEBOX);
        assert_int_equal(got.status, NFS3ERR_JUKEBOX);
    }
    assert_non_null(node_at(fixture, "file1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(test_repeated_requests),
        FRESH(test_squash),
        FRESH(test_injected_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
