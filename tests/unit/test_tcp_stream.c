/* One direction of a connection: what its receiver had, in order, with holes for what is missing.
 * The stream is "abcdefghij..." from sequence number FIRST on. */
#include "test.h"

#include <string.h>

#include "capture/tcp_stream.h"

static const uint32_t FIRST = UINT32_C(0xfffffffc); /* numbers wrap around after a few bytes */

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

struct stream_test {
    struct tcp_stream stream;
    struct allowance allowance;
    char taken[200]; /* '.' for each byte of a hole */
    size_t length;
    uint64_t last_time;
    unsigned begun, from_start;
};

static void note_begin(void *context, bool from_start)
{
    struct stream_test *test = context;

    test->begun++;
    test->from_start += from_start;
}

static void note_bytes(void *context, uint64_t time, const uint8_t *bytes, size_t length)
{
    struct stream_test *test = context;

    assert_true(length > 0 && test->length + length < sizeof test->taken);
    if (bytes)
        memcpy(test->taken + test->length, bytes, length);
    else
        memset(test->taken + test->length, '.', length);
    test->length += length;
    test->last_time = time;
}

static void add_packet(struct stream_test *test, struct packet packet, uint64_t time)
{
    const struct tcp_sink sink = {note_begin, note_bytes, test};

    tcp_stream_add(&test->stream, &packet, time, &test->allowance, &sink);
}

/* The letters FROM to TO, at time TIME. */
static void add(struct stream_test *test, size_t from, size_t to, uint64_t time)
{
    add_packet(test,
               (struct packet){.sequence = FIRST + (uint32_t)from,
                               .flags = PACKET_ACK,
                               .data = (const uint8_t *)letters + from,
                               .captured = to - from,
                               .length = to - from},
               time);
}

static void acknowledge(struct stream_test *test, size_t to)
{
    const struct tcp_sink sink = {note_begin, note_bytes, test};

    tcp_stream_acknowledge(&test->stream, FIRST + (uint32_t)to, &test->allowance, &sink);
}

static void end(struct stream_test *test)
{
    const struct tcp_sink sink = {note_begin, note_bytes, test};

    tcp_stream_end(&test->stream, &test->allowance, &sink);
    assert_int_equal(test->allowance.held, 0);
}

static struct stream_test new_test(void)
{
    return (struct stream_test){.allowance.limit = 1 << 20};
}

static void segments_in_order_are_passed_on(void **state)
{
    struct stream_test test = new_test();

    add_packet(&test, (struct packet){.sequence = FIRST - 1, .flags = PACKET_SYN}, 1);
    add(&test, 0, 3, 2);
    add(&test, 3, 8, 3);
    assert_string_equal(test.taken, "abcdefgh");
    assert_int_equal(test.from_start, 1);
    end(&test);
}

static void what_comes_twice_is_passed_on_once(void **state)
{
    struct stream_test test = new_test();

    add(&test, 0, 4, 1);
    add(&test, 0, 4, 2);
    add(&test, 2, 6, 3);
    assert_string_equal(test.taken, "abcdef");
    assert_int_equal(test.stream.counts.retransmitted, 1);
    end(&test);
}

/* Where copies disagree, the receiver has the bytes that came first, also where they had to wait.
 */
static void what_came_first_counts(void **state)
{
    struct stream_test test = new_test();
    struct packet other = {.sequence = FIRST + 2,
                           .flags = PACKET_ACK,
                           .data = (const uint8_t *)"XXXXXX",
                           .captured = 6,
                           .length = 6};

    add(&test, 0, 4, 1);
    add_packet(&test, other, 2); /* "cd" again, then "efgh" */
    assert_string_equal(test.taken, "abcdXXXX");
    add(&test, 10, 12, 3);
    other.sequence = FIRST + 10;
    add_packet(&test, other, 4); /* "kl" again, then four more */
    add(&test, 8, 10, 5);
    assert_string_equal(test.taken, "abcdXXXXijklXXXX");
    end(&test);
}

/* Early segments wait, also twice and overlapping; all count as there when the last gap is filled.
 */
