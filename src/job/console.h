/* The terminal: messages and progress on standard error while a command runs, and Ctrl-C. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "run/plan.h"

/* Print what went wrong, in one line: "nfsbench: what was tried: what came back; what to do". Text
 * from servers, files and the user is made safe for a terminal (common/printable.h). */
extern void (*error_print)(const struct error *error); /* nfsbench-mpi has its own */

/* What the user is shown of a run while it goes on, for struct run_plan: notices, warnings and
 * progress. One run at a time has progress. */
extern const struct run_observer progress_observer;

/* Show how far something is, where it is time for that: on a terminal, in place of the last line,
 * five times a second at most; elsewhere, in a line of its own every ten seconds. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What PLAN is of begins, with mounting: beside what is shown is how much of its time is left; and
 * on a terminal the line is shown again twice a second. */
void progress_begin(const struct run_plan *plan);

/* Print PREFIX and LINE, which is made safe for a terminal, as a line that stays. A line of
 * progress on a terminal is removed, and shown again below it. */
void progress_print(const char *prefix, const char *line);

/* It has ended: a line on a terminal is removed. */
void progress_end(void);

/* LINES lines on standard error come next. On a terminal they take the place of those that came
 * after the last call, unless a notice or an error was printed since, or there are more than the
 * screen has. Returns how many columns each may have. */
int progress_replace(size_t lines);

enum { PROGRESS_LEFT_SIZE = 32 };

/* How long the rest takes of what BEGAN_NS ago, when DONE of PLANNED have been done: "12 s left".
 * Returns TEXT. */
const char *progress_left(uint64_t began_ns, size_t done, size_t planned,
                          char text[PROGRESS_LEFT_SIZE]);

/* Ctrl-C: the first one ends the run in an orderly way, the second one ends the program at once. */

/* Set by SIGINT, SIGTERM and all other signals that end a process (common/signals.h), once
 * interrupt_catch() was called. */
extern volatile sig_atomic_t interrupt_flag;

/* Catch those signals. System calls that they interrupt return EINTR. */
void interrupt_catch(void);

/* Is CODE the return value of something that one of these signals ended? */
bool interrupt_ended(int code);
