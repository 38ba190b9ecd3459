/* Xids do not repeat, can't be guessed from earlier ones, and show whether their call was made. */
#include <stdlib.h>

#include "engine/channel/xid.h"
#include "test.h"

static struct xid_series series;

TEST_CASE(no_repeats)
{
    static const unsigned widths[] = {1, 2, 3, 16, 17, 20};

    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        uint32_t count = 1u << widths[i];
        bool *used = calloc(count, sizeof *used);

        xid_series_begin(&series, widths[i]);
        for (uint32_t n = 0; n < count; n++) {
            uint32_t xid = xid_for(&series, series.first + n);

            assert_true(xid < count);
            assert_false(used[xid]);
            used[xid] = true;
        }
        free(used);
    }
}

static void check_used(unsigned bits)
{
    uint32_t first, calls = 1000;

    xid_series_begin(&series, bits);
    first = series.first;
    for (uint32_t n = 0; n < 2 * calls; n++)
        assert_int_equal(xid_was_used(&series, first, first + calls, xid_for(&series, first + n)),
                         n <= calls);
    assert_false(xid_was_used(&series, first, first + calls, xid_for(&series, first - 1)));
    assert_true(xid_was_used(&series, first, first - 1, xid_for(&series, first + 7)));
}

TEST_CASE(used)
{
    static const unsigned widths[] = {16, 17, 26, 31, 32};

    for (size_t i = 0; i < COUNT_OF(widths); i++)
        for (int seed = 0; seed < 20; seed++)
            check_used(widths[i]);
}

/* A server that guesses the next xid from the last one, by a small number or by the difference of
 * two earlier xids, is rarely right. */
TEST_CASE(not_guessed)
{
    enum { CALLS = 2000, STEPS = 64 };
    uint32_t xids[CALLS], guessed = 0;

    xid_series_begin(&series, 32);
    for (uint32_t n = 0; n < CALLS; n++)
        xids[n] = xid_for(&series, series.first + n);
    for (uint32_t n = STEPS + 2; n < CALLS; n++)
        for (uint32_t back = 2; back < STEPS; back++)
            guessed += xids[n] - xids[n - 1] == xids[n - back] - xids[n - back - 1] ||
                       xids[n] == xids[n - 1] + back - 1 || xids[n] == xids[n - 1] - back + 1 ||
                       (xids[n] ^ xids[n - 1]) == (xids[n - back] ^ xids[n - back - 1]);
    assert_true(guessed < CALLS / 100);
}
