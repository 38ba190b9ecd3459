/* Data that were called stable are expected to be there, and no other data. */
#include "test.h"

#include "outage/blocks.h"

enum { SIZE = 64 };

static struct blocks blocks;
static uint8_t data[SIZE];

static struct block_loss last;

static void record_loss(void *context, const struct block_loss *loss)
{
    last = *loss;
}

FIXTURE(set_up, blocks_open(&blocks, SIZE, 7, record_loss, NULL))

FIXTURE(tear_down, blocks_close(&blocks), 0)

/* Write a block, which is then in STATE and has verifier 1. Returns its index. */
static long write_one(enum block_state state)
{
    long index = blocks_begin_write(&blocks);

    assert_true(index >= 0);
    blocks_end_write(&blocks, (size_t)index, state, 1, 1000);
    return index;
}

static enum block_fault read_one(long expected, const uint8_t *read, size_t length)
{
    assert_int_equal(blocks_begin_read(&blocks), expected);
    return blocks_end_read(&blocks, (size_t)expected, read, length, true);
}

TEST_CASE_WITH(stable_data_that_are_there_are_right, set_up, tear_down)
{
    long index = write_one(BLOCK_SYNC);

    blocks_make_data(&blocks, blocks.sequence, data);
    assert_int_equal(read_one(index, data, SIZE), BLOCK_RIGHT);
}

/* Wrong data that may be from another file are no loss: the block is read again. */
TEST_CASE_WITH(nothing_is_lost_before_it_is_sure_what_was_read, set_up, tear_down)
{
    static const uint8_t foreign[SIZE] = {0x55, 0x55};
    long index = write_one(BLOCK_SYNC);

    last.at_ns = 0;
    blocks_begin_read(&blocks);
    assert_int_equal(blocks_end_read(&blocks, (size_t)index, foreign, SIZE, false), BLOCK_OTHER);
    assert_all((last.at_ns, 0), (blocks_unchecked(&blocks), 1));
    assert_int_equal(read_one(index, foreign, SIZE), BLOCK_OTHER);
    assert_all((last.at_ns, 1000), (blocks_unchecked(&blocks), 0));
}

TEST_CASE_WITH(what_went_to_another_file_is_not_expected, set_up, tear_down)
{
    write_one(BLOCK_SYNC);
    blocks_check_again(&blocks);
    blocks_forget_since(&blocks, 1000);
    assert_int_equal(blocks_next_stable(&blocks, -1), 0);
    blocks_forget_since(&blocks, 999);
    assert_all((blocks_next_stable(&blocks, -1), -1), (blocks_unchecked(&blocks), 0));
}

TEST_CASE_WITH(what_is_gone_older_or_foreign_is_lost, set_up, tear_down)
{
    static const uint8_t nothing[SIZE], foreign[SIZE] = {0x55, 0x55};
    const struct {
        const uint8_t *data;
        size_t length;
        enum block_fault fault;
    } reads[] = {{nothing, SIZE, BLOCK_MISSING},
                 {data, SIZE, BLOCK_OLDER},
                 {foreign, SIZE, BLOCK_OTHER},
                 {data, SIZE / 2, BLOCK_MISSING}};

    for (size_t i = 0; i < COUNT_OF(reads); i++) {
        long index = write_one(BLOCK_SYNC);

        if (i == 0)
            blocks_make_data(&blocks, blocks.sequence, data);
        assert_all((read_one(index, reads[i].data, reads[i].length), reads[i].fault),
                   (last.fault, reads[i].fault), (last.state, BLOCK_SYNC), (last.at_ns, 1000));
    }
    assert_int_equal(blocks_begin_read(&blocks), -1); /* lost blocks are not read again */
}

TEST_CASE_WITH(unstable_data_are_stable_once_committed_with_the_same_verifier, set_up, tear_down)
{
    long index = write_one(BLOCK_UNSTABLE);
    uint64_t before = blocks.acknowledgements;
    static const uint8_t nothing[SIZE];

    assert_int_equal(blocks_begin_read(&blocks), -1);
    write_one(BLOCK_UNSTABLE); /* written after the COMMIT was sent */
    blocks_commit(&blocks, before, 1);
    read_one(index, nothing, SIZE);
    assert_int_equal(last.state, BLOCK_COMMITTED);
    blocks_commit(&blocks, blocks.acknowledgements, 2); /* the server restarted in between */
    assert_all((blocks.uncommitted, 1), (blocks_begin_read(&blocks), -1));
}

TEST_CASE_WITH(what_has_to_be_checked_is_not_overwritten, set_up, tear_down)
{
    for (int i = 0; i < BLOCKS_USUAL; i++)
        assert_int_equal(write_one(BLOCK_SYNC), i);
    assert_int_equal(write_one(BLOCK_SYNC), 0);
    blocks_check_again(&blocks);
    assert_all((blocks_unchecked(&blocks), BLOCKS_USUAL), (write_one(BLOCK_SYNC), BLOCKS_USUAL));
    blocks_make_data(&blocks, BLOCKS_USUAL + 1, data);
    assert_all((read_one(0, data, SIZE), BLOCK_RIGHT),
               (blocks_unchecked(&blocks), BLOCKS_USUAL - 1), (write_one(BLOCK_SYNC), BLOCKS_USUAL),
               (write_one(BLOCK_SYNC), 0));
}

TEST_CASE_WITH(a_failed_write_or_read_says_nothing, set_up, tear_down)
{
    long index = write_one(BLOCK_SYNC);

    blocks_make_data(&blocks, blocks.sequence, data);
    assert_all((read_one(index, NULL, 0), BLOCK_RIGHT), (read_one(index, data, SIZE), BLOCK_RIGHT));
    write_one(BLOCK_UNKNOWN);
    assert_all((blocks_next_stable(&blocks, -1), index), (blocks_next_stable(&blocks, index), -1),
               (blocks_lose_all(&blocks), 1), (last.fault, BLOCK_MISSING));
}
