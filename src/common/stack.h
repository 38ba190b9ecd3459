/* The limit of this process's stack (RLIMIT_STACK). */
#pragma once

/* If the soft limit is less than the program needs, raise it. Call this first, because all other
 * code may need more stack. Returns 0, or -ENOMEM if the hard limit is too small or setting fails;
 * a line on standard error, which begins with PROGRAM, then names the hard limit. */
int stack_check(const char *program);
