/* Keeping processors awake while a measurement runs.
 *
 * A processor that waits goes to sleep, and waking it costs from one microsecond on bare metal to
 * tens under a hypervisor, differently each time: noise, several times the cost of a call. Linux
 * takes a bound on that latency from whoever holds /dev/cpu_dma_latency open (kernel
 * documentation, "PM Quality Of Service Interface"); with 0, idle processors poll. cyclictest does
 * the same. */
#ifndef NFSBENCH_MEASURE_AWAKE_H
#define NFSBENCH_MEASURE_AWAKE_H

/* Keep this machine's processors awake until awake_end(). A descriptor, or a negative errno
 * (-EACCES without privilege, -ENOENT where the kernel has no such thing). */
int awake_begin(void);

/* Let them sleep again; a negative DESCRIPTOR is allowed. The end of the process does so, too. */
void awake_end(int descriptor);

#endif
