/* The terminal: messages and progress on standard error while a command runs, and Ctrl-C. */
#ifndef NFSBENCH_CLI_CONSOLE_H
#define NFSBENCH_CLI_CONSOLE_H

#include <signal.h>
#include <stdbool.h>

#include "run/plan.h"

/* Print what went wrong, in one line: "nfsbench: what was tried: what came back; what to do". Text
 * from servers, files and the user is made safe for a terminal (common/printable.h). */
void error_print(const struct error *error);

/* What the user sees while a run is going on, for struct run_plan: notices, warnings and, if
 * standard error is a terminal, progress. Only one run at a time can show progress. */
extern const struct run_observer progress_observer;

/* Ctrl-C: the first one ends the run in an orderly way, the second one ends the program at once. */

/* Set by SIGINT, SIGTERM and SIGHUP once interrupt_catch() was called. */
extern volatile sig_atomic_t interrupt_flag;

/* Catch those signals. System calls that they interrupt return EINTR. */
void interrupt_catch(void);

/* Is CODE the return value of something that one of these signals ended? */
bool interrupt_ended(int code);

#endif
