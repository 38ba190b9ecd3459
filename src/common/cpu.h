/* This machine's processors: which may be used, how fast they run, and keeping them awake. */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

enum { CPU_LIST_SIZE = 128 };

/* Write the processors that the calling thread may run on to BUFFER, as "0-3,6". A list that does
 * not fit is cut after an item. Returns BUFFER. */
const char *cpu_allowed_list(char buffer[CPU_LIST_SIZE]);

/* Return whether CPU is in LIST, which has the form of cpu_allowed_list(). */
bool cpu_is_listed(const char *list, unsigned long cpu);

/* Return whether the calling thread may run on CPU. */
bool cpu_is_allowed(unsigned cpu);

/* Return the number of processors that the calling thread may run on. */
unsigned cpu_allowed_count(void);

/* Return the first processor that the calling thread may run on, or the last if FROM_END. */
unsigned cpu_allowed_edge(int from_end);

/* Run the calling thread only on CPU. Returns 0 or a negative errno. */
int cpu_pin(unsigned cpu);

/* Get or set the processors that the calling thread may run on. If they are unknown,
 * cpu_allowed_set() returns processor 0 only. */
cpu_set_t cpu_allowed_set(void);
void cpu_allow_set(const cpu_set_t *set);

/* Return the processor that the calling thread runs on; 0 if unknown. */
unsigned cpu_current(void);

/* The processor that was chosen because it was the least busy. */
struct cpu_choice {
    unsigned cpu; /* number of the processor */
    unsigned of;  /* number of processors to choose from; 0 if none was chosen */
    /* Share of time, 0 to 1, in which the processor was busy before the choice; NAN if there was no
     * other processor. */
    double busy_share;
};

/* Return whether processors A and B share a core, or are the same, by the kernel's topology. */
bool cpu_share_core(unsigned a, unsigned b);

/* Return the current frequency of CPU in Hz; 0 if the kernel does not report it. */
double cpu_frequency(unsigned cpu);

/* Return the frequency governor of CPU, such as "performance", in BUFFER; "" if there is none. */
const char *cpu_governor(unsigned cpu, char *buffer, size_t size);

/* Keep the processors awake until cpu_let_sleep(). Returns a descriptor, or a negative errno
 * (-EACCES without privilege, -ENOENT if the kernel lacks the device).
 *
 * An idle processor goes to sleep. Waking it takes from one microsecond on bare metal to tens of
 * microseconds under a hypervisor, and varies: noise of several times the cost of a call. While a
 * process holds /dev/cpu_dma_latency open, Linux keeps the time to wake below the bound written to
 * it (kernel documentation, "PM Quality Of Service Interface"); at 0, idle processors poll. */
int cpu_keep_awake(void);

/* Let the processors sleep again, as the process's end does. Ignores a negative DESCRIPTOR. */
void cpu_let_sleep(int descriptor);
