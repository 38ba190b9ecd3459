/* A model of one direction of an ethernet link, without input or output: frames are put in at one
 * end, and the model says which frame leaves at the other end next, and when.
 * The sender puts one frame after the other on the wire (IEEE 802.3, clauses 3 and 4). Each frame
 * takes the time of its bytes with preamble, padding to the shortest length, and check sequence. A
 * gap follows it. A frame arrives when all of it was sent and the latency has passed. Frames arrive
 * in the order of sending. If there is no room for a frame, it is dropped and counted.
 * A link can be bad on purpose: it loses frames, their latency varies, and some arrive so late that
 * later frames overtake them. The fate of a frame depends only on the seed and on the number of
 * frames sent before it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/random.h"
#include "measure/histogram.h"

enum {
    ETHERNET_HEADER = 14,
    ETHERNET_LEAST = 60, /* bytes of the shortest frame, without the check sequence */
    ETHERNET_PREAMBLE = 8,
    ETHERNET_CHECK_SEQUENCE = 4,
    ETHERNET_GAP = 12,
    ETHERNET_MTU_LEAST = 576,    /* MTU that every host with IPv4 must accept */
    ETHERNET_MTU_MAXIMUM = 9000, /* for "jumbo" frames */
};

struct ethernet_reordering {
    double probability; /* 0 to 1: probability that a frame arrives late and is overtaken */
    uint64_t delay_ns;  /* additional delay of a late frame */
};

struct ethernet_properties {
    uint64_t rate;       /* bits per second; 0: frames take no time to send */
    uint64_t latency_ns; /* minimum latency: that of cable, switch and interfaces */
    /* The additional latency of each frame is uniformly distributed from 0 to this maximum. A frame
     * that would overtake another one follows it at the line's rate instead. */
    uint64_t jitter_ns;
    /* 0 to 1: probability that a frame takes its time on the wire, but never arrives. */
    double loss;
    struct ethernet_reordering reordering;
    uint64_t seed;
    uint32_t mtu;      /* maximum number of bytes in a frame after its header */
    uint32_t capacity; /* maximum number of frames that wait or are in transit */
};

struct ethernet_frame {
    uint64_t due_ns; /* time when the frame arrives */
    size_t length;   /* number of bytes from the header on, without check sequence */
    uint8_t bytes[];
};

struct ethernet_link {
    struct ethernet_properties properties;
    double ns_per_byte;
    double free_at_ns;       /* time when the next frame may be sent */
    uint64_t far_free_at_ns; /* time when the next frame's first bit may arrive, in order */
    struct random random;
    void *memory;                    /* memory of all frames */
    struct ethernet_frame **transit; /* ring of the frames in transit, in the order of arrival */
    struct ethernet_frame **unused;  /* stack of the frames that are not in transit */
    /* FIRST: index in TRANSIT of the first frame. COUNT: number of frames in TRANSIT. */
    size_t first, count;
    /* DELIVERED: number of frames that arrived. BYTES: sum of their lengths. */
    uint64_t delivered, bytes;
    uint64_t dropped; /* number of frames dropped because there was no room */
    /* LOST, REORDERED: numbers of frames lost, and made late, on purpose */
    uint64_t lost, reordered;
    struct histogram late_ns; /* time from each frame's due time until the frame left the link */
};

/* Make LINK with a copy of PROPERTIES. Returns 0 or -ENOMEM. */
int ethernet_link_open(struct ethernet_link *link, const struct ethernet_properties *properties);
void ethernet_link_close(struct ethernet_link *link);

/* Return the length of the longest frame that LINK carries, in bytes from the header on. */
size_t ethernet_link_longest(const struct ethernet_link *link);

/* Return an unused frame for the next bytes to send, with room for ethernet_link_longest() bytes.
 * There always is an unused frame. */
struct ethernet_frame *ethernet_link_room(struct ethernet_link *link);

/* Send the latest frame that ethernet_link_room() returned. It has LENGTH bytes, and was read at
 * NOW_NS. The model delivers, loses or drops it. */
void ethernet_link_send(struct ethernet_link *link, size_t length, uint64_t now_ns);

/* Return the frame that arrives next, or NULL if none is in transit. */
const struct ethernet_frame *ethernet_link_next(const struct ethernet_link *link);

/* Remove the frame that arrives next, which left LINK at NOW_NS. */
void ethernet_link_deliver(struct ethernet_link *link, uint64_t now_ns);
