/* The server's list of mounts; squashing; refused calls and invalid messages that no client can
 * send. tests/integration/errors.py tests the calls that a client can make. */
#include "service.h"

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

/* The list has the latest mounts, and over UDP it fits into a datagram. */
TEST_CASE(list_of_mounts)
{
    enum { HOSTS = 100, LISTED = 64 };
    struct sockaddr_in *host = (struct sockaddr_in *)&peer;
    struct fixture *fixture = *state;
    uint8_t request[REQUEST_MAXIMUM];
    const struct sockaddr_in before = *host;
    mountlist list;
    unsigned count = 0;

    for (uint32_t i = 0; i < HOSTS; i++) {
        host->sin_addr.s_addr = htonl(0x0a000000 + i);
        call(fixture, MOUNT_PROGRAM, 1, 0, "0000000b '/export/dir' 00");
        assert_int_equal(wire_get_u32(&fixture->results), MNT3_OK);
    }
    call(fixture, MOUNT_PROGRAM, 2, 0, "");
    decode(fixture, (xdrproc_t)xdr_mountlist, &list, sizeof list);
    assert_string_equal(list->ml_hostname, "10.0.0.36");
    for (struct mountbody *at = list; at; at = at->ml_next)
        count++;
    assert_int_equal(count, LISTED);
    xdr_free((xdrproc_t)xdr_mountlist, &list);
    send_bytes(fixture, request, make_call(request, MOUNT_PROGRAM, 3, 2, 0, ""), false);
    assert_true(fixture->length <= CALL_DATA_MAXIMUM_DATAGRAM);
    for (uint32_t i = 0; i < HOSTS; i++) {
        host->sin_addr.s_addr = htonl(0x0a000000 + i);
        call(fixture, MOUNT_PROGRAM, 4, 0, "");
    }
    *host = before;
    assert_int_equal(mounts_listed(state), 0);
}

static void outcome_is(void **state, uint32_t program, uint32_t version, uint32_t procedure,
                       const char *arguments, enum rpc_outcome outcome)
{
    struct fixture *fixture = *state;
    uint8_t request[REQUEST_MAXIMUM];

    send_bytes(fixture, request, make_call(request, program, version, procedure, 0, arguments),
               true);
    assert_all((fixture->header.outcome, outcome), (wire_left(&fixture->results), 0));
}

