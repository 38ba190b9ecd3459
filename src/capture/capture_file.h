/* Reading a capture with libpcap: pcap and pcapng, from a file or standard input. */
#pragma once

#include "capture/profile.h"
#include "capture/workload_fill.h"
#include "common/error.h"

/* Fill PROFILE, zeroed before, and FILL (NULL: no workload is wanted) from the capture PATH ("-":
 * standard input), of any size, in bounded memory. FILTER is a filter of libpcap's
 * (pcap-filter(7)), and packets that it does not match are left out; NULL: none. A capture whose
 * last packet is cut, as of a killed tcpdump, is read up to there. 0, or a negative errno with
 * ERROR set: -EINVAL for what is no capture, or of a link layer that is not known, or for a FILTER
 * that is none (ERROR_USAGE); -ENODATA for one without a call of NFSv3, where the error says what
 * there was instead (ERROR_FAILED); -ENOTSUP where this build has no libpcap. */
int capture_file_profile(struct profile *profile, struct workload_fill *fill, const char *path,
                         const char *filter, struct error *error);
