/* From the frames of a capture to the profile of its NFS traffic. */
#pragma once

#include "capture/packet.h"
#include "capture/profile.h"
#include "capture/workload_fill.h"

struct traffic;

/* What is kept at most. */
struct traffic_limits {
    size_t memory;  /* bytes of what was captured */
    uint32_t calls; /* that are known at the same time (capture/calls.h) */
};

/* A frame as a capture has it. */
struct captured_frame {
    enum link_type link;
    uint64_t time; /* ns since 1970 */
    const uint8_t *bytes;
    size_t captured, sent; /* bytes that the capture has, and that there were */
};

/* Begin to fill PROFILE, which is zeroed but for its path, and FILL (NULL: no workload is wanted);
 * both outlive the traffic. NULL without memory. */
struct traffic *traffic_open(struct profile *profile, struct workload_fill *fill,
                             const struct traffic_limits *limits);

void traffic_add(struct traffic *traffic, const struct captured_frame *frame);

/* The capture ends: count what is incomplete, and release everything. Returns how many bytes of the
 * memory were still held, which is 0 unless something is wrong here. */
size_t traffic_close(struct traffic *traffic);
