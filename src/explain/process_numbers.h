/* Whether this process knows processes by the numbers that the kernel's tracing has. */
#pragma once

#include "common/error.h"

/* Process numbers in eBPF programs are the machine's, not a container's. Returns 0, or
 * -ENOTSUP with ERROR set where they differ. */
int process_numbers_check(struct error *error);
