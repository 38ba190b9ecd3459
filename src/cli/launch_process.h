/* The process of a launch, as its parent sees it and as it reports. */
#ifndef NFSBENCH_CLI_LAUNCH_PROCESS_H
#define NFSBENCH_CLI_LAUNCH_PROCESS_H

#include "cli/options.h"
#include "output/result.h"
#include "target/server_command.h"

/* What came of a launch. */
struct launch_report {
    struct result result;
    bool has_result;    /* to be released then; it may be cut short */
    struct error error; /* why it is cut short, or has no result; ERROR_NONE: neither */
    char *text;         /* what came, to be freed by launch_report_free() */
};

/* Run this very program anew with the command line of OPTIONS and ORDER, whose output is chosen
 * here, and wait for its end; Ctrl-C is passed on to it. What SERVER (may be NULL) prints meanwhile
 * is read away. 0, or a negative errno with ERROR set where it could not be started. */
int launch_process_run(struct launch_report *report, const struct options *options,
                       struct launch_order *order, struct server_command *server,
                       struct error *error);
void launch_report_free(struct launch_report *report);

/* Within it. To be called first: shift the heap, and keep the output to this process. */
void launch_process_begin(const struct launch_order *order);

/* Send RESULT, or ERROR where there is none, to the parent. */
void launch_process_send(const struct launch_order *order, const struct result *result);
void launch_process_fail(const struct launch_order *order, const struct error *error);

#endif
