/* Which calls wait for the server's limits. The delays are long, so that the speed of the machine
 * does not matter. */
#include "service.h"

#define HOURS UINT64_C(3600000000000)

/* Call NFS PROCEDURE with the handle of PATH (none if PATH is empty), followed by REST. Returns the
 * reply's delay in ns. */
static uint64_t delay_of(struct fixture *fixture, uint32_t procedure, const char *path,
                         const char *rest)
{
    fixture->exported.policy.habits = HABIT_NO_CACHE; /* because all calls have the same xid */
    call(fixture, NFS_PROGRAM, procedure, OWNER, *path ? with_handle(fixture, path, rest) : rest);
    return fixture->delay_ns;
}

static void limit(struct fixture *fixture)
{
    limits_close(&fixture->exported.limits);
    memset(&fixture->exported.limits, 0, sizeof fixture->exported.limits);
    limits_open(&fixture->exported.limits, &fixture->exported.policy);
}

#define OF_ONE_BYTE "00000000 00000000 00000001"

/* Stable WRITEs and COMMITs wait for the device. Other calls, and calls that fail, do not. */
TEST_CASE_WITH(device, set_up, tear_down)
{
    static const struct {
        uint32_t procedure;
        const char *path, *rest;
        bool waits;
    } cases[] = {
        {NFSPROC3_NULL, "", "", false},
        {NFSPROC3_GETATTR, "file", "", false},
        {NFSPROC3_READ, "file", OF_ONE_BYTE, false},
        {NFSPROC3_WRITE, "file", OF_ONE_BYTE "00000000 00000001 'x' 000000", false},
        {NFSPROC3_WRITE, "file", OF_ONE_BYTE "00000001 00000001 'x' 000000", true},
        {NFSPROC3_WRITE, "file", OF_ONE_BYTE "00000002 00000001 'x' 000000", true},
        {NFSPROC3_WRITE, "file", OF_ONE_BYTE "00000002 00000002 'xy' 0000", false}, /* INVAL */
        {NFSPROC3_COMMIT, "file", OF_ONE_BYTE, true},
        {NFSPROC3_COMMIT, "dir", OF_ONE_BYTE, false}, /* ISDIR */
    };
    struct fixture *fixture = *state;

    fixture->exported.policy.device = (struct policy_device){HOURS, 1};
    limit(fixture);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(delay_of(fixture, cases[i].procedure, cases[i].path, cases[i].rest) > 0,
                         cases[i].waits);
}

/* NULL and calls of MOUNT are not limited. */
TEST_CASE_WITH(calls_per_second, set_up, tear_down)
{
    struct fixture *fixture = *state;

    fixture->exported.policy.call_rate = (struct policy_rate){1, 2};
    limit(fixture);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(delay_of(fixture, NFSPROC3_NULL, "", ""), 0);
        call(fixture, MOUNT_PROGRAM, 0, 0, "");
        assert_int_equal(fixture->delay_ns, 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(delay_of(fixture, NFSPROC3_GETATTR, "file", ""), 0);
    for (int i = 0; i < 200; i++)
        delay_of(fixture, NFSPROC3_GETATTR, "dir", "");
    assert_all((fixture->delay_ns > 0), (delay_of(fixture, NFSPROC3_NULL, "", ""), 0));
}

/* The limit counts the bytes that READs return and WRITEs write, not those that READs request. */
TEST_CASE_WITH(bytes_per_second, set_up, tear_down)
{
    struct fixture *fixture = *state;

    fixture->exported.policy.byte_rate = (struct policy_rate){1, 4};
    limit(fixture);
    assert_all(
        (delay_of(fixture, NFSPROC3_READ, "file", "00000000 00ffffff 00000064"), 0),
        (delay_of(fixture, NFSPROC3_READ, "file", "00000000 000ffffe 00000064"), 0),
        (delay_of(fixture, NFSPROC3_WRITE, "file",
                  "00000000 00000000 00000002 00000000 00000002 'xy' 0000"),
         0),
        (delay_of(fixture, NFSPROC3_GETATTR, "file", ""), 0),
        (delay_of(fixture, NFSPROC3_READ, "file", "00000000 00000000 00010000") > 0),
        (delay_of(fixture, NFSPROC3_WRITE, "file", OF_ONE_BYTE "00000000 00000001 'x' 000000") > 0),
        (delay_of(fixture, NFSPROC3_GETATTR, "file", ""), 0));
}
