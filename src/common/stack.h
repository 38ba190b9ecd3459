/* The stack of this process (RLIMIT_STACK), which is also that of each of its threads. */
#pragma once

#include "common/error.h"

/* Raise the soft limit to what the program needs, as far as the hard limit allows. Returns 0, or
 * -ENOMEM with ERROR set where it is still too small. */
int stack_check(struct error *error);
