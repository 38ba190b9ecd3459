#include "test.h"

#include "engine/stalls.h"

enum { MS = 1000 * 1000 };

TEST_CASE(a_stall_is_long_and_unusual)
{
    assert_all((!stall_is_one(99.0 * MS, 0.1 * MS)), (stall_is_one(101.0 * MS, 0.1 * MS)),
               (stall_is_one(101.0 * MS, 0)));
    assert_false(stall_is_one(900.0 * MS, 10.0 * MS)); /* below 1 s: not 100 times the usual */
    assert_true(stall_is_one(1000.0 * MS, 100.0 * MS));
    assert_false(stall_is_one(1500.0 * MS, 800.0 * MS)); /* less than twice the usual */
}

TEST_CASE(calls_that_wait_together_are_one)
{
    struct stalls stalls = {.count = 0};

    stalls_note(&stalls, &(struct stall){100, 300, 1, "null"});
    stalls_note(&stalls, &(struct stall){250, 400, 1, "null"});
    stalls_note(&stalls, &(struct stall){50, 120, 1, "read"});
    stalls_note(&stalls, &(struct stall){500, 600, 1, "write"});
    assert_all((stalls.count, 2), (stalls.list[0].began_ns, 50), (stalls.list[0].ended_ns, 400),
               (stalls.list[0].calls, 3), (stalls.list[0].series, "null"),
               (stalls.list[1].series, "write"));
}

TEST_CASE(those_beyond_the_room_are_counted)
{
    struct stalls stalls = {.count = 0};

    for (uint64_t i = 0; i < STALLS_MAXIMUM + 3; i++)
        stalls_note(&stalls, &(struct stall){10 * i, 10 * i + 1, 1, "null"});
    assert_all((stalls.count, STALLS_MAXIMUM), (stalls.not_kept, 3));
}
