/* The model of an ethernet link: when frames arrive. */
#include "test.h"

#include "ethernet_link.h"

enum { NS_PER_BYTE = 80, LATENCY_NS = 50000 }; /* 100 Mbit/s */

static void open_link(struct ethernet_link *link, uint64_t rate, size_t capacity)
{
    assert_int_equal(ethernet_link_open(link, rate, LATENCY_NS, capacity), 0);
    assert_null(ethernet_link_next(link));
}

/* The time until the next frame is due, from 0; it is delivered LATE. */
static uint64_t take(struct ethernet_link *link, uint64_t late)
{
    uint64_t due = ethernet_link_next(link)->due_ns;

    ethernet_link_deliver(link, due + late);
    return due;
}

TEST_CASE(one_frame)
{
    struct ethernet_link link;

    open_link(&link, 100 * 1000 * 1000, 4);
    ethernet_link_send(&link, 1514, 1000);
    assert_int_equal(take(&link, 0), 1000 + (8 + 1514 + 4) * NS_PER_BYTE + LATENCY_NS);
    /* The shortest frame has 64 bytes with its check sequence, even if fewer were given. */
    ethernet_link_send(&link, 42, 1000000);
    assert_all((take(&link, 0), 1000000 + (8 + 64) * NS_PER_BYTE + LATENCY_NS), (link.delivered, 2),
               (link.bytes, 1514 + 42));
    ethernet_link_close(&link);
}

/* A frame waits for the previous one and for the gap; the latency occupies the link for no time. */
TEST_CASE(order)
{
    const uint64_t each = (8 + 1514 + 4 + 12) * NS_PER_BYTE;
    struct ethernet_link link;

    open_link(&link, 100 * 1000 * 1000, 4);
    for (unsigned i = 0; i < 3; i++) {
        ethernet_link_room(&link)->bytes[0] = (uint8_t)i;
        ethernet_link_send(&link, 1514, i);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_all((ethernet_link_next(&link)->bytes[0], i),
                   (take(&link, 100 * i), i * each + each - 12 * NS_PER_BYTE + LATENCY_NS));
    assert_all((ethernet_link_next(&link), NULL), (link.late_ns.mean, 100, 1e-9),
               (link.late_ns.maximum, 200, 0));
    ethernet_link_close(&link);
}

TEST_CASE(no_rate)
{
    struct ethernet_link link;

    open_link(&link, 0, 2);
    ethernet_link_send(&link, 9014, 5);
    ethernet_link_send(&link, 9014, 5);
    assert_all((take(&link, 0), 5 + LATENCY_NS), (take(&link, 0), 5 + LATENCY_NS));
    ethernet_link_close(&link);
}

/* A frame for which there is no room is dropped; it takes no time on the wire, and disturbs no
 * other. */
TEST_CASE(full)
{
    struct ethernet_link link;
    uint64_t last = 0;

    open_link(&link, 1000 * 1000 * 1000, 3);
    for (uint8_t i = 0; i < 50; i++) {
        ethernet_link_room(&link)->bytes[0] = i;
        ethernet_link_send(&link, 1000, 0);
        if (i >= 40) { /* now there is room for each: the last to arrive is the last to leave */
            assert_int_equal(ethernet_link_next(&link)->bytes[0], i < 43 ? i - 40 : i - 2);
            last = take(&link, 0);
        }
    }
    assert_all((link.dropped, 38), (link.count, 2),
               (last, (uint64_t)(10 * (8 + 1000 + 4 + 12) - 12) * 8 + LATENCY_NS));
    ethernet_link_close(&link);
}
