/* From a capture to the profile of its NFS traffic, and the workload in it. */
#pragma once

#include "common/error.h"
#include "profile/profile.h"
#include "profile/workload.h"

/* What a capture holds; the profile is first, since it is what has forms. */
struct captured {
    struct profile profile;
    struct workload workload; /* without ops where there are no calls but of NULL */
};

struct traffic;

/* Begin to fill CAPTURED, which is zeroed but for its path, and outlives the traffic. KEEP_NAMES:
 * of files, in the workload. NULL without memory. */
struct traffic *traffic_open(struct captured *captured, bool keep_names);

/* Add a line of tshark's (profile/dissection.h), which is changed. */
void traffic_add(void *traffic, char *line);

/* The capture ends: count what is incomplete, finish what was filled, and release everything. */
void traffic_close(struct traffic *traffic);

/* Fill CAPTURED, zeroed before, from the capture PATH ("-": standard input), of any size; packets
 * that FILTER (wireshark-filter(4)) does not match are left out; NULL: none. A capture whose last
 * packet is cut, as of a killed tcpdump, is read up to there. 0, or a negative errno with ERROR
 * set: -EINVAL for what is no capture, or for a FILTER that is none (ERROR_USAGE); -ENODATA for one
 * without a call of NFSv3, where the error says what there was instead (ERROR_FAILED); or that of
 * tshark_run(). */
int traffic_read(struct captured *captured, const char *path, const char *filter, bool keep_names,
                 struct error *error);
