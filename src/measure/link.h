/* An emulated link between the client and a server, which counts what it carries. */
#pragma once

#include <stdint.h>

/* What an emulated link says of itself while it carries frames, both ways together: a file that
 * begins with this, which is mapped by the link and read by whoever measures over it. */
struct link_counts {
    double latency_ns; /* one way; NAN: there is no such link */
    double rate;       /* bits per second; 0: frames take no time to send */
    uint64_t frames, late;
};

/* A frame is late if it left the link so long after it was due. */
enum { LINK_LATE_NS = 5000 };
