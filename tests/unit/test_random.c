#include "test.h"

#include "common/random.h"

/* The state of xoshiro256** is the first four outputs of SplitMix64 from seed 0, which are
 * published with SplitMix64. The outputs of xoshiro256** follow from this state. */
TEST_CASE(sequence)
{
    struct random random;

    random_seed(&random, 0);
    assert_all((random.state[0], 0xe220a8397b1dcdaf), (random.state[1], 0x6e789e6aa1b965f4),
               (random.state[2], 0x06c45d188009454f), (random.state[3], 0xf88bb8a8724c81ec),
               (random_next(&random), 0x99ec5f36cb75f2b4),
               (random_next(&random), 0xbf6e1f784956452a));
}

TEST_CASE(below_is_uniform)
{
    struct random random;
    unsigned counts[7] = {0};

    random_seed(&random, 1);
    for (int i = 0; i < 70000; i++)
        counts[random_below(&random, 7)]++;
    for (int i = 0; i < 7; i++)
        /* the tolerance is more than 4 standard deviations */
        assert_in_range(counts[i], 9600, 10400);
    for (int i = 0; i < 100; i++)
        assert_int_equal(random_below(&random, 1), 0);
}

TEST_CASE(shuffle_makes_every_order)
{
    struct random random;
    unsigned counts[27] = {0}, orders = 0;

    random_seed(&random, 2);
    for (int i = 0; i < 6000; i++) {
        size_t items[] = {0, 1, 2};

        random_shuffle(&random, items, 3);
        counts[items[0] * 9 + items[1] * 3 + items[2]]++;
    }
    for (int i = 0; i < 27; i++)
        if (counts[i]) {
            orders++;
            assert_in_range(counts[i], 850, 1150);
        }
    assert_int_equal(orders, 6);
}
