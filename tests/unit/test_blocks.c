/* What was called stable is expected to be there, and nothing else. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "outage/blocks.h"

enum { SIZE = 64 };

static int set_up(void **state)
{
    struct blocks *blocks = calloc(1, sizeof *blocks);

    assert_int_equal(blocks_open(blocks, SIZE, 7), 0);
    *state = blocks;
    return 0;
}

static int tear_down(void **state)
{
    blocks_close(*state);
    free(*state);
    return 0;
}

/* Write a block, which is then STATE with verifier 1. Returns its index. */
static long write_one(struct blocks *blocks, enum block_state state)
{
    long index = blocks_begin_write(blocks);

    assert_true(index >= 0);
    blocks_end_write(blocks, (size_t)index, state, 1, 1000);
    return index;
}

static struct block_loss read_one(struct blocks *blocks, long expected, const uint8_t *data,
                                  size_t length)
{
    struct block_loss loss;

    assert_int_equal(blocks_begin_read(blocks), expected);
    blocks_end_read(blocks, (size_t)expected, data, length, &loss);
    return loss;
}

TEST_CASE_WITH(stable_data_that_are_there_are_right, set_up, tear_down)
{
    struct blocks *blocks = *state;
    long index = write_one(blocks, BLOCK_SYNC);
    uint8_t data[SIZE];

    blocks_fill(blocks, blocks->sequence, data);
    assert_int_equal(read_one(blocks, index, data, SIZE).fault, BLOCK_RIGHT);
}

TEST_CASE_WITH(what_is_gone_older_or_foreign_is_lost, set_up, tear_down)
{
    struct blocks *blocks = *state;
    uint8_t older[SIZE], data[SIZE] = {0};
    long first = write_one(blocks, BLOCK_SYNC), second;
    struct block_loss loss;

    blocks_fill(blocks, blocks->sequence, older);
    loss = read_one(blocks, first, data, SIZE); /* zeros */
    assert_int_equal(loss.fault, BLOCK_MISSING);
    assert_int_equal(loss.state, BLOCK_SYNC);
    assert_int_equal(loss.at_ns, 1000);
    second = write_one(blocks, BLOCK_SYNC);
    assert_int_equal(read_one(blocks, second, older, SIZE).fault, BLOCK_OLDER);
    second = write_one(blocks, BLOCK_SYNC);
    memset(data, 0x55, sizeof data);
    assert_int_equal(read_one(blocks, second, data, SIZE).fault, BLOCK_OTHER);
    second = write_one(blocks, BLOCK_SYNC);
    assert_int_equal(read_one(blocks, second, older, SIZE / 2).fault, BLOCK_MISSING);
    assert_int_equal(blocks_begin_read(blocks), -1); /* each is lost once */
}

TEST_CASE_WITH(unstable_data_are_stable_once_committed_with_the_same_verifier, set_up, tear_down)
{
    struct blocks *blocks = *state;
    long index = write_one(blocks, BLOCK_UNSTABLE);
    uint64_t before = blocks->acknowledgements;
    uint8_t nothing[SIZE] = {0};

    assert_int_equal(blocks_begin_read(blocks), -1);
    write_one(blocks, BLOCK_UNSTABLE); /* after the COMMIT was sent */
    blocks_commit(blocks, before, 1);
    assert_int_equal(read_one(blocks, index, nothing, SIZE).state, BLOCK_COMMITTED);
    blocks_commit(blocks, blocks->acknowledgements, 2); /* a restart in between */
    assert_int_equal(blocks->uncommitted, 1);
    assert_int_equal(blocks_begin_read(blocks), -1);
}

TEST_CASE_WITH(what_has_to_be_checked_is_not_overwritten, set_up, tear_down)
{
    struct blocks *blocks = *state;
    uint8_t data[SIZE];

    for (int i = 0; i < BLOCKS_USUAL; i++)
        assert_int_equal(write_one(blocks, BLOCK_SYNC), i);
    assert_int_equal(write_one(blocks, BLOCK_SYNC), 0);
    blocks_check_again(blocks);
    assert_int_equal(blocks_unchecked(blocks), BLOCKS_USUAL);
    assert_int_equal(write_one(blocks, BLOCK_SYNC), BLOCKS_USUAL);
    blocks_fill(blocks, BLOCKS_USUAL + 1, data);
    assert_int_equal(read_one(blocks, 0, data, SIZE).fault, BLOCK_RIGHT);
    assert_int_equal(blocks_unchecked(blocks), BLOCKS_USUAL - 1);
    assert_int_equal(write_one(blocks, BLOCK_SYNC), BLOCKS_USUAL);
    assert_int_equal(write_one(blocks, BLOCK_SYNC), 0);
}

TEST_CASE_WITH(a_failed_write_or_read_says_nothing, set_up, tear_down)
{
    struct blocks *blocks = *state;
    long index = write_one(blocks, BLOCK_SYNC);
    uint8_t data[SIZE];

    blocks_fill(blocks, blocks->sequence, data);
    assert_int_equal(read_one(blocks, index, NULL, 0).fault, BLOCK_RIGHT);
    assert_int_equal(read_one(blocks, index, data, SIZE).fault, BLOCK_RIGHT);
    write_one(blocks, BLOCK_UNKNOWN);
    assert_int_equal(blocks_next_stable(blocks, -1), index);
    assert_int_equal(blocks_next_stable(blocks, index), -1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
