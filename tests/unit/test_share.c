#include "test.h"

#include "measure/statistics/estimate.h"

static struct interval share_of(double *part, double *rest, size_t rounds)
{
    struct interval share;
    struct error error;

    assert_int_equal(estimate_share_interval(part, rest, rounds, 1, &share, &error), 0);
    return share;
}

/* PART and REST drift by the same factor, so the share does not change. */
TEST_CASE(drift_is_in_both)
{
    double part[50], rest[50];
    struct interval share;

    for (size_t i = 0; i < COUNT_OF(part); i++) {
        part[i] = 1 + (double)i;
        rest[i] = 3 * part[i];
    }
    share = share_of(part, rest, COUNT_OF(part));
    assert_all((share.estimate, 0.25, 1e-12), (share.low, 0.25, 1e-12), (share.high, 0.25, 1e-12));
}

/* The estimate is the median of the rounds' shares, not the share of the sums. A round without any
 * time has the share 0. */
TEST_CASE(median_of_rounds)
{
    struct interval share = share_of((double[]){1, 1, 1000}, (double[]){9, 4, 0}, 3);

    assert_near(share.estimate, 0.2, 1e-12);
    assert_true(share.low >= 0.1 && share.high <= 1 && share.low < share.high);
    assert_near(share_of((double[]){0}, (double[]){0}, 1).estimate, 0, 0);
}
