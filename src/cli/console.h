/* The user at the terminal: what is shown on standard error while a command works, and Ctrl-C. */
#ifndef NFSBENCH_CLI_CONSOLE_H
#define NFSBENCH_CLI_CONSOLE_H

#include <signal.h>
#include <stdbool.h>

#include "run/plan.h"

/* What went wrong, in one line: "nfsbench: what was tried: what came back; what to do". What
 * servers, files and the user named in it is safe for a terminal (common/printable.h). */
void error_print(const struct error *error);

/* What the user is shown of a run while it goes on, for struct run_plan: notices, warnings, and,
 * where standard error is a terminal, progress. One run at a time has progress. */
extern const struct run_observer progress_observer;

/* Ctrl-C: the first one ends the run in order, a second one ends the program at once. */

/* Set by SIGINT, SIGTERM and SIGHUP once interrupt_catch() was called. */
extern volatile sig_atomic_t interrupt_flag;

/* Catch those signals. System calls that they interrupt return EINTR. */
void interrupt_catch(void);

/* Did one of them end what returned CODE? */
bool interrupt_ended(int code);

#endif
