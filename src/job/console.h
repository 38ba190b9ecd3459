/* The terminal: messages and progress on standard error while a command runs, and Ctrl-C. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "run/plan.h"

/* Print an error as one line: "nfsbench: what was tried: what came back; what to do". Text from
 * servers, files and the user is made safe for a terminal (common/printable.h). */
extern void (*error_print)(const struct error *error); /* nfsbench-mpi sets another function */

/* Prints a run's notices, warnings and progress. Only one run at a time may show progress. */
extern const struct run_observer progress_observer;

/* Show the progress of a task. On a terminal, the text replaces the progress line, at most five
 * times a second; elsewhere it is a new line, at most every 10 s, the first after 10 s. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Start to show the progress of PLAN's command. Each progress line ends with the time left until
 * PLAN's deadline, if there is one (not with --over). Unless PLAN is quiet, a terminal's line is
 * renewed twice a second. */
void progress_begin(const struct run_plan *plan);

/* Print PREFIX as it is, and then LINE made safe for a terminal, as a line above the progress line
 * if there is one. */
void progress_print(const char *prefix, const char *line);

/* End the progress, and remove its line from a terminal. */
void progress_end(void);

/* End the progress, and prepare to print LINES lines on standard error. On a terminal with more
 * than LINES rows, the next call removes these lines, unless a notice, warning or error was printed
 * in between. Returns the maximum width of a line, in columns; INT_MAX if the next call will not
 * remove the lines. */
int progress_replace(size_t lines);

enum { PROGRESS_LEFT_SIZE = 32 };

/* Write to TEXT the estimated time that is left, as "12 s left", for a task that began at BEGAN_NS
 * (clock_raw_ns()) and has done DONE of PLANNED steps. It is 0 s if DONE is 0. Returns TEXT. */
const char *progress_left(uint64_t began_ns, size_t done, size_t planned,
                          char text[PROGRESS_LEFT_SIZE]);

/* Ctrl-C and other signals that end a process: the first ends the run in order, the second the
 * program at once. */

/* After interrupt_catch(): set to 1 by SIGINT, SIGTERM and other signals that end a process. */
extern volatile sig_atomic_t interrupt_flag;

/* Catch the signals that set interrupt_flag. System calls that they interrupt return EINTR. */
void interrupt_catch(void);

/* Did a signal that sets interrupt_flag end the function that returned CODE? True if the flag is
 * set, or CODE is -EINTR. */
bool interrupt_ended(int code);
