/* Signals that end a process unless it handles or ignores them. A program that must clean up, for
 * example a directory on a server, handles all of signals_add_ending() in the same way. */
#pragma once

#include <signal.h>

/* Add to SET the signals that end a process by default: SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1,
 * SIGUSR2, timers, SIGXCPU, real-time signals and a few more. Not included are SIGKILL, which can't
 * be handled; faults of the program itself, such as SIGSEGV; and the signals that
 * signals_ignore_writes() ignores. */
void signals_add_ending(sigset_t *set);

/* Set HANDLER (or SIG_IGN, SIG_DFL) for all signals of signals_add_ending(). A system call that
 * such a signal interrupts fails with EINTR. */
void signals_handle_ending(void (*handler)(int number));

/* Ignore SIGPIPE and SIGXFSZ, so that a write fails with EPIPE if nobody reads, and with EFBIG if a
 * file reaches RLIMIT_FSIZE. */
void signals_ignore_writes(void);

/* Add to SET the signals that signals_ignore_writes() ignores. A program that is started should get
 * the default actions of these signals. */
void signals_add_writes(sigset_t *set);
