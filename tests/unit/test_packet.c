/* Captured frames: link layers, IP of both versions, TCP, UDP, and fragments. */
#include "test.h"

#include <string.h>

#include "capture/packet.h"
#include "made_packets.h"

/* An IPv4 header's first byte stands after each link's own header. */
static void each_link_is_stepped_over(void **state)
{
    static const struct {
        enum link_type link;
        size_t type_at, offset;
    } links[] = {{LINK_ETHERNET, 12, 14}, {LINK_COOKED, 14, 16}, {LINK_COOKED_2, 0, 20}};
    uint8_t frame[64] = {0};
    size_t offset;

    for (size_t i = 0; i < COUNT_OF(links); i++) {
        memset(frame, 0, sizeof frame);
        made_u16(frame + links[i].type_at, 0x0800);
        frame[links[i].offset] = 0x45;
        assert_true(link_find_ip(links[i].link, frame, sizeof frame, &offset));
        assert_int_equal(offset, links[i].offset);
        made_u16(frame + links[i].type_at, 0x0806); /* ARP */
        assert_false(link_find_ip(links[i].link, frame, sizeof frame, &offset));
    }
}

static void loopback_and_raw_have_no_type(void **state)
{
    const uint8_t loopback[] = {2, 0, 0, 0, 0x60}, raw[] = {0x45}, neither[] = {0x15};
    size_t offset;

    assert_true(link_find_ip(LINK_LOOPBACK, loopback, sizeof loopback, &offset));
    assert_int_equal(offset, 4);
    assert_true(link_find_ip(LINK_RAW, raw, sizeof raw, &offset));
    assert_int_equal(offset, 0);
    assert_false(link_find_ip(LINK_RAW, neither, sizeof neither, &offset));
    assert_false(link_find_ip(LINK_LOOPBACK, loopback, 4, &offset));
}

static void vlan_tags_are_stepped_over(void **state)
{
    uint8_t frame[32] = {0};
    size_t offset;

    made_u16(frame + 12, 0x88a8);
    made_u16(frame + 16, 0x8100);
    made_u16(frame + 20, 0x86dd);
    frame[22] = 0x60;
    assert_true(link_find_ip(LINK_ETHERNET, frame, sizeof frame, &offset));
    assert_int_equal(offset, 22);
    for (size_t cut = 0; cut < 23; cut++)
        assert_false(link_find_ip(LINK_ETHERNET, frame, cut, &offset));
}

