/* Makes the profile and the workload of a capture. */
#pragma once

#include "common/error.h"
#include "profile/profile.h"
#include "profile/workload.h"

/* The contents of a capture. PROFILE must be first, because output forms get a pointer to it. */
struct captured {
    struct profile profile;
    struct workload workload; /* has no ops if no op except NULL is known */
};

struct traffic;

/* Begin to read a capture into CAPTURED, which must be zeroed except for its path, and must outlive
 * the traffic. With KEEP_NAMES, the workload has names of files. Returns NULL if there is no
 * memory. */
struct traffic *traffic_open(struct captured *captured, bool keep_names);

/* Add LINE, which tshark has printed, to the struct traffic TRAFFIC. LINE is changed. */
void traffic_add(void *traffic, char *line);

/* End the capture: complete the profile and the workload in CAPTURED, and free TRAFFIC. */
void traffic_close(struct traffic *traffic);

/* Read the capture PATH ("-": standard input), of any size, into CAPTURED, which must be zeroed.
 * Packets that do not match FILTER (wireshark-filter(4); NULL: all match) are left out. If the last
 * packet is incomplete, as after a killed tcpdump, the packets before it are read. Returns 0, or a
 * negative errno with ERROR set: -EINVAL if PATH is no capture, or FILTER is invalid (ERROR_USAGE);
 * -ENODATA if there is no NFSv3 call (ERROR_FAILED); -ENOMEM; or an error of tshark_run(). */
int traffic_read(struct captured *captured, const char *path, const char *filter, bool keep_names,
                 struct error *error);
