/* Sharing a block's calls among threads: each call is made once; the block has one steady phase. */
#include "test.h"

#include <pthread.h>

#include "engine/work.h"

enum { THREADS = 8, COUNT = 200000 };

static struct engine_work work;
static _Atomic unsigned char taken[COUNT];

static void begin(size_t count, unsigned filling)
{
    memset(&work, 0, sizeof work);
    work.count = count;
    work.filling = filling;
}

static void *take_all(void *argument)
{
    size_t wanted = *(size_t *)argument, first, got, after = 0;
    uint64_t now = 1000 + wanted;

    work_note_first_reply(&work, now);
    while ((got = work_take(&work, wanted, &first)) > 0) {
        if (got > wanted || first < after || first + got > COUNT)
            return argument;
        after = first + got;
        for (size_t i = 0; i < got; i++)
            taken[first + i]++;
        work_is_steady(&work, now);
    }
    work_ends(&work, 2000 + wanted);
    return NULL;
}

/* Several threads take different numbers of calls at once. */
TEST_CASE(each_once)
{
    size_t wanted[THREADS] = {1, 2, 3, 7, 64, 1000, 1, 65536};
    pthread_t threads[THREADS];
    void *result;

    begin(COUNT, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_all, &wanted[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &result);
        assert_null(result);
    }
    for (size_t i = 0; i < COUNT; i++)
        if (taken[i] != 1)
            fail_msg("call %zu was taken %d times", i, taken[i]);
    assert_true(work_is_all_taken(&work));
    assert_in_range(work.from, 1001, 1000 + 65536);
    assert_in_range(work.until, 2001, 2000 + 65536);
}

TEST_CASE(take)
{
    size_t first = 99;

    begin(10, 1);
    assert_all((work_take(&work, 4, &first), 4), (first, 0), (!work_is_all_taken(&work)),
               (work_take(&work, 100, &first), 6), (first, 4), (work_is_all_taken(&work)));
    for (int i = 0; i < 3; i++)
        assert_int_equal(work_take(&work, SIZE_MAX / 4, &first), 0);
    begin(0, 1);
    assert_int_equal(work_take(&work, 1, &first), 0);
}

TEST_CASE(steady)
{
    begin(10, 3);
    assert_false(work_is_steady(&work, 100));
    work_note_first_reply(&work, 100);
    work_note_first_reply(&work, 110);
    assert_false(work_is_steady(&work, 115));
    work_note_first_reply(&work, 120); /* first reply on the last connection */
    assert_all((!work_is_steady(&work, 120)), (work_is_steady(&work, 121)));
    work_ends(&work, 200);
    work_ends(&work, 300);
    assert_all((work_is_steady(&work, 200)), (!work_is_steady(&work, 201)));
}

TEST_CASE(lead_in)
{
    size_t first;

    begin(10, 1);
    work.lead_in = 4;
    work_take(&work, 3, &first);
    work_note_first_reply(&work, 100);
    assert_all((!work_is_steady(&work, 110)), (work.from, 0));
    work_take(&work, 1, &first);
    assert_all((!work_is_steady(&work, 120)), (work.from, 120), (work_is_steady(&work, 121)));
}

/* If the complete block counts, FROM is set to the block's begin. First replies do not change
 * FROM. */
TEST_CASE(without_ramp)
{
    begin(10, 1);
    work.from = 50;
    work_note_first_reply(&work, 100);
    assert_int_equal(work.from, 50);
}