TEST_CASE(garbage)
{
    static const struct {
        uint32_t program, procedure;
        const char *rest; /* the arguments; for NFS and NFS_ACL, the arguments after the handle */
    } cases[] = {
        {100005, 1, "0000000c '/export' 00 '/dir'"}, /* a path with a NUL */
        {100005, 3, "0000000c '/export' 00 '/dir'"},
        {100005, 1, "00000401 'longer than a path'"},
        {100005, 1, "fffffffd '/export'"},
        {100005, 2, "00000000"},
        {100005, 3, ""},
        {100005, 4, "00000000"},
        {100005, 5, "00000000"},
        {100003, 0, ""},
        {100003, 2, "00000002"},                                     /* a boolean of 2 */
        {100003, 2, "00000000 00000000 00000000 00000000 00000003"}, /* invalid time_how */
        /* a guard with a boolean of 2 */
        {100003, 2,
         "00000000 00000000 00000000 00000000 00000000 00000000 00000002 0000000000000000"},
        {100003, 6, "0000000000000000"},
        {100003, 7, "0000000000000000 00000004 00000003 00000004 'data'"}, /* invalid stable_how */
        {100003, 7, "0000000000000000 ffffffff 00000000 ffffffff 'data'"},
        {100003, 7, "0000000000000000 00000004 00000000 fffffffd 'data'"},
        {100003, 7, "0000000000000000 00000004 00000000 00000004 'data' 00000000"},
        {100003, 8, "00000001 'n' 000000 00000003 0000000000000000"}, /* invalid createmode3 */
        {100003, 8, "00000001 'n' 000000 00000002 'shorter'  00000000"},
        {100003, 9, "00000001 'n' 000000"},
        {100003, 10, "00000001 'n' 000000 00000000"},
        {100003, 11, "00000001 'n' 000000 00000008"}, /* invalid ftype3 */
        {100003, 11, "00000001 'n' 000000 00000000"},
        {100003, 15, "ffffffff"},
        {100003, 21, "0000000000000000"},
        {100227, 1, ""},
        {100227, 2, "0000000f 00000401 00000401"},
        {100227, 2,
         "0000000f 15555556 15555556 00000001 00000000 00000007"}, /* entries of 2^32 + 8 bytes */
        {100227, 2, "0000000f ffffffff ffffffff"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        outcome_is(state, cases[i].program, 3, cases[i].procedure,
                   cases[i].program != MOUNT_PROGRAM ? with_handle(*state, "", cases[i].rest)
                                                     : cases[i].rest,
                   RPC_OUTCOME_GARBAGE_ARGS);
    for (uint32_t procedure = 1; procedure < NFS_PROCEDURES; procedure++)
        outcome_is(state, NFS_PROGRAM, 3, procedure, "", RPC_OUTCOME_GARBAGE_ARGS);
}

/* SQUASH_ROOT replaces user 0, and group 0 wherever it occurs, by nobody; SQUASH_ALL replaces
 * any user and group, and removes the further groups. */
TEST_CASE(squash)
{
    const struct caller all = {.uid = 0, .gid = 0, .gids = {7, 0, 8}, .gid_count = 3},
                        other = {.uid = 7, .gid = 8, .gids = {9}, .gid_count = 1};
    struct caller caller = all;

    caller_squash(&caller, SQUASH_NONE);
    assert_int_equal(caller.uid, 0);
    caller_squash(&caller, SQUASH_ROOT);
    assert_all((caller.uid, CALL_NOBODY), (caller.gid, CALL_NOBODY), (caller.gids[0], 7),
               (caller.gids[1], CALL_NOBODY), (caller.gid_count, 3));
    caller = other;
    caller_squash(&caller, SQUASH_ROOT);
    assert_int_equal(caller.uid, 7);
    caller_squash(&caller, SQUASH_ALL);
    assert_all((caller.uid, CALL_NOBODY), (caller.gid_count, 0));
}

/* A message with a credential or verifier above 400 bytes is no call (RFC 5531 section 8.2). */
TEST_CASE(long_credentials)
{
    static const struct {
        uint32_t credential, verifier;
        bool answered;
    } cases[] = {{400, 0, true},  {0, 400, true},         {401, 0, false},
                 {0, 401, false}, {UINT32_MAX, 0, false}, {0, UINT32_MAX, false}};
    static const uint8_t body[404];
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint8_t bytes[1000];
        struct wire_writer writer = wire_writer(bytes, sizeof bytes);

        for (size_t j = 0; j < 6; j++)
            wire_put_u32(&writer, (uint32_t[]){77, 0, 2, NFS_PROGRAM, 3, 0}[j]);
        wire_put_u32(&writer, RPC_FLAVOR_SHORT);
        wire_put_u32(&writer, cases[i].credential);
        wire_put_fixed(&writer, body, cases[i].credential <= 404 ? cases[i].credential : 0);
        wire_put_u32(&writer, RPC_FLAVOR_NONE);
        wire_put_u32(&writer, cases[i].verifier);
        wire_put_fixed(&writer, body, cases[i].verifier <= 404 ? cases[i].verifier : 0);
        send_bytes(fixture, bytes, (size_t)(writer.at - bytes), true);
        assert_int_equal(fixture->length > 0, cases[i].answered);
        if (cases[i].answered)
            assert_int_equal(fixture->header.auth_status, RPC_AUTH_BADCRED);
    }
}

TEST_CASE(credentials)
{
    static const char *const bad[] = {
        "00000001 00000000", /* an empty AUTH_SYS */
        "00000001 00000018 00000000 00000000 00000000 00000000 00000011 00000000", /* 17 gids */
        "00000001 00000018 00000000 00000000 00000000 00000000 00000000 00000000", /* more bytes */
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

TEST_GROUP(set_up, tear_down)
