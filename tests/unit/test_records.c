/* RPC messages in a stream with holes. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "capture/records.h"
#include "made_packets.h"

enum { MESSAGES = 64 };

struct records_test {
    struct records records;
    struct allowance allowance;
    struct {
        uint32_t xid;
        size_t head_length, length;
        uint64_t time;
    } found[MESSAGES];
    size_t count;
};

static void note(void *context, const struct record *record)
{
    struct records_test *test = context;
    struct wire_reader reader = wire_reader(record->head, record->head_length);

    assert_true(test->count < MESSAGES);
    test->found[test->count].xid = wire_get_u32(&reader);
    test->found[test->count].head_length = record->head_length;
    test->found[test->count].length = record->length;
    test->found[test->count++].time = record->time;
}

static void add(struct records_test *test, const uint8_t *bytes, size_t length, uint64_t time)
{
    const struct record_sink sink = {note, test};

    records_add(&test->records, time, bytes, length, &test->allowance, &sink);
}

static struct records_test new_test(bool in_step)
{
    return (struct records_test){.allowance.limit = 1 << 20, .records.in_step = in_step};
}

static void end(struct records_test *test)
{
    records_restart(&test->records, true, &test->allowance);
    assert_int_equal(test->allowance.held, 0);
}

static void messages_are_found_however_they_are_cut(void **state)
{
    struct made_message call, reply;

    made_call(&call, 7, 1, 36);
    made_reply(&reply, 8, 0, 84);
    for (size_t piece = 1; piece < 100; piece++) {
        struct records_test test = new_test(true);
        uint8_t stream[2 * MADE_FRAME_MAXIMUM];
        size_t length = call.length + reply.length;

        memcpy(stream, call.bytes, call.length);
        memcpy(stream + call.length, reply.bytes, reply.length);
        for (size_t at = 0; at < length; at += piece)
            add(&test, stream + at, piece < length - at ? piece : length - at, at);
        assert_int_equal(test.count, 2);
        assert_int_equal(test.found[0].xid, 7);
        assert_int_equal(test.found[0].length, call.length - 4);
        assert_int_equal(test.found[0].time, (call.length - 1) / piece * piece);
        assert_int_equal(test.found[1].xid, 8);
        assert_int_equal(test.found[1].head_length, reply.length - 4);
        assert_int_equal(test.records.refound, 0);
        end(&test);
    }
}

/* The rest of a message, whatever it is, then whole ones. */
static void a_stream_may_begin_anywhere(void **state)
{
    struct made_message call;
    uint8_t rest[1000];

    made_call(&call, 7, 1, 36);
    for (size_t length = 0; length < sizeof rest; length += 13)
        for (int value = 0; value < 256; value += 51) {
            struct records_test test = new_test(false);

            memset(rest, value, sizeof rest);
            add(&test, rest, length, 1);
            add(&test, call.bytes, call.length, 2);
            add(&test, call.bytes, call.length, 3);
            assert_int_equal(test.count, 2);
            assert_int_equal(test.records.refound, 0); /* nothing had been found before */
            end(&test);
        }
}

static void a_hole_in_the_data_costs_nothing(void **state)
{
    struct records_test test = new_test(true);
    struct made_message write;

    made_call(&write, 7, 7, 1000);
    add(&test, write.bytes, 200, 1);
    add(&test, NULL, 500, 2);
    add(&test, write.bytes + 700, write.length - 700, 3);
    add(&test, write.bytes, write.length, 4);
    assert_int_equal(test.count, 2);
    assert_int_equal(test.found[0].length, write.length - 4);
    assert_int_equal(test.found[0].head_length, 200 - 4);
    assert_int_equal(test.found[0].time, 3);
    assert_int_equal(test.found[1].head_length, write.length - 4);
    assert_int_equal(test.records.refound, 0);
    end(&test);
}

