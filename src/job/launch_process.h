/* The process of a launch, seen from its parent and from the launch. */
#pragma once

#include <jansson.h>

#include "job/options.h"
#include "output/result/result_file.h"

struct launch_report {
    struct result_file file;
    bool has_result;    /* FILE contains a result, which may be incomplete */
    struct error error; /* why the result is missing or incomplete; otherwise ERROR_NONE */
};

/* Run this program in a new process with the command line of OPTIONS and with ORDER, and wait until
 * the process ends. ORDER's FILE is opened and closed here. Ctrl-C is passed on. The caller
 * releases REPORT's FILE. Returns 0, or a negative errno with ERROR set if the process could not be
 * started. */
int launch_process_run(struct launch_report *report, const struct options *options,
                       struct launch_order *order, struct error *error);

/* Run this program in a new process with the command line WORDS, which NULL ends, and ENVIRONMENT;
 * wait for its end. OUT and ERRORS are descriptors for the new process's standard output and
 * standard error; -1: those of this process. Ctrl-C is passed on once, as SIGTERM. Returns the
 * process's status from waitpid(), or a negative errno if fork() failed. */
int launch_process_execute(const char *const *words, char *const *environment, int out, int errors);

/* Read into *ROOT the JSON that a process has written to the descriptor FILE. NAME is the file's
 * name in messages. *ROOT is NULL after an error. Returns 0, or a negative errno with ERROR set. */
int launch_process_read(int file, const char *name, json_t **root, struct error *error);

/* Shift the heap as ORDER says, and keep child processes from inheriting ORDER's file. A launch
 * calls this first. */
void launch_process_begin(const struct launch_order *order);

/* launch_process_send() sends the parent a result, which WRITER writes from DATA.
 * launch_process_fail() sends ERROR instead of a result. */
void launch_process_send(const struct launch_order *order, file_writer writer, const void *data);
void launch_process_fail(const struct launch_order *order, const struct error *error);
