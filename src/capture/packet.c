#include "capture/packet.h"

#include <string.h>

enum {
    IPV4_HEADER_SIZE = 20,
    IPV6_HEADER_SIZE = 40,
    TCP_HEADER_SIZE = 20,
    UDP_HEADER_SIZE = 8,
    IPV6_HEADERS_MAXIMUM = 16,
};

/* Next headers of IPv6 that something else follows (RFC 8200 section 4). */
enum { HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, DESTINATION = 60 };

static uint32_t get_u16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

static uint32_t get_u32(const uint8_t *bytes)
{
    return get_u16(bytes) << 16 | get_u16(bytes + 2);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Step over SIZE bytes of header. */
static bool skip(struct packet *packet, size_t size)
{
    if (packet->captured < size || packet->length < size)
        return false;
    packet->data += size;
    packet->captured -= size;
    packet->length -= size;
    return true;
}

/* A packet has LENGTH bytes from its data on, whatever the link added to it as padding. 0 is said
 * where segments are too long for the field, since the network card is to divide them. */
static void limit(struct packet *packet, size_t length)
{
    if (length)
        packet->length = least(packet->length, length);
    packet->captured = least(packet->captured, packet->length);
}

static void map_address(uint8_t out[16], const uint8_t *address)
{
    memset(out, 0, 10);
    memset(out + 10, 0xff, 2);
    memcpy(out + 12, address, 4);
}

static bool read_ipv4(struct packet *packet)
{
    const uint8_t *header = packet->data;
    size_t size = (size_t)(header[0] & 15) * 4;
    uint32_t place;

    if (packet->captured < IPV4_HEADER_SIZE || size < IPV4_HEADER_SIZE)
        return false;
    limit(packet, get_u16(header + 2));
    place = get_u16(header + 6);
    packet->identification = get_u16(header + 4);
    packet->more_fragments = place & 0x2000;
    packet->fragment_offset = (size_t)(place & 0x1fff) * 8;
    packet->is_fragment = packet->more_fragments || packet->fragment_offset;
    packet->protocol = header[9];
    map_address(packet->from, header + 12);
    map_address(packet->to, header + 16);
    return skip(packet, size);
}

static bool read_fragment_header(struct packet *packet)
{
    const uint8_t *header = packet->data;
    uint32_t place;

    if (!skip(packet, 8))
        return false;
    place = get_u16(header + 2);
    packet->protocol = header[0];
    packet->more_fragments = place & 1;
    packet->fragment_offset = place & 0xfff8;
    packet->is_fragment = packet->more_fragments || packet->fragment_offset;
    packet->identification = get_u32(header + 4);
    return true;
}

/* What follows a fragment's header is the payload's, which is whole only later. */
static bool read_ipv6_headers(struct packet *packet)
{
    for (int i = 0; i < IPV6_HEADERS_MAXIMUM; i++) {
        const uint8_t *header = packet->data;
        unsigned next = packet->protocol;

        if (next == FRAGMENT && !read_fragment_header(packet))
            return false;
        if (packet->is_fragment)
            return true;
        if (next == FRAGMENT)
            continue;
        if (next != HOP_BY_HOP && next != ROUTING && next != DESTINATION)
            return true;
        if (packet->captured < 8 || !skip(packet, ((size_t)header[1] + 1) * 8))
            return false;
        packet->protocol = header[0];
    }
    return false;
}

static bool read_ipv6(struct packet *packet)
{
    const uint8_t *header = packet->data;
    size_t length;

    if (packet->captured < IPV6_HEADER_SIZE)
        return false;
    length = get_u16(header + 4);
    packet->protocol = header[6];
    memcpy(packet->from, header + 8, 16);
    memcpy(packet->to, header + 24, 16);
    if (!skip(packet, IPV6_HEADER_SIZE))
        return false;
    limit(packet, length);
    return read_ipv6_headers(packet);
}

bool packet_read_ip(struct packet *packet, const uint8_t *bytes, size_t captured, size_t sent)
{
    *packet = (struct packet){
        .data = bytes, .captured = captured, .length = sent < captured ? captured : sent};
    if (captured == 0)
        return false;
    return bytes[0] >> 4 == 4 ? read_ipv4(packet) : read_ipv6(packet);
}

static bool read_tcp(struct packet *packet)
{
    const uint8_t *header = packet->data;
    size_t size;

    if (packet->captured < TCP_HEADER_SIZE)
        return false;
    size = (size_t)(header[12] >> 4) * 4;
    packet->sequence = get_u32(header + 4);
    packet->acknowledged = get_u32(header + 8);
    packet->flags = header[13];
    /* Options may be cut; they say nothing here. */
    if (size < TCP_HEADER_SIZE || size > packet->length)
        return false;
    packet->data += least(size, packet->captured);
    packet->captured -= least(size, packet->captured);
    packet->length -= size;
    return true;
}

static bool read_udp(struct packet *packet)
{
    const uint8_t *header = packet->data;
    size_t length;

    if (!skip(packet, UDP_HEADER_SIZE))
        return false;
    length = get_u16(header + 4);
    if (length < UDP_HEADER_SIZE)
        return false;
    packet->length = least(packet->length, length - UDP_HEADER_SIZE);
    packet->captured = least(packet->captured, packet->length);
    return true;
}

bool packet_read_transport(struct packet *packet)
{
    if ((packet->protocol != PACKET_TCP && packet->protocol != PACKET_UDP) || packet->captured < 4)
        return false;
    packet->from_port = (uint16_t)get_u16(packet->data);
    packet->to_port = (uint16_t)get_u16(packet->data + 2);
    return packet->protocol == PACKET_TCP ? read_tcp(packet) : read_udp(packet);
}
