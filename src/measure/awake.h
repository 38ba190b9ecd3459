/* Keep processors awake while a measurement runs.
 *
 * An idle processor goes to sleep, and waking it takes from one microsecond on bare metal to tens
 * of microseconds under a hypervisor, and varies: noise of several times the cost of a call. Linux
 * accepts a bound on that latency from any process that holds /dev/cpu_dma_latency open (kernel
 * documentation, "PM Quality Of Service Interface"); with a bound of 0, idle processors poll.
 * cyclictest does the same. */
#ifndef NFSBENCH_MEASURE_AWAKE_H
#define NFSBENCH_MEASURE_AWAKE_H

/* Keep this machine's processors awake until awake_end(). Returns a descriptor, or a negative errno
 * (-EACCES without privilege, -ENOENT where the kernel has no such device). */
int awake_begin(void);

/* Let the processors sleep again, as the end of the process also does. A negative DESCRIPTOR is
 * ignored. */
void awake_end(int descriptor);

#endif
