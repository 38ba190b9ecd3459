/* The stack size of this process (RLIMIT_STACK), which its threads also get. */
#pragma once

/* If the soft limit is less than the program needs, raise it to that. Call this first, because all
 * other code may need more stack. Returns 0, or -ENOMEM if the hard limit is too small; a line on
 * standard error, which begins with PROGRAM, then says so. */
int stack_check(const char *program);
