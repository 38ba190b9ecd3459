/* The values that a sweep goes through. */
#ifndef NFSBENCH_CLI_SWEEP_RANGE_H
#define NFSBENCH_CLI_SWEEP_RANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

enum { SWEEP_VALUES_MAXIMUM = 64 };

struct sweep_range {
    double values[SWEEP_VALUES_MAXIMUM]; /* in the order given, each once */
    size_t count;
    bool percent; /* they are shares of something, from 0 on: 0.5 for 50% */
};

/* Read TEXT, what --OPTION was given: values with commas between, each a number ("8", "64KiB"), a
 * range ("1..64": 1 and its doublings, up to and with 64), and with PERCENT allowed shares ("50%")
 * and their ranges ("10%..100%": in steps of the first). 0, or -EINVAL with ERROR set
 * (ERROR_USAGE). */
int sweep_range_parse(const char *option, const char *text, bool percent, struct sweep_range *range,
                      struct error *error);

#endif
