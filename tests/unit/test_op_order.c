/* An order of ops, in which each op follows another as often as captured, and has as many calls as
 * wanted. */
#include "test.h"

#include "measure/op_order.h"

enum { OPS = 4, BLOCK = 50, BLOCKS = 400 };

/* after[A][B]: how often op B follows op A, for a client that looks up a name (op 0), gets
 * the attributes (op 1), reads the file many times (op 2), and rarely calls op 3. */
static const op_order_counts after = {
    [0] = {[1] = 100},
    [1] = {[2] = 90, [0] = 10},
    [2] = {[2] = 210, [0] = 80, [3] = 10},
    [3] = {[0] = 10},
};

/* Each op's number of calls in a block. Their ratio is nearly that of the sums of the rows of
 * AFTER, 100 : 100 : 300 : 10. */
static const uint32_t shares[OPS] = {10, 10, 29, 1};
static struct op_order order;

TEST_CASE(each_block_has_its_shares)
{
    random_seed(&order.random, 7);
    for (size_t block = 0; block < BLOCKS; block++) {
        uint32_t seen[OPS] = {0};

        op_order_begin(&order, &after, shares, OPS);
        for (size_t i = 0; i < BLOCK; i++)
            seen[op_order_next(&order, (unsigned)(i % 3))]++;
        assert_memory_equal(seen, shares, sizeof seen);
    }
}

TEST_CASE(what_follows_is_kept)
{
    double seen[OPS][OPS] = {{0}}, sums[OPS] = {0};
    size_t last[3] = {0};

    order = (struct op_order){.ops = 0};
    random_seed(&order.random, 8);
    for (size_t i = 0; i < (size_t)BLOCKS * BLOCK; i++) {
        size_t op;

        if (i % BLOCK == 0)
            op_order_begin(&order, &after, shares, OPS);
        op = op_order_next(&order, (unsigned)(i % 3));
        if (i >= 3) {
            seen[last[i % 3]][op]++;
            sums[last[i % 3]]++;
        }
        last[i % 3] = op;
    }
    assert_all((seen[0][1] / sums[0], 1, 0.1), (seen[1][2] / sums[1], 0.9, 0.1),
               (seen[2][2] / sums[2], 0.7, 0.1), (seen[2][0] / sums[2], 0.27, 0.1),
               (seen[3][0] / sums[3] > 0.8));
    assert_true(seen[0][0] / sums[0] < 0.05);
}

/* If no op is known to follow the latest op, the numbers of remaining calls decide the next op. */
TEST_CASE(a_dead_end_is_left)
{
    static const op_order_counts nothing;
    const uint32_t few[2] = {3, 3};
    uint32_t seen[2] = {0};

    random_seed(&order.random, 9);
    op_order_begin(&order, &nothing, few, 2);
    for (size_t i = 0; i < 6; i++)
        seen[op_order_next(&order, 0)]++;
    assert_memory_equal(seen, few, sizeof seen);
}
