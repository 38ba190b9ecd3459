/* Ctrl-C: the first one ends the run in order, a second one ends the program at once. */
#ifndef NFSBENCH_CLI_INTERRUPT_H
#define NFSBENCH_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Set by SIGINT, SIGTERM and SIGHUP once interrupt_catch() was called. */
extern volatile sig_atomic_t interrupt_flag;

/* Did one of them end what returned CODE? */
bool interrupt_ended(int code);

/* Catch those signals. System calls that they interrupt return EINTR. */
void interrupt_catch(void);

#endif
