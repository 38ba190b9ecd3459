/* Each reply gets its xid from the reply's own first bytes (record mark, then xid), even if several
 * system calls send these bytes. */
#include "test.h"

#include "explain/kernel/reply_name.h"

enum { XID = 0x01020304 };

static const char reply[] = {'\x80', 0, 0, 24, 1, 2, 3, 4, 0, 0, 0, 1};
static struct kernel_event list[16];
static size_t count;

FIXTURE(set_up, memset(list, 0, sizeof list), count = 0, 0)

static void received(void)
{
    list[count++].type = KERNEL_RECEIVED;
}

/* Add a send() of the reply's bytes FROM to END - 1. The event's HEAD has the first of them, at
 * most KERNEL_EVENT_HEAD. */
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
    assert_all((event->type, KERNEL_SEND_ENTERED), (event->xid, xid));
}

/* Sequences of events. FOUND has one character for each send(): "N" if it begins a reply and has
 * the xid, "0" if it begins a reply and has no xid, "+" if it continues a reply. */
static const struct {
    const char *what;
    bool is_tcp;
    const char *events; /* "r": a receive; "0-4": a send() of bytes 0 to 3 */
    const char *found;
} cases[] = {
    {"each reply by one send()", true, "r 0-12 r 0-12", "NN"},
    {"the mark, then the body", true, "r r 0-4 4-12 r 0-4 4-12", "N+N+"},
    {"data after a reply's header are not a reply", true, "r 0-12 0-12", "N+"},
    {"a reply that is cut short", true, "r 0-4 4-7 r 0-12", "0+N"},
    {"each datagram is a reply, without a mark; the second answers a retransmitted request", false,
     "r 4-12 4-12 4-7", "NN0"},
};

static void add_events(const char *events)
{
    unsigned from, end;

    for (const char *at = events; at; at = strchr(at + 1, ' '))
        if (sscanf(at, " %u-%u", &from, &end) == 2)
            sends(from, end);
        else
            received();
}

TEST_CASE(cases)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *found = cases[i].found;

        print_message("%s\n", cases[i].what);
        set_up(state);
        add_events(cases[i].events);
        reply_name(list, count, cases[i].is_tcp);
        for (size_t j = 0; j < count; j++)
            if (list[j].type == KERNEL_RECEIVED)
                continue;
            else if (*found++ == '+')
                assert_int_equal(list[j].type, KERNEL_SEND_CONTINUED);
            else
                assert_reply(&list[j], found[-1] == 'N' ? XID : 0);
        assert_int_equal(*found, '\0');
    }
}

TEST_CASE_WITH(every_cut, set_up, NULL)
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

/* A length that the kernel would never report must not cause reads past the end. */
TEST_CASE_WITH(lengths_out_of_range, set_up, NULL)
{
    received();
    sends(0, 12)->length = -1;
    sends(0, 12)->length = 1000;
    reply_name(list, count, true);
    assert_reply(&list[1], XID);
}

/* The xid in a TLS record can't be read. The first record after a receive begins the reply. */
TEST_CASE_WITH(encrypted, set_up, NULL)
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
