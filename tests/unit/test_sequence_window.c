/* The window of sequence numbers: each number is taken once at most, in whatever order they come,
 * and none from below the window (RFC 2203 section 5.3.3.1). */
#include "test.h"

#include <stdlib.h>

#include "server/sequence_window.h"

static void numbers_in_order_are_taken_once(void **state)
{
    struct sequence_window window = {.highest = 0};

    for (uint32_t i = 1; i < 5 * SEQUENCE_WINDOW_SIZE; i++) {
        assert_true(sequence_window_take(&window, i));
        assert_false(sequence_window_take(&window, i));
    }
    assert_false(sequence_window_take(&window, 0));
}

static void numbers_below_the_window_are_not_taken(void **state)
{
    struct sequence_window window = {.highest = 0};

    assert_true(sequence_window_take(&window, 5000));
    assert_true(sequence_window_take(&window, 5000 - SEQUENCE_WINDOW_SIZE + 1));
    assert_false(sequence_window_take(&window, 5000 - SEQUENCE_WINDOW_SIZE));
    assert_false(sequence_window_take(&window, 1));
}

static void a_leap_forgets_nothing_that_it_must_know(void **state)
{
    struct sequence_window window = {.highest = 0};

    assert_true(sequence_window_take(&window, 10));
    assert_true(sequence_window_take(&window, 10 + SEQUENCE_WINDOW_SIZE - 1));
    assert_false(sequence_window_take(&window, 10));
    assert_true(sequence_window_take(&window, 11));
    assert_true(sequence_window_take(&window, UINT32_MAX));
    assert_false(sequence_window_take(&window, UINT32_MAX));
    assert_true(sequence_window_take(&window, UINT32_MAX - 1));
}

/* The same as of a window that remembers everything. */
static void any_order_is_as_by_the_definition(void **state)
{
    enum { NUMBERS = 20000, SPREAD = 3000 };
    static bool taken[NUMBERS + SPREAD];
    struct sequence_window window = {.highest = 0};
    uint32_t highest = 0;

    srand(1);
    for (uint32_t i = 1; i < NUMBERS; i++) {
        uint32_t number = i + (uint32_t)rand() % SPREAD;
        bool expected = !taken[number] && highest < number + SEQUENCE_WINDOW_SIZE;

        assert_int_equal(sequence_window_take(&window, number), expected);
        taken[number] = taken[number] || expected;
        highest = number > highest ? number : highest;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_order_are_taken_once),
        cmocka_unit_test(numbers_below_the_window_are_not_taken),
        cmocka_unit_test(a_leap_forgets_nothing_that_it_must_know),
        cmocka_unit_test(any_order_is_as_by_the_definition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
