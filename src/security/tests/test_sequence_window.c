/* The window of sequence numbers (RFC 2203 section 5.3.3.1): in any order, each number is accepted
 * at most once, and a number below the window is never accepted. */
#include "test.h"

#include "security/sequence_window.h"

TEST_CASE(a_leap_forgets_nothing_that_it_must_know)
{
    struct sequence_window window = {.size = SEQUENCE_WINDOW_MAXIMUM};

    assert_all((!sequence_window_take(&window, 0)), (sequence_window_take(&window, 10)),
               (sequence_window_take(&window, 10 + SEQUENCE_WINDOW_MAXIMUM - 1)),
               (!sequence_window_take(&window, 10)), (sequence_window_take(&window, 11)),
               (sequence_window_take(&window, UINT32_MAX)),
               (!sequence_window_take(&window, UINT32_MAX)),
               (sequence_window_take(&window, UINT32_MAX - 1)));
}

/* Compare the window with an array that remembers all numbers. */
static void check_any_order(uint32_t size)
{
    enum { NUMBERS = 20000, SPREAD = 3000 };
    bool taken[NUMBERS + SPREAD] = {false};
    struct sequence_window window = {.size = size};
    uint32_t highest = 0;

    srand(1);
    for (uint32_t i = 1; i < NUMBERS; i++) {
        uint32_t number = i + (uint32_t)rand() % SPREAD;
        bool expected = !taken[number] && highest < number + size;

        assert_int_equal(sequence_window_take(&window, number), expected);
        taken[number] = taken[number] || expected;
        highest = number > highest ? number : highest;
    }
}

TEST_CASE(any_order_is_as_by_the_definition)
{
    static const uint32_t sizes[] = {1, 2, 63, 64, 1000, SEQUENCE_WINDOW_MAXIMUM};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check_any_order(sizes[i]);
}
