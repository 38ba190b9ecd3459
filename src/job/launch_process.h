/* The process of a launch, seen from its parent and from the launch. */
#pragma once

#include <sys/types.h>

#include "job/options.h"
#include "output/result/result_file.h"

/* The outcome of a launch. */
struct launch_report {
    struct result_file file;
    bool has_result;    /* FILE has a result, which may be incomplete */
    struct error error; /* why the result is missing or incomplete; otherwise ERROR_NONE */
};

/* Run this program in a new process with the command line of OPTIONS and with ORDER, whose file is
 * made here, and wait until it ends. Ctrl-C is passed on. Release the file in REPORT afterwards.
 * Returns 0, or a negative errno with ERROR set if the process could not be started. */
int launch_process_run(struct launch_report *report, const struct options *options,
                       struct launch_order *order, struct error *error);

/* Wait until process PID ends; Ctrl-C is passed on once. Returns the status of waitpid(). */
int launch_process_await(pid_t pid);

/* Shift the heap, and keep ORDER's file from child processes. A launch calls this first. */
void launch_process_begin(const struct launch_order *order);

/* Send the parent a result, which WRITER makes of DATA; or, without a result, send ERROR. */
void launch_process_send(const struct launch_order *order, file_writer writer, const void *data);
void launch_process_fail(const struct launch_order *order, const struct error *error);
