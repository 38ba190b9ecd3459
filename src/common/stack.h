/* The stack of this process (RLIMIT_STACK), which is also that of each of its threads. */
#pragma once

/* Raise the soft limit to what the program needs, as far as the hard limit allows. To be called
 * first, since everything else may need more than there is. Returns 0, or -ENOMEM where the limit
 * is still too small; then a line on standard error, which begins with PROGRAM's name, says so. */
int stack_check(const char *program);
