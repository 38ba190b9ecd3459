/* From the frames of a capture to the profile of its NFS traffic. */
#ifndef NFSBENCH_CAPTURE_TRAFFIC_H
#define NFSBENCH_CAPTURE_TRAFFIC_H

#include "capture/link.h"
#include "capture/profile.h"

struct traffic;

/* A frame as a capture has it. */
struct captured_frame {
    enum link_type link;
    uint64_t time; /* ns since 1970 */
    const uint8_t *bytes;
    size_t captured, sent; /* bytes that the capture has, and that there were */
};

/* Begin to fill PROFILE, which is zeroed but for its path and outlives the traffic. At most
 * MEMORY bytes are held of what was captured. NULL without memory. */
struct traffic *traffic_open(struct profile *profile, size_t memory);

void traffic_add(struct traffic *traffic, const struct captured_frame *frame);

/* The capture ends: count what is incomplete, and release everything. Returns how many bytes of the
 * memory were still held, which is 0 unless something is wrong here. */
size_t traffic_close(struct traffic *traffic);

#endif