static void a_segment_is_read(void **state)
{
    struct made_frame frame;
    struct packet packet;

    made_tcp(&frame, true, 1000, 2000, PACKET_ACK, "data", 4);
    assert_true(packet_read_ip(&packet, frame.bytes, frame.length, frame.length));
    assert_true(packet_read_transport(&packet));
    assert_int_equal(packet.from_port, MADE_CLIENT_PORT);
    assert_int_equal(packet.to_port, MADE_SERVER_PORT);
    assert_int_equal(packet.sequence, 1000);
    assert_int_equal(packet.acknowledged, 2000);
    assert_int_equal(packet.length, 4);
    assert_memory_equal(packet.data, "data", 4);
    assert_memory_equal(packet.from, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\1", 16);
}

/* Ethernet fills short frames: their last bytes belong to nobody. */
static void padding_is_no_data(void **state)
{
    struct made_frame frame;
    struct packet packet;

    made_tcp(&frame, true, 1, 1, PACKET_ACK, "ab", 2);
    assert_true(packet_read_ip(&packet, frame.bytes, frame.length + 6, frame.length + 6));
    assert_true(packet_read_transport(&packet));
    assert_int_equal(packet.length, 2);
    assert_int_equal(packet.captured, 2);
}

static void a_cut_segment_knows_its_length(void **state)
{
    struct made_frame frame;
    struct packet packet;
    size_t headers = MADE_IPV4_SIZE + MADE_TCP_SIZE;

    made_tcp(&frame, true, 1, 1, PACKET_ACK, "0123456789", 10);
    assert_true(packet_read_ip(&packet, frame.bytes, headers + 3, frame.length));
    assert_true(packet_read_transport(&packet));
    assert_int_equal(packet.length, 10);
    assert_int_equal(packet.captured, 3);
    for (size_t cut = 0; cut < headers; cut++)
        assert_false(packet_read_ip(&packet, frame.bytes, cut, frame.length) &&
                     packet_read_transport(&packet));
}

/* A packet that the network card is to divide may be too long for its own length field. */
static void a_length_of_0_is_the_frame_s(void **state)
{
    struct made_frame frame;
    struct packet packet;

    made_tcp(&frame, true, 1, 1, PACKET_ACK, "0123456789", 10);
    made_u16(frame.bytes + 2, 0);
    assert_true(packet_read_ip(&packet, frame.bytes, frame.length, frame.length));
    assert_true(packet_read_transport(&packet));
    assert_int_equal(packet.length, 10);
}

static void a_datagram_over_ipv6_is_read(void **state)
{
    uint8_t bytes[40 + 8 + 8 + 4] = {0x60};
    struct packet packet;

    made_u16(bytes + 4, 20);
    bytes[6] = 0; /* hop by hop, then UDP */
    bytes[23] = 1;
    bytes[39] = 2;
    bytes[40] = PACKET_UDP;
    made_ports(bytes + 48, true);
    made_u16(bytes + 52, 12);
    memcpy(bytes + 56, "data", 4);
    assert_true(packet_read_ip(&packet, bytes, sizeof bytes, sizeof bytes));
    assert_true(packet_read_transport(&packet));
    assert_int_equal(packet.protocol, PACKET_UDP);
    assert_int_equal(packet.from[15], 1);
    assert_int_equal(packet.to[15], 2);
    assert_int_equal(packet.length, 4);
    assert_memory_equal(packet.data, "data", 4);
}

/* What claims a length that it doesn't have is no packet; nothing beyond the frame is read. */
static void lengths_that_cannot_be_are_refused(void **state)
{
    static const struct {
        bool udp;
        size_t at; /* of the byte that is changed */
        uint8_t byte;
    } changes[] = {
        {false, 0, 0x44},                      /* an IPv4 header of 16 bytes */
        {false, 0, 0x4f},                      /* of 60, which are more than there are */
        {false, 3, 19},                        /* a packet that is shorter than its header */
        {false, 3, 39},                        /* and than that of TCP */
        {false, MADE_IPV4_SIZE + 12, 4 << 4},  /* a TCP header of 16 bytes */
        {false, MADE_IPV4_SIZE + 12, 15 << 4}, /* of 60 */
        {true, MADE_IPV4_SIZE + 5, 7},         /* a datagram that is shorter than its header */
        {true, 3, MADE_IPV4_SIZE + 7},
        {true, 9, 1}, /* ICMP */
        {true, 9, PACKET_TCP},
    };
    struct made_frame frame;
    struct packet packet;

    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        if (changes[i].udp)
            made_udp(&frame, true, "data", 4);
        else
            made_tcp(&frame, true, 1, 1, PACKET_ACK, "data", 4);
        frame.bytes[changes[i].at] = changes[i].byte;
        if (packet_read_ip(&packet, frame.bytes, frame.length, frame.length) &&
            packet_read_transport(&packet))
            fail_msg("change %zu was accepted", i);
    }
    made_udp(&frame, true, "data", 4);
    made_u16(frame.bytes + MADE_IPV4_SIZE + 4, 0xffff); /* more than the packet has */
    assert_true(packet_read_ip(&packet, frame.bytes, frame.length, frame.length));
    assert_true(packet_read_transport(&packet));
    assert_int_equal(packet.length, 4);
}

/* IPv6 */

enum { IPV6_SIZE = 40 };

/* An IPv6 packet: the extension headers of TYPES, which have 8 bytes, then a datagram of 4. Returns
 * its length. */
static size_t extended(uint8_t *bytes, const uint8_t *types, size_t count)
{
    uint8_t *at = bytes + IPV6_SIZE;

    memset(bytes, 0, IPV6_SIZE + 8 * count + 12);
    bytes[0] = 0x60;
    made_u16(bytes + 4, (unsigned)(8 * count + 12));
    bytes[6] = count ? types[0] : PACKET_UDP;
    for (size_t i = 0; i < count; i++, at += 8)
        at[0] = i + 1 < count ? types[i + 1] : PACKET_UDP;
    made_ports(at, true);
    made_u16(at + 4, 12);
    memcpy(at + 8, "data", 4);
    return (size_t)(at + 12 - bytes);
}

