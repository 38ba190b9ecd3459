/* The signals that end a process unless it handles them. A program that leaves something behind
 * when it ends, such as a directory on a server, handles all of them alike. */
#pragma once

#include <signal.h>

/* The signals of which the default action ends a process and that others send: SIGINT, SIGTERM,
 * SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, timers, limits and the real-time signals. Neither SIGKILL,
 * which can't be handled; nor those by which the kernel reports a fault of the program itself, such
 * as SIGSEGV; nor those of signals_ignore_writes(). */
void signals_add_ending(sigset_t *set);

/* Call HANDLER (or SIG_IGN, SIG_DFL) for all of them. System calls that they interrupt return
 * EINTR. */
void signals_handle_ending(void (*handler)(int number));

/* A write that can't succeed becomes an error: EPIPE without SIGPIPE where nobody reads what is
 * written, EFBIG without SIGXFSZ where a file is as long as RLIMIT_FSIZE allows. */
void signals_ignore_writes(void);

/* The signals that signals_ignore_writes() ignores: programs that are started should have their
 * default actions. */
void signals_add_writes(sigset_t *set);
