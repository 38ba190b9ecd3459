/* What a run measures in each interval, shown while it goes on: as lines on standard error, and in
 * a file of JSON lines, of CSV, or of OpenMetrics, which is replaced each time. */
#pragma once

#include <limits.h>

#include "job/options.h"

struct interval_log {
    struct run_observer observer; /* to be used instead of the plan's */
    const char *path;             /* NULL: no file */
    FILE *out;                    /* of lines, once there is one; NULL: the file is replaced */
    char beside[PATH_MAX];        /* where they are while an earlier log is kept; "": at PATH */
    bool is_prom, is_csv, quiet;
    bool failed; /* it could not be written, which is reported once */
};

/* Check the file that OPTIONS name, which is opened at the first interval;
 * OBSERVER is the one that gets everything else. Returns 0, or a negative errno with ERROR set
 * (ERROR_USAGE). */
int interval_log_open(struct interval_log *log, const struct options *options,
                      const struct run_observer *observer, struct error *error);

/* The log of a COMPLETE run takes the place of an earlier one; what can't be written is reported,
 * and sets LOG's FAILED. */
void interval_log_close(struct interval_log *log, bool complete);
