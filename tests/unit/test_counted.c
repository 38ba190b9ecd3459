/* Numbers with what they count. */
#include <string.h>

#include "common/counted.h"
#include "test.h"

static void test_plural(void **state)
{
    (void)state;
    assert_string_equal(counted(0, "round").text, "0 rounds");
    assert_string_equal(counted(1, "round").text, "1 round");
    assert_string_equal(counted(2, "launch").text, "2 launches");
    assert_string_equal(counted(1, "launch").text, "1 launch");
    assert_string_equal(counted(3, "unmatched reply").text, "3 unmatched replies");
    assert_string_equal(counted(2, "day").text, "2 days");
    assert_string_equal(counted(UINT64_MAX, "call").text, "18446744073709551615 calls");
}

static void test_long_noun(void **state)
{
    char noun[3 * COUNTED_SIZE];

    (void)state;
    memset(noun, 'n', sizeof noun - 1);
    noun[sizeof noun - 1] = '\0';
    assert_int_equal(strlen(counted(12, noun).text), COUNTED_SIZE - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plural),
                                       cmocka_unit_test(test_long_noun)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
