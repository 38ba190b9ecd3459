/* This machine's processors: which of them a process may run on, how fast they run, and keeping
 * them awake. */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

enum { CPU_LIST_SIZE = 128 };

/* The processors that the calling thread may run on, as "0-3,6". Returns BUFFER. */
const char *cpu_allowed_list(char buffer[CPU_LIST_SIZE]);

/* Is CPU in such a list? */
bool cpu_is_listed(const char *list, unsigned long cpu);

/* May it run on CPU? */
bool cpu_is_allowed(unsigned cpu);

/* How many it may run on. */
unsigned cpu_allowed_count(void);

/* The number of the first (FROM_END false) or last of them. */
unsigned cpu_allowed_edge(int from_end);

/* Run the calling thread on CPU only. 0 or a negative errno. */
int cpu_pin(unsigned cpu);

/* The processors that the calling thread may run on, to restore them after it was bound to one. */
cpu_set_t cpu_allowed_set(void);
void cpu_allow_set(const cpu_set_t *set);

/* The processor that the calling thread runs on. */
unsigned cpu_current(void);

/* The processor that was chosen because it was busy for the least share of its time. */
struct cpu_choice {
    unsigned cpu;      /* its number */
    unsigned of;       /* the number of processors that it was chosen from; 0: none was chosen */
    double busy_share; /* of its time before that; NAN: unknown, since there was no other one */
};

/* Do processors A and B share a core (or are they the same)? By the kernel's topology. */
bool cpu_share_core(unsigned a, unsigned b);

/* CPU's current frequency in Hz; 0 if the kernel does not report it. */
double cpu_frequency(unsigned cpu);

/* Its frequency governor, such as "performance"; "" if there is none. Returns BUFFER. */
const char *cpu_governor(unsigned cpu, char *buffer, size_t size);

/* Keep the processors awake until cpu_let_sleep(). Returns a descriptor, or a negative errno
 * (-EACCES without privilege, -ENOENT where the kernel has no such device).
 *
 * An idle processor goes to sleep, and waking it takes from one microsecond on bare metal to tens
 * of microseconds under a hypervisor, and varies: noise of several times the cost of a call. Linux
 * accepts a bound on that latency from any process that holds /dev/cpu_dma_latency open (kernel
 * documentation, "PM Quality Of Service Interface"); with a bound of 0, idle processors poll.
 * cyclictest does the same. */
int cpu_keep_awake(void);

/* Let them sleep again, as the end of the process also does. A negative DESCRIPTOR is ignored. */
void cpu_let_sleep(int descriptor);