static void extension_headers_are_stepped_over(void **state)
{
    static const uint8_t types[] = {0, 43, 60,
                                    44}; /* the last is a fragment's, which is the whole */
    uint8_t bytes[IPV6_SIZE + 17 * 8 + 12], many[17];
    size_t length = extended(bytes, types, COUNT_OF(types));
    struct packet packet;

    assert_true(packet_read_ip(&packet, bytes, length, length));
    assert_false(packet.is_fragment);
    assert_true(packet_read_transport(&packet));
    assert_memory_equal(packet.data, "data", 4);
    for (size_t cut = 0; cut < length - 4; cut++)
        assert_false(packet_read_ip(&packet, bytes, cut, length) && packet_read_transport(&packet));

    bytes[IPV6_SIZE + 1] = 255; /* a header of 2 KiB */
    assert_false(packet_read_ip(&packet, bytes, length, length));
    memset(many, 60, sizeof many);
    length = extended(bytes, many, 15);
    assert_true(packet_read_ip(&packet, bytes, length, length));
    length = extended(bytes, many, 17); /* more than any packet has */
    assert_false(packet_read_ip(&packet, bytes, length, length));
}

static void a_fragment_over_ipv6_is_read(void **state)
{
    static const uint8_t types[] = {60, 44};
    uint8_t bytes[IPV6_SIZE + 2 * 8 + 12];
    size_t length = extended(bytes, types, COUNT_OF(types));
    struct packet packet;

    made_u16(bytes + IPV6_SIZE + 8 + 2, 1600 | 1); /* its place, and that there are more */
    wire_store_u32(bytes + IPV6_SIZE + 8 + 4, 0xfffffffe);
    assert_true(packet_read_ip(&packet, bytes, length, length));
    assert_true(packet.is_fragment && packet.more_fragments);
    assert_int_equal(packet.fragment_offset, 1600);
    assert_int_equal(packet.identification, 0xfffffffe);
    assert_int_equal(packet.protocol, PACKET_UDP);
    assert_int_equal(packet.length, 12);
}

/* Fragments */

/* The fragment of LENGTH bytes at OFFSET of a datagram, whose byte at i is i % 251. */
static struct packet fragment_of(uint32_t identification, size_t offset, size_t length, bool more)
{
    static uint8_t bytes[4096];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 251);
    return (struct packet){.protocol = PACKET_UDP,
                           .identification = identification,
                           .is_fragment = true,
                           .more_fragments = more,
                           .fragment_offset = offset,
                           .data = bytes + offset,
                           .captured = length,
                           .length = length};
}

static bool add(struct fragments *fragments, struct packet packet, struct packet *whole)
{
    *whole = packet;
    return fragments_add(fragments, whole, 1);
}

static void fragments_in_any_order_are_one_packet(void **state)
{
    struct fragments *fragments = fragments_open();
    struct packet whole;

    assert_false(add(fragments, fragment_of(7, 1600, 100, false), &whole));
    assert_false(add(fragments, fragment_of(7, 0, 800, true), &whole));
    assert_false(add(fragments, fragment_of(7, 0, 800, true), &whole));
    assert_false(add(fragments, fragment_of(8, 800, 800, true), &whole)); /* another packet's */
    assert_true(add(fragments, fragment_of(7, 800, 800, true), &whole));
    assert_int_equal(whole.length, 1700);
    assert_int_equal(whole.captured, 1700);
    for (size_t i = 0; i < whole.length; i++)
        assert_int_equal(whole.data[i], i % 251);
    assert_int_equal(fragments_incomplete(fragments), 1);
    fragments_close(fragments);
}

static void a_cut_fragment_leaves_what_is_before_it(void **state)
{
    struct fragments *fragments = fragments_open();
    struct packet whole, cut = fragment_of(7, 800, 800, true);

    cut.captured = 50;
    assert_false(add(fragments, fragment_of(7, 0, 800, true), &whole));
    assert_false(add(fragments, cut, &whole));
    assert_true(add(fragments, fragment_of(7, 1600, 8, false), &whole));
    assert_int_equal(whole.length, 1608);
    assert_int_equal(whole.captured, 850);
    fragments_close(fragments);
}

