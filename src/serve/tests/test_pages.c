/* The data of the server's files: sparse, bounded, and equal to a plain array. */
#include "test.h"

#include "common/random.h"
#include "serve/export/pages.h"

#define FAR ((uint64_t)INT64_MAX)

TEST_CASE(holes_and_ends)
{
    struct memory memory = {.limit = 1 << 20};
    struct pages pages = {.root = NULL};
    uint8_t bytes[10];

    assert_int_equal(pages_write(&pages, &memory, FAR - 3, (const uint8_t *)"end", 3), 0);
    assert_int_equal(pages_write(&pages, &memory, 5, (const uint8_t *)"five", 4), 0);
    pages_read(&pages, 0, bytes, 10);
    assert_memory_equal(bytes, "\0\0\0\0\0five\0", 10);
    pages_read(&pages, FAR - 4, bytes, 4);
    assert_memory_equal(bytes, "\0end", 4);
    assert_int_equal(pages.count, 2);
    pages_truncate(&pages, &memory, 7);
    pages_read(&pages, 4, bytes, 6);
    assert_memory_equal(bytes, "\0fi\0\0\0", 6);
    assert_int_equal(pages.count, 1);
    pages_read(&pages, FAR - 4, bytes, 4);
    assert_memory_equal(bytes, "\0\0\0\0", 4);
    pages_truncate(&pages, &memory, 0);
    assert_int_equal(memory.used, 0);
}

TEST_CASE(bounded)
{
    struct memory memory = {.limit = 3 * PAGES_SIZE - 1};
    struct pages pages = {.root = NULL};
    uint8_t bytes[PAGES_SIZE] = {1};

    assert_int_equal(pages_write(&pages, &memory, 0, bytes, sizeof bytes), 0);
    /* The first of these writes needs a table and a page, for which there is no memory. */
    assert_all((pages_write(&pages, &memory, 2 * PAGES_SIZE, bytes, 1), -ENOSPC),
               (pages_write(&pages, &memory, PAGES_SIZE / 2, bytes, 1), 0), (pages.count, 1));
    pages_truncate(&pages, &memory, 0);
    assert_int_equal(memory.used, 0);
}

/* A refused write keeps no pages, even in the middle of a hole. */
TEST_CASE(refused_takes_nothing)
{
    struct memory memory = {.limit = 40 * PAGES_SIZE};
    struct pages pages = {.root = NULL};
    uint8_t *bytes = calloc(50, PAGES_SIZE);

    bytes[0] = bytes[49 * PAGES_SIZE] = 1;
    assert_all((pages_write(&pages, &memory, 1000 * PAGES_SIZE, bytes, PAGES_SIZE), 0),
               (pages_write(&pages, &memory, 10 * PAGES_SIZE, bytes, 50 * PAGES_SIZE), -ENOSPC),
               (pages.count, 1),
               (pages_write(&pages, &memory, 10 * PAGES_SIZE, bytes, 30 * PAGES_SIZE), 0));
    pages_truncate(&pages, &memory, 0);
    assert_int_equal(memory.used, 0);
    free(bytes);
}

/* Random operations, compared with an array that is changed in the same way. */
TEST_CASE(like_an_array)
{
    enum { SIZE = 3 << 20, STEPS = 3000 };
    struct memory memory = {.limit = UINT64_MAX};
    struct pages pages = {.root = NULL};
    uint8_t *model = calloc(1, SIZE), *read = malloc(SIZE), *written = malloc(SIZE);
    struct random random;

    random_seed(&random, 4);
    for (size_t i = 0; i < SIZE; i++)
        written[i] = (uint8_t)random_next(&random);
    for (int i = 0; i < STEPS; i++) {
        uint32_t offset = random_below(&random, SIZE);
        uint32_t length = random_below(&random, i % 10 == 0 ? SIZE - offset : 9000);

        length = length < SIZE - offset ? length : SIZE - offset;
        if (i % 17 == 0) {
            pages_truncate(&pages, &memory, offset);
            memset(model + offset, 0, SIZE - offset);
        } else {
            assert_int_equal(pages_write(&pages, &memory, offset, written, length), 0);
            memcpy(model + offset, written, length);
        }
        if (i % 100 == 0 || i == STEPS - 1) {
            pages_read(&pages, 0, read, SIZE);
            assert_memory_equal(read, model, SIZE);
        }
    }
    pages_truncate(&pages, &memory, 0);
    assert_int_equal(memory.used, 0);
    free(model);
    free(read);
    free(written);
}
