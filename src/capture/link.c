#include "capture/packet.h"

/* Types of Ethernet (IEEE 802 Numbers, IANA). */
enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TYPE_VLAN = 0x8100, TYPE_SERVICE_VLAN = 0x88a8 };

enum { VLAN_TAG_SIZE = 4 };

/* Where the type stands, and where what it names begins. */
static const struct {
    size_t type_at, size;
} links[] = {
    [LINK_ETHERNET] = {12, 14}, [LINK_COOKED] = {14, 16}, [LINK_COOKED_2] = {0, 20},
    [LINK_LOOPBACK] = {0, 4},   [LINK_RAW] = {0, 0},
};

static unsigned get_u16(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

/* The tags after a header that ends at *OFFSET and said that TYPE follows. */
static bool skip_tags(unsigned type, const uint8_t *frame, size_t captured, size_t *offset)
{
    while ((type == TYPE_VLAN || type == TYPE_SERVICE_VLAN) &&
           captured - *offset >= VLAN_TAG_SIZE) {
        type = get_u16(frame + *offset + 2);
        *offset += VLAN_TAG_SIZE;
    }
    return type == TYPE_IPV4 || type == TYPE_IPV6;
}

/* AF_INET is 2 everywhere; AF_INET6 is 10, 24, 28 or 30. The IP header itself says which it is. */
static bool is_ip(const uint8_t *packet)
{
    unsigned version = packet[0] >> 4;

    return version == 4 || version == 6;
}

bool link_find_ip(enum link_type type, const uint8_t *frame, size_t captured, size_t *offset)
{
    *offset = links[type].size;
    if (captured <= *offset)
        return false;
    if (type == LINK_LOOPBACK || type == LINK_RAW)
        return is_ip(frame + *offset);
    if (!skip_tags(get_u16(frame + links[type].type_at), frame, captured, offset))
        return false;
    return captured > *offset && is_ip(frame + *offset);
}