static void segments_out_of_order_wait(void **state)
{
    struct stream_test test = new_test();

    add(&test, 0, 2, 1);
    add(&test, 6, 9, 2);
    add(&test, 4, 7, 3);
    add(&test, 6, 9, 4);
    assert_string_equal(test.taken, "ab");
    add(&test, 2, 4, 5);
    assert_string_equal(test.taken, "abcdefghi");
    assert_int_equal(test.last_time, 5);
    assert_int_equal(test.stream.counts.reordered, 3);
    assert_int_equal(test.stream.counts.holes, 0);
    end(&test);
}

static void what_was_acknowledged_is_not_waited_for(void **state)
{
    struct stream_test test = new_test();

    add(&test, 0, 2, 1);
    add(&test, 5, 7, 2);
    acknowledge(&test, 2);
    assert_string_equal(test.taken, "ab");
    acknowledge(&test, 7);
    assert_string_equal(test.taken, "ab...fg");
    assert_int_equal(test.last_time, 2); /* its receiver had it then */
    assert_int_equal(test.stream.counts.holes, 1);
    assert_int_equal(test.stream.counts.missing, 3);
    end(&test);
}

static void the_end_waits_for_nothing(void **state)
{
    struct stream_test test = new_test();

    add(&test, 0, 1, 1);
    add(&test, 2, 3, 2);
    add(&test, 5, 6, 3);
    end(&test);
    assert_string_equal(test.taken, "a.c..f");
    assert_int_equal(test.stream.counts.holes, 2);
}

static void a_cut_segment_ends_in_a_hole(void **state)
{
    struct stream_test test = new_test();

    add_packet(&test,
               (struct packet){
                   .sequence = FIRST, .data = (const uint8_t *)letters, .captured = 3, .length = 8},
               1);
    add(&test, 8, 10, 2);
    assert_string_equal(test.taken, "abc.....ij");
    assert_int_equal(test.stream.counts.holes, 0); /* nothing was lost but by the snap length */
    end(&test);
}

/* Without memory, what comes early makes a hole of what it waits for. */
static void memory_is_bounded(void **state)
{
    struct stream_test test = new_test();

    test.allowance.limit = 0;
    add(&test, 0, 2, 1);
    add(&test, 4, 6, 2);
    add(&test, 2, 4, 3);
    assert_string_equal(test.taken, "ab..ef");
    end(&test);
}

static void only_so_many_segments_wait(void **state)
{
    struct stream_test test = new_test();
    const uint8_t byte = 'x';

    add(&test, 0, 1, 1);
    test.length = 0;
    for (uint32_t i = 0; i <= TCP_STREAM_HELD_MAXIMUM; i++) {
        add_packet(&test,
                   (struct packet){
                       .sequence = FIRST + 3 + 2 * i, .data = &byte, .captured = 1, .length = 1},
                   2);
        assert_true(test.stream.held_count <= TCP_STREAM_HELD_MAXIMUM);
        test.length = 0;
    }
    assert_true(test.stream.counts.holes > 0);
    test.stream.counts.holes = 0;
    /* The test's own buffer is short: what waits is released a part at a time. */
    while (test.stream.held) {
        acknowledge(&test, test.stream.next - FIRST + 2);
        test.length = 0;
    }
    end(&test);
}

static void a_new_connection_begins_anew(void **state)
{
    struct stream_test test = new_test();

    add(&test, 0, 2, 1);
    add_packet(&test, (struct packet){.sequence = 5000, .flags = PACKET_SYN}, 2);
    add_packet(&test,
               (struct packet){
                   .sequence = 5001, .data = (const uint8_t *)letters, .captured = 2, .length = 2},
               3);
    assert_string_equal(test.taken, "abab");
    assert_int_equal(test.begun, 2);
    assert_int_equal(test.from_start, 1);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_in_order_are_passed_on),
        cmocka_unit_test(what_comes_twice_is_passed_on_once),
        cmocka_unit_test(what_came_first_counts),
        cmocka_unit_test(segments_out_of_order_wait),
        cmocka_unit_test(what_was_acknowledged_is_not_waited_for),
        cmocka_unit_test(the_end_waits_for_nothing),
        cmocka_unit_test(a_cut_segment_ends_in_a_hole),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(only_so_many_segments_wait),
        cmocka_unit_test(a_new_connection_begins_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
