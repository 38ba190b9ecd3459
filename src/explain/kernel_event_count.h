/* Shared by the eBPF programs and the reader of their events. */
#ifndef NFSBENCH_EXPLAIN_KERNEL_EVENT_COUNT_H
#define NFSBENCH_EXPLAIN_KERNEL_EVENT_COUNT_H

#include <linux/types.h>

/* The number of a processor's events since the reader last set it to 0, including those that did
 * not fit. It has its own cache line. */
struct kernel_event_count {
    __u64 events;
    __u64 unused[7];
};

#endif
