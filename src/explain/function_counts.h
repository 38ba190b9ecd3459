/* How often functions of the kernel are called and its tracepoints passed, on either side of a
 * connection, by eBPF programs at their entries (fentry) and at raw tracepoints. Nothing remains in
 * the kernel after function_counts_close(), or after the process has ended in any way. */
#ifndef NFSBENCH_EXPLAIN_FUNCTION_COUNTS_H
#define NFSBENCH_EXPLAIN_FUNCTION_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"
#include "explain/function_side.h"

/* What is counted, from the system calls to the device, and in the kernel's server. */
struct kernel_function {
    const char *name;
    const char *part; /* of the kernel: "tcp", "nfsd" */
    bool is_tracepoint;
};

extern const struct kernel_function kernel_functions[];
extern const size_t kernel_function_count;

struct function_counts;

/* Load and attach the programs, disabled, for what this kernel has and permits. SERVER is the
 * server's process; 0: the kernel's server, whose threads are named nfsd. Returns 0, or a negative
 * errno; ERROR then says what is missing and how to get it. */
int function_counts_open(struct function_counts **counts, pid_t client, pid_t server,
                         struct error *error);

/* Why FUNCTION is not counted; NULL if it is. */
const char *function_counts_missing(const struct function_counts *counts, size_t function);

/* Enable or disable the programs. */
void function_counts_enable(struct function_counts *counts, bool enabled);

/* Read the calls of each function since the programs were loaded. */
void function_counts_read(const struct function_counts *counts,
                          struct function_count list[FUNCTIONS_MAXIMUM]);

/* Detach and free the programs; NULL is allowed. */
void function_counts_close(struct function_counts *counts);

#endif
