/* The server's MOUNT procedures, and its refusals: programs, versions, credentials, and messages
 * that are not calls. */
#include "service.h"

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
    /* With an additional slash it is the same path. */
    assert_int_equal(mounts_listed(state), 2);
    call(*state, MOUNT_PROGRAM, 3, 0, "00000009 '/export//' 000000");
    assert_int_equal(mounts_listed(state), 1);
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
        "00000001 00000018 00000000 00000000 00000000 00000000 00000000 00000000", /* more */
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

/* A prefix of a call gets an error, or no reply. */
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
        cmocka_unit_test(test_mount),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_credentials),
        cmocka_unit_test(test_truncated_calls),
        cmocka_unit_test(test_other_rpc_version),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
