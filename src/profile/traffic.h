/* From a capture to the profile of its NFS traffic, and to the workload in it. */
#pragma once

#include "common/error.h"
#include "profile/profile.h"
#include "profile/workload.h"

/* The contents of a capture. PROFILE must be first, because forms take a pointer to it. */
struct captured {
    struct profile profile;
    struct workload workload; /* workload of the capture; has no ops if all calls are NULL */
};

struct traffic;

/* Begin to set CAPTURED, which must be zeroed except for its path and must outlive the traffic.
 * With KEEP_NAMES, the workload has names of files. Returns NULL if there is no memory. */
struct traffic *traffic_open(struct captured *captured, bool keep_names);

/* Add LINE from tshark (profile/dissection.h), which is changed. */
void traffic_add(void *traffic, char *line);

/* End the capture: count incomplete packets, complete CAPTURED, and release everything. */
void traffic_close(struct traffic *traffic);

/* Read the capture PATH ("-": standard input), of any size, into CAPTURED, which is zeroed first.
 * Packets that do not match FILTER (wireshark-filter(4); NULL: none) are left out. A capture whose
 * last packet is cut, as from a killed tcpdump, is read up to that packet. Returns 0, or a negative
 * errno with ERROR set: -EINVAL if it is not a capture, or FILTER is invalid (ERROR_USAGE);
 * -ENODATA if it has no call of NFSv3 (ERROR_FAILED); or an error of tshark_run(). */
int traffic_read(struct captured *captured, const char *path, const char *filter, bool keep_names,
                 struct error *error);
