/* An emulated network link between the client and a server. */
#pragma once

#include <stdint.h>

/* An emulated link's settings, and its counts of frames and late frames in both directions
 * together. The link maps a file that begins with this struct; measuring processes read it. */
struct link_counts {
    double latency_ns; /* one-way latency, ns; NAN: there is no emulated link */
    double rate;       /* rate of the link, bits/s; 0: sending a frame takes no time */
    uint64_t frames, late;
};

/* A frame is late if it leaves the link more than this time after it was due. */
enum { LINK_LATE_NS = 5000 };
