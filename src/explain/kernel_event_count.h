/* Shared by the eBPF programs and the reader of their events. */
#pragma once

#include <linux/types.h>

/* The number of a processor's events since the reader last set it to 0, including those that did
 * not fit. It has its own cache line. */
struct kernel_event_count {
    __u64 events;
    __u64 unused[7];
};
