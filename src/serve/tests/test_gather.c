/* The segments for a gathering send have the same bytes as a copy, with gaps and holes. */
#include "test.h"

#include "serve/transport/gather.h"

enum { SIZE = 64 * 1024, FEW = GATHER_LENGTH_MINIMUM - 1 };

static uint8_t replies[SIZE], joined[SIZE], content[20000];
static struct gather gather = {.minimum = GATHER_LENGTH_MINIMUM};

static void write_content(struct pages *pages, struct memory *memory)
{
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)(i % 251);
    assert_int_equal(pages_write(pages, memory, 0, content, sizeof content), 0);
}

/* Add two gaps, whose data begin within a page. The second gap's data extend into a hole. */
static void add_two(const struct pages *pages)
{
    memset(replies, 0xee, sizeof replies);
    assert_true(gather_add(&gather, pages, 100, replies + 50, 9001));
    assert_true(gather_add(&gather, pages, 15000, replies + 10000, 30000));
}

TEST_CASE(same_as_copied)
{
    struct memory memory = {.limit = 1 << 20};
    struct iovec segments[GATHER_SEGMENTS_MAXIMUM];
    struct pages pages = {0};
    size_t count, length = 0;

    write_content(&pages, &memory);
    add_two(&pages);
    count = gather_segments(&gather, replies, SIZE, segments);
    for (size_t i = 0; i < count; i++) {
        memcpy(joined + length, segments[i].iov_base, segments[i].iov_len);
        length += segments[i].iov_len;
    }
    assert_all((length, SIZE), (gather.count, 0));
    add_two(&pages);
    gather_copy(&gather, NULL);
    assert_memory_equal(joined, replies, SIZE);
    assert_memory_equal(replies + 50, content + 100, 9001);
    assert_all((replies[9051], 0xee), (replies[10000 + 5000], 0));
    /* Only the second gap is copied, as for a delayed reply. */
    add_two(&pages);
    gather_copy(&gather, replies + 60);
    assert_all((gather.count, 1), (replies[50], 0xee), (replies[10000], content[15000]));
    gather_copy(&gather, NULL);
    assert_all((gather.count, 0), (gather.segments, 0));
    assert_memory_equal(joined, replies, SIZE);
    pages_truncate(&pages, &memory, 0);
}

TEST_CASE(bounded)
{
    struct pages pages = {0};
    unsigned added = 0;

    assert_false(gather_add(&gather, &pages, 0, replies, FEW));
    while (added < GATHER_PIECES_MAXIMUM && gather_add(&gather, &pages, 0, replies, SIZE))
        added++;
    assert_in_range(added, 1, GATHER_SEGMENTS_MAXIMUM * PAGES_SIZE / SIZE);
    assert_false(gather_add(&gather, &pages, 0, replies, SIZE));
    gather_copy(&gather, NULL);
}
