/* The link layer of a captured frame: what stands before the IP packet. */
#ifndef NFSBENCH_CAPTURE_LINK_H
#define NFSBENCH_CAPTURE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
