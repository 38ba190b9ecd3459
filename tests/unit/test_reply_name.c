/* Replies get their xids from the first bytes of the system calls that send them, however many
 * there are. */
#include "test.h"

#include <string.h>

#include "explain/server_timestamps.h"

enum { XID = 0x01020304 };

static const char reply[] = {'\x80', 0, 0, 24, 1, 2, 3, 4, 0, 0, 0, 1};
static struct kernel_event list[16];
static size_t count;

static int set_up(void **state)
{
    memset(list, 0, sizeof list);
    count = 0;
    return 0;
}

static void received(void)
{
    list[count++].type = KERNEL_RECEIVED;
}

/* The reply's bytes from FROM to END, of which the kernel reports the first. */
static struct kernel_event *sends(size_t from, size_t end)
{
    struct kernel_event *event = &list[count++];
    size_t length = end - from < KERNEL_EVENT_HEAD ? end - from : KERNEL_EVENT_HEAD;

    event->type = KERNEL_SEND_ENTERED;
    event->length = (int)length;
    memcpy(event->head, reply + from, length);
    return event;
}

static void assert_reply(const struct kernel_event *event, uint32_t xid)
{
    assert_int_equal(event->type, KERNEL_SEND_ENTERED);
    assert_int_equal(event->xid, xid);
}

static void test_one_send(void **state)
{
    const struct kernel_event *first, *second;

    received();
    first = sends(0, 12);
    received();
    second = sends(0, 12);
    reply_name(list, count, true);
    assert_reply(first, XID);
    assert_reply(second, XID);
}

static void test_mark_then_body(void **state)
{
    const struct kernel_event *first, *rest, *next;

    received();
    received();
    first = sends(0, 4);
    rest = sends(4, 12);
    received();
    next = sends(0, 4);
    sends(4, 12);
    reply_name(list, count, true);
    assert_reply(first, XID);
    assert_int_equal(rest->type, KERNEL_SEND_CONTINUED);
    assert_reply(next, XID);
}

static void test_every_cut(void **state)
{
    for (size_t a = 0; a <= 12; a++)
        for (size_t b = a; b <= 12; b++) {
            set_up(state);
            received();
            sends(0, a);
            sends(a, b);
            sends(b, 12);
            reply_name(list, count, true);
            assert_reply(&list[1], XID);
            assert_int_equal(list[2].type, KERNEL_SEND_CONTINUED);
            assert_int_equal(list[3].type, KERNEL_SEND_CONTINUED);
        }
}

/* Data after a reply's header are not a reply. */
static void test_data_after(void **state)
{
    received();
    sends(0, 12);
    sends(0, 12);
    reply_name(list, count, true);
    assert_reply(&list[1], XID);
    assert_int_equal(list[2].type, KERNEL_SEND_CONTINUED);
}

static void test_cut_short(void **state)
{
    received();
    sends(0, 4);
    sends(4, 7);
    received();
    sends(0, 12);
    reply_name(list, count, true);
    assert_reply(&list[1], 0);
    assert_reply(&list[4], XID);
}

/* Each datagram is a reply, without a mark; the second of two answers a retransmitted request. */
static void test_datagrams(void **state)
{
    received();
    sends(4, 12);
    sends(4, 12);
    sends(4, 7);
    reply_name(list, count, false);
    assert_reply(&list[1], XID);
    assert_reply(&list[2], XID);
    assert_reply(&list[3], 0);
}

/* With a length that the kernel would never report, nothing is read past the end. */
static void test_lengths_out_of_range(void **state)
{
    received();
    sends(0, 12)->length = -1;
    sends(0, 12)->length = 1000;
    reply_name(list, count, true);
    assert_reply(&list[1], XID);
}

/* The xid of a record of TLS is encrypted; the first one after a receive is still the reply. */
static void test_encrypted(void **state)
{
    static const uint8_t record[] = {23, 3, 3, 0, 129, 1, 2, 3};
    struct kernel_event *first, *second;

    received();
    first = sends(0, 12);
    memcpy(first->head, record, sizeof record);
    second = sends(0, 12);
    memcpy(second->head, record, sizeof record);
    reply_name(list, count, true);
    assert_reply(first, 0);
    assert_int_equal(second->type, KERNEL_SEND_CONTINUED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_one_send, set_up),
        cmocka_unit_test_setup(test_mark_then_body, set_up),
        cmocka_unit_test_setup(test_every_cut, set_up),
        cmocka_unit_test_setup(test_data_after, set_up),
        cmocka_unit_test_setup(test_cut_short, set_up),
        cmocka_unit_test_setup(test_datagrams, set_up),
        cmocka_unit_test_setup(test_encrypted, set_up),
        cmocka_unit_test_setup(test_lengths_out_of_range, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
