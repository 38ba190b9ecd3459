/* One direction of an ethernet link, as a model without any input or output: frames go in at one
 * end, and it says which one comes out at the other end next, and when.
 *
 * The sender puts one frame after the other on the wire (IEEE 802.3, clauses 3 and 4): each takes
 * the time of its bytes with preamble, padding to the least size, and check sequence; the gap
 * follows it. A frame arrives, whole, that time and the latency after its first bit was sent. The
 * order is kept. Frames for which there is no room are dropped, and counted. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/histogram.h"

enum {
    ETHERNET_HEADER = 14,
    ETHERNET_LEAST = 60, /* header and padded data, without the check sequence */
    ETHERNET_PREAMBLE = 8,
    ETHERNET_CHECK_SEQUENCE = 4,
    ETHERNET_GAP = 12,
    ETHERNET_MTU_LEAST = 576,    /* the least that IPv4 hosts must accept */
    ETHERNET_MTU_MAXIMUM = 9000, /* "jumbo" */
    ETHERNET_FRAME_MAXIMUM = ETHERNET_HEADER + ETHERNET_MTU_MAXIMUM,
};

struct ethernet_frame {
    uint64_t due_ns; /* when it arrives */
    size_t length;   /* from the header on, without the check sequence */
    uint8_t bytes[ETHERNET_FRAME_MAXIMUM];
};

struct ethernet_link {
    double ns_per_byte;  /* 0: frames take no time to send */
    uint64_t latency_ns; /* of the cable, the switch, the interfaces: equal for all frames */
    double free_at_ns;   /* when the next frame may begin */
    struct ethernet_frame *frames; /* a ring: the frames in transit, oldest first */
    size_t capacity, first, count;
    uint64_t delivered, bytes, dropped; /* frames, their lengths, frames without room */
    struct histogram late_ns;           /* how long after they were due frames left the link */
};

/* A link of RATE bit/s (0: unlimited) that holds CAPACITY frames, waiting and in transit. 0 or
 * -ENOMEM. */
int ethernet_link_open(struct ethernet_link *link, uint64_t rate, uint64_t latency_ns,
                       size_t capacity);
void ethernet_link_close(struct ethernet_link *link);

/* Where to write the next frame's bytes, ETHERNET_FRAME_MAXIMUM of them. There is always room. */
struct ethernet_frame *ethernet_link_room(struct ethernet_link *link);

/* The frame that was written there has LENGTH bytes and arrived at NOW: it is sent, or dropped. */
void ethernet_link_send(struct ethernet_link *link, size_t length, uint64_t now_ns);

/* The frame that arrives next; NULL if none is in transit. */
const struct ethernet_frame *ethernet_link_next(const struct ethernet_link *link);

/* That frame left the link at NOW. */
void ethernet_link_deliver(struct ethernet_link *link, uint64_t now_ns);
