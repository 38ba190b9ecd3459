/* A captured IP packet, and the TCP segment or UDP datagram in it. Nothing in it is trusted: all
 * lengths are checked against what was captured. Checksums are not, because network cards fill
 * them in after a capture on the sending machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The link layer of a captured frame: what stands before the IP packet. */

enum link_type {
    LINK_ETHERNET,
    LINK_COOKED,   /* Linux, version 1: what tcpdump -i any wrote until 2022 */
    LINK_COOKED_2, /* Linux, version 2 */
    LINK_LOOPBACK, /* the address family, in the byte order of either machine */
    LINK_RAW,      /* nothing: the IP packet itself */
};

/* Find the IP packet in FRAME, of which CAPTURED bytes are there; VLAN tags, also several, are
 * stepped over. True, with where it begins in *OFFSET; false where it is not IP, or cut before
 * that is known. */
bool link_find_ip(enum link_type type, const uint8_t *frame, size_t captured, size_t *offset);

enum { PACKET_TCP = 6, PACKET_UDP = 17 };

enum { PACKET_FIN = 1, PACKET_SYN = 2, PACKET_RST = 4, PACKET_ACK = 16 };

struct packet {
    uint8_t from[16], to[16]; /* addresses; of IPv4, as IPv6 maps them (RFC 4291 section 2.5.5.2) */
    unsigned protocol;        /* PACKET_TCP, PACKET_UDP or another */
    uint16_t from_port, to_port;
    uint32_t sequence, acknowledged; /* of TCP */
    unsigned flags;                  /* of TCP: PACKET_FIN and so on */

    /* A fragment: of which packet, where in it, and whether it is not the last. */
    bool is_fragment, more_fragments;
    uint32_t identification;
    size_t fragment_offset;

    /* What the header last read is followed by: LENGTH bytes, of which the capture has the first
     * CAPTURED. */
    const uint8_t *data;
    size_t captured, length;
};

/* Read the IP header of the packet at BYTES, of which CAPTURED were captured of SENT that there
 * were. False where it is cut or malformed. */
bool packet_read_ip(struct packet *packet, const uint8_t *bytes, size_t captured, size_t sent);

/* Read the header of TCP or UDP that PACKET's data begin with. False where it is neither, cut or
 * malformed. */
bool packet_read_transport(struct packet *packet);

/* IP packets put together from their fragments, as UDP sends messages that are longer than a
 * frame. */

struct fragments;

/* Returns NULL without memory. Some 17 MB are used at most. */
struct fragments *fragments_open(void);
void fragments_close(struct fragments *fragments);

/* Add PACKET, a fragment captured at TIME (ns). True if the packet it belongs to is complete:
 * PACKET's data are then those of the whole, and valid until the next call. Where a fragment's end
 * was not captured, so many bytes of the whole count as captured as come before that. */
bool fragments_add(struct fragments *fragments, struct packet *packet, uint64_t time);

/* How many packets were given up for want of a fragment, those still incomplete included. */
uint64_t fragments_incomplete(const struct fragments *fragments);
