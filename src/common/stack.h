/* The stack size of this process (RLIMIT_STACK), which its threads also get. */
#pragma once

/* Raise the soft limit to the program's need if the hard limit allows that. Call this first,
 * because all other code may need more stack. Returns 0, or -ENOMEM if the limit is too small (a
 * line on standard error says so, and begins with PROGRAM). */
int stack_check(const char *program);
