/* Frames that are sorted by time. */
#include "test.h"

#include <string.h>

#include "capture/time_order.h"

enum { SEEN = 64 };

struct seen {
    uint64_t times[SEEN];
    uint8_t bytes[SEEN]; /* the first of each frame */
    size_t count;
};

static void see(void *context, const struct captured_frame *frame)
{
    struct seen *seen = context;

    assert_true(seen->count < SEEN);
    seen->times[seen->count] = frame->time;
    seen->bytes[seen->count++] = frame->bytes[0];
}

/* Add a frame of LENGTH bytes, whose first is NAME. */
static void add(struct time_order *order, uint64_t time, uint8_t name, size_t length)
{
    uint8_t bytes[256] = {name};
    const struct captured_frame frame = {.time = time, .bytes = bytes, .captured = length};

    assert_int_equal(time_order_add(order, &frame), 0);
}

static void assert_seen(const struct seen *seen, const char *names)
{
    assert_int_equal(seen->count, strlen(names));
    assert_memory_equal(seen->bytes, names, seen->count);
}

static void frames_are_sorted(void **state)
{
    struct seen seen = {.count = 0};
    struct time_order *order = time_order_open(3, 1000, &(struct time_order_sink){see, &seen});

    (void)state;
    add(order, 30, 'c', 1);
    add(order, 20, 'b', 1);
    add(order, 10, 'a', 1);
    assert_seen(&seen, "");
    add(order, 40, 'd', 1);
    assert_seen(&seen, "a");
    add(order, 25, 'B', 1);
    add(order, 50, 'e', 1);
    assert_seen(&seen, "abB");
    time_order_close(order);
    assert_seen(&seen, "abBcde");
    for (size_t i = 1; i < seen.count; i++)
        assert_true(seen.times[i] >= seen.times[i - 1]);
}

/* What happened at the same time, as far as the clock tells, stays in the order of the file. */
static void the_order_of_the_file_decides(void **state)
{
    struct seen seen = {.count = 0};
    struct time_order *order = time_order_open(9, 1000, &(struct time_order_sink){see, &seen});

    (void)state;
    for (const char *name = "abc"; *name; name++)
        add(order, 7, (uint8_t)*name, 1);
    add(order, 6, 'x', 1);
    add(order, 7, 'd', 1);
    time_order_close(order);
    assert_seen(&seen, "xabcd");
}

/* A frame that is earlier than one which was passed on comes late, and is not lost. */
static void what_comes_too_late_is_passed_on(void **state)
{
    struct seen seen = {.count = 0};
    struct time_order *order = time_order_open(1, 1000, &(struct time_order_sink){see, &seen});

    (void)state;
    add(order, 10, 'a', 1);
    add(order, 20, 'b', 1);
    add(order, 30, 'c', 1);
    add(order, 5, 'x', 1);
    time_order_close(order);
    assert_seen(&seen, "abxc");
}

/* Large frames are not held back in such numbers; of one that is too large, one is. */
static void bytes_are_bounded(void **state)
{
    struct seen seen = {.count = 0};
    struct time_order *order = time_order_open(9, 100, &(struct time_order_sink){see, &seen});

    (void)state;
    add(order, 1, 'a', 50);
    add(order, 2, 'b', 50);
    assert_seen(&seen, "");
    add(order, 3, 'c', 1);
    assert_seen(&seen, "a");
    add(order, 4, 'd', 200);
    assert_seen(&seen, "abc");
    time_order_close(order);
    assert_seen(&seen, "abcd");
    time_order_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_sorted),
        cmocka_unit_test(the_order_of_the_file_decides),
        cmocka_unit_test(what_comes_too_late_is_passed_on),
        cmocka_unit_test(bytes_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