static void after_a_lost_mark_the_next_is_found(void **state)
{
    struct records_test test = new_test(true);
    struct made_message call;

    made_call(&call, 7, 1, 100);
    add(&test, call.bytes, 100, 1);
    add(&test, NULL, call.length, 2); /* its end, and the next one's beginning */
    add(&test, call.bytes + 100, call.length - 100, 3);
    add(&test, call.bytes, call.length, 4);
    assert_int_equal(test.count, 2);
    assert_int_equal(test.found[1].time, 4);
    assert_int_equal(test.records.refound, 1);
    end(&test);
}

static void a_record_may_have_several_fragments(void **state)
{
    struct records_test test = new_test(true);
    struct made_message call;
    uint8_t mark[4];

    made_call(&call, 7, 1, 100);
    wire_store_u32(call.bytes, 60); /* not the last */
    add(&test, call.bytes, 64, 1);
    wire_store_u32(mark, RPC_LAST_FRAGMENT | (uint32_t)(call.length - 64));
    add(&test, mark, 3, 2);
    add(&test, mark + 3, 1, 2);
    add(&test, call.bytes + 64, call.length - 64, 3);
    assert_int_equal(test.count, 1);
    assert_int_equal(test.found[0].length, call.length - 4);
    end(&test);
}

static void endless_fragments_are_no_message(void **state)
{
    struct records_test test = new_test(true);
    struct made_message call;
    uint8_t mark[4];

    made_call(&call, 7, 1, 100);
    wire_store_u32(call.bytes, (uint32_t)(call.length - 4));
    add(&test, call.bytes, call.length, 1);
    wire_store_u32(mark, RPC_SHAPE_MESSAGE_MAXIMUM);
    add(&test, mark, 4, 2);
    assert_int_equal(test.records.state, RECORDS_START);
    end(&test);
}

/* The head of a long message is kept as far as memory goes; its length is right all the same. */
static void a_head_is_bounded(void **state)
{
    struct records_test test = new_test(true);
    struct made_message call;
    size_t length = 200000;
    uint8_t *data = calloc(1, length);

    made_call(&call, 7, 7, 0);
    wire_store_u32(call.bytes, RPC_LAST_FRAGMENT | (uint32_t)(call.length - 4 + length));
    add(&test, call.bytes, call.length, 1);
    add(&test, data, length, 2);
    test.allowance.limit = 600; /* from now on */
    add(&test, call.bytes, call.length, 3);
    add(&test, data, length, 4);
    assert_int_equal(test.count, 2);
    assert_int_equal(test.found[0].head_length, RECORDS_HEAD_MAXIMUM);
    assert_int_equal(test.found[0].length, call.length - 4 + length);
    assert_int_equal(test.found[1].head_length, 512);
    assert_int_equal(test.found[1].length, call.length - 4 + length);
    free(data);
    end(&test);
}

static void only_what_looks_like_rpc_is_a_message(void **state)
{
    struct made_message message;

    made_call(&message, 7, 1, 0);
    assert_true(rpc_shape_fits(message.bytes + 4, message.length - 4));
    assert_false(rpc_shape_fits(message.bytes + 4, 39)); /* shorter than any call */
    made_call_of(&message, 7, 200000, 3, 1, 0);
    assert_false(rpc_shape_fits(message.bytes + 4, message.length - 4));
    made_reply(&message, 7, 0, 0);
    assert_true(rpc_shape_fits(message.bytes + 4, message.length - 4));
    message.bytes[4 + 7] = 2; /* neither call nor reply */
    assert_false(rpc_shape_fits(message.bytes + 4, message.length - 4));
    memset(message.bytes, 0, sizeof message.bytes);
    assert_false(rpc_shape_fits(message.bytes, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_found_however_they_are_cut),
        cmocka_unit_test(a_stream_may_begin_anywhere),
        cmocka_unit_test(a_hole_in_the_data_costs_nothing),
        cmocka_unit_test(after_a_lost_mark_the_next_is_found),
        cmocka_unit_test(a_record_may_have_several_fragments),
        cmocka_unit_test(endless_fragments_are_no_message),
        cmocka_unit_test(a_head_is_bounded),
        cmocka_unit_test(only_what_looks_like_rpc_is_a_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
