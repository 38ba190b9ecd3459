/* One direction of an ethernet link, as a model without any input or output: frames go in at one
 * end, and it says which one comes out at the other end next, and when.
 *
 * The sender puts one frame after the other on the wire (IEEE 802.3, clauses 3 and 4): each takes
 * the time of its bytes with preamble, padding to the least size, and check sequence; the gap
 * follows it. A frame arrives, whole, that time and the latency after its first bit was sent. The
 * order is kept. Frames for which there is no room are dropped, and counted.
 *
 * A link can also be a bad one: it loses frames, their latency varies, and some arrive so late that
 * the next ones overtake them. What happens to a frame follows from the seed and from how many
 * frames were sent before it, so that the same seed does the same to the same frames. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/random.h"
#include "measure/histogram.h"

enum {
    ETHERNET_HEADER = 14,
    ETHERNET_LEAST = 60, /* header and padded data, without the check sequence */
    ETHERNET_PREAMBLE = 8,
    ETHERNET_CHECK_SEQUENCE = 4,
    ETHERNET_GAP = 12,
    ETHERNET_MTU_LEAST = 576,    /* the least that IPv4 hosts must accept */
    ETHERNET_MTU_MAXIMUM = 9000, /* "jumbo" */
};

struct ethernet_reordering {
    double probability; /* that a frame arrives late, and the next ones overtake it; 0 to 1 */
    uint64_t delay_ns;  /* how much later than due it arrives */
};

/* What a link does to every frame. */
struct ethernet_properties {
    uint64_t rate;       /* bits per second; 0: frames take no time to send */
    uint64_t latency_ns; /* of the cable, the switch, the interfaces: the least of all frames */
    uint64_t jitter_ns;  /* each frame's latency is longer by a time that is uniformly distributed
                            from 0 to this; a frame that would overtake another one follows it
                            instead, at the line's rate */
    double loss;         /* probability that a frame takes its time on the wire, but never arrives;
                            0 to 1 */
    struct ethernet_reordering reordering;
    uint64_t seed;     /* of what is random */
    uint32_t mtu;      /* bytes of a frame without its header */
    uint32_t capacity; /* frames that the link holds, waiting and in transit */
};

struct ethernet_frame {
    uint64_t due_ns; /* when it arrives */
    size_t length;   /* from the header on, without the check sequence */
    uint8_t bytes[];
};

struct ethernet_link {
    struct ethernet_properties properties;
    double ns_per_byte;
    double free_at_ns;       /* when the next frame may begin */
    uint64_t far_free_at_ns; /* when the next frame that keeps the order may begin to arrive */
    struct random random;
    void *memory;                    /* of all frames */
    struct ethernet_frame **transit; /* a ring: the frames in transit, the first to arrive first */
    struct ethernet_frame **unused;  /* a stack: the other frames */
    size_t first, count;             /* of TRANSIT */
    uint64_t delivered, bytes;       /* frames that arrived, and their lengths */
    uint64_t dropped;                /* frames for which there was no room */
    uint64_t lost, reordered;        /* frames that were lost, or made late, on purpose */
    struct histogram late_ns;        /* how long after they were due frames left the link */
};

/* Make a link with PROPERTIES, which are copied. 0 or -ENOMEM. */
int ethernet_link_open(struct ethernet_link *link, const struct ethernet_properties *properties);
void ethernet_link_close(struct ethernet_link *link);

/* The longest frame that the link carries, in bytes from the header on. */
size_t ethernet_link_longest(const struct ethernet_link *link);

/* Where to write the next frame's bytes, ethernet_link_longest() of them. There is always room. */
struct ethernet_frame *ethernet_link_room(struct ethernet_link *link);

/* The frame that was written there has LENGTH bytes and arrived at NOW: it is sent, lost or
 * dropped. */
void ethernet_link_send(struct ethernet_link *link, size_t length, uint64_t now_ns);

/* The frame that arrives next; NULL if none is in transit. */
const struct ethernet_frame *ethernet_link_next(const struct ethernet_link *link);

/* That frame left the link at NOW. */
void ethernet_link_deliver(struct ethernet_link *link, uint64_t now_ns);