static void an_incomplete_packet_is_given_up(void **state)
{
    struct fragments *fragments = fragments_open();
    struct packet first = fragment_of(7, 0, 800, true), last = fragment_of(7, 800, 8, false);

    assert_false(fragments_add(fragments, &first, 1));
    /* Half a minute later, the same identification is another packet's. */
    assert_false(fragments_add(fragments, &last, UINT64_C(31000000000)));
    assert_int_equal(fragments_incomplete(fragments), 2);
    fragments_close(fragments);
}

static void a_fragment_outside_any_packet_is_left_out(void **state)
{
    struct fragments *fragments = fragments_open();
    struct packet whole, far = fragment_of(7, 0, 800, false);

    far.fragment_offset = 65528;
    assert_false(add(fragments, far, &whole));
    assert_int_equal(fragments_incomplete(fragments), 0);
    fragments_close(fragments);
}

/* A packet is whole only when all bytes up to its end have come, however many others came. */
static void a_packet_with_a_gap_is_not_whole(void **state)
{
    struct fragments *fragments = fragments_open();
    struct packet whole, empty = fragment_of(7, 8, 0, false);

    assert_false(add(fragments, fragment_of(7, 40, 8, true), &whole));
    assert_false(add(fragments, empty, &whole)); /* it ends at 8, and nothing came before that */
    assert_false(add(fragments, fragment_of(8, 24, 8, true), &whole));
    assert_false(add(fragments, fragment_of(8, 0, 8, true), &whole));
    assert_false(add(fragments, fragment_of(8, 16, 8, false), &whole)); /* 8 is missing */
    assert_int_equal(fragments_incomplete(fragments), 2);
    fragments_close(fragments);
}

/* Where fragments disagree, the packet is as long as the last one says, and has the latest bytes.
 */
static void fragments_that_disagree_are_one_packet(void **state)
{
    struct fragments *fragments = fragments_open();
    struct packet whole, other = fragment_of(7, 0, 8, true);

    other.data = (const uint8_t *)"ABCDEFGH";
    assert_false(add(fragments, fragment_of(7, 0, 8, true), &whole));
    assert_false(add(fragments, other, &whole));
    assert_true(add(fragments, fragment_of(7, 8, 8, false), &whole));
    assert_int_equal(whole.length, 16);
    assert_memory_equal(whole.data, "ABCDEFGH", 8);
    fragments_close(fragments);
}

/* Fragments without end take a bounded amount of memory: the packet that began first gives way. */
static void incomplete_packets_are_bounded(void **state)
{
    enum { PACKETS = 256 };
    struct fragments *fragments = fragments_open();
    struct packet fragment;

    for (uint32_t i = 0; i <= PACKETS; i++) {
        fragment = fragment_of(i, 0, 8, true);
        assert_false(fragments_add(fragments, &fragment, i));
    }
    assert_int_equal(fragments_incomplete(fragments), PACKETS + 1);
    fragment = fragment_of(1, 8, 8, false);
    assert_true(fragments_add(fragments, &fragment, PACKETS));
    fragment = fragment_of(0, 8, 8, false); /* given up */
    assert_false(fragments_add(fragments, &fragment, PACKETS));
    fragments_close(fragments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_link_is_stepped_over),
        cmocka_unit_test(loopback_and_raw_have_no_type),
        cmocka_unit_test(vlan_tags_are_stepped_over),
        cmocka_unit_test(a_segment_is_read),
        cmocka_unit_test(padding_is_no_data),
        cmocka_unit_test(a_cut_segment_knows_its_length),
        cmocka_unit_test(a_length_of_0_is_the_frame_s),
        cmocka_unit_test(a_datagram_over_ipv6_is_read),
        cmocka_unit_test(lengths_that_cannot_be_are_refused),
        cmocka_unit_test(extension_headers_are_stepped_over),
        cmocka_unit_test(a_fragment_over_ipv6_is_read),
        cmocka_unit_test(fragments_in_any_order_are_one_packet),
        cmocka_unit_test(a_cut_fragment_leaves_what_is_before_it),
        cmocka_unit_test(an_incomplete_packet_is_given_up),
        cmocka_unit_test(a_fragment_outside_any_packet_is_left_out),
        cmocka_unit_test(a_packet_with_a_gap_is_not_whole),
        cmocka_unit_test(fragments_that_disagree_are_one_packet),
        cmocka_unit_test(incomplete_packets_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
