/* What a run measures in each interval, shown while it goes on: as lines on standard error, and in
 * a file of JSON lines, of CSV, or of OpenMetrics, which is replaced each time; and for Prometheus.
 */
#ifndef NFSBENCH_CLI_INTERVAL_LOG_H
#define NFSBENCH_CLI_INTERVAL_LOG_H

#include "cli/metrics_port.h"
#include "cli/options.h"
#include "run/intervals.h"

struct interval_log {
    struct run_observer observer; /* to be used instead of the plan's */
    const char *path;             /* NULL: no file */
    FILE *out;                    /* of lines; NULL: the file is replaced */
    bool is_csv, quiet;
    bool failed; /* it could not be written, which is reported once */
    struct metrics_port metrics;
};

/* Open the file and the port that OPTIONS name; OBSERVER is the one that gets everything else.
 * Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int interval_log_open(struct interval_log *log, const struct options *options,
                      const struct run_observer *observer, struct error *error);
void interval_log_close(struct interval_log *log);

#endif
