#include "common/counted.h"
#include "test.h"

TEST_CASE(plural)
{
    assert_all((counted(0, "round").text, "0 rounds"), (counted(1, "round").text, "1 round"),
               (counted(2, "launch").text, "2 launches"), (counted(1, "launch").text, "1 launch"),
               (counted(3, "unmatched reply").text, "3 unmatched replies"),
               (counted(2, "day").text, "2 days"),
               (counted(UINT64_MAX, "call").text, "18446744073709551615 calls"));
}

TEST_CASE(long_noun)
{
    char noun[3 * COUNTED_SIZE];

    memset(noun, 'n', sizeof noun - 1);
    noun[sizeof noun - 1] = '\0';
    assert_int_equal(strlen(counted(12, noun).text), COUNTED_SIZE - 1);
}
