/* Reports of each interval during a run: lines on standard error, and a file of JSON lines, of CSV,
 * or of OpenMetrics. An OpenMetrics file is replaced at each interval. */
#pragma once

#include <limits.h>

#include "job/options.h"

struct interval_log {
    struct run_observer observer; /* the plan's observer, with intervals reported to the log */
    const char *path;             /* NULL: no file */
    FILE *out; /* open file of lines; NULL before the first line, and for OpenMetrics */
    /* if PATH has an earlier log: path of the file that is written instead until the run ends; "":
     * PATH is written */
    char beside[PATH_MAX];
    bool is_prom, is_csv, quiet;
    bool failed; /* true: writing the log failed, which was reported */
};

/* Set up LOG. LOG's own observer writes intervals, and passes other events on to OBSERVER's
 * functions, which get LOG as their context. Checks the file that OPTIONS name, which is opened at
 * the first interval. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int interval_log_open(struct interval_log *log, const struct options *options,
                      const struct run_observer *observer, struct error *error);

/* Close LOG. If there is an earlier log, LOG replaces it after a run that was COMPLETE, unless LOG
 * has failed. Otherwise the earlier log stays, and LOG's lines stay in BESIDE, which is an error.
 * Errors are reported, and set LOG's FAILED. */
void interval_log_close(struct interval_log *log, bool complete);
