/* From a capture to the profile of its NFS traffic, and the workload in it. */
#pragma once

#include "capture/profile.h"
#include "capture/workload_fill.h"
#include "common/error.h"

struct traffic;

/* Begin to fill PROFILE, which is zeroed but for its path, and FILL; both outlive the traffic. NULL
 * without memory. */
struct traffic *traffic_open(struct profile *profile, struct workload_fill *fill);

/* Add a line of tshark's (capture/dissection.h), which is changed. */
void traffic_add(void *traffic, char *line);

/* The capture ends: count what is incomplete, and release everything. */
void traffic_close(struct traffic *traffic);

/* Fill PROFILE, zeroed before, and FILL from the capture PATH ("-": standard input), of any size;
 * packets that FILTER (wireshark-filter(4)) does not match are left out; NULL: none. A capture
 * whose last packet is cut, as of a killed tcpdump, is read up to there. 0, or a negative errno
 * with ERROR set: -EINVAL for what is no capture, or for a FILTER that is none (ERROR_USAGE);
 * -ENODATA for one without a call of NFSv3, where the error says what there was instead
 * (ERROR_FAILED); or that of tshark_run(). */
int traffic_read(struct profile *profile, struct workload_fill *fill, const char *path,
                 const char *filter, struct error *error);
