/* A result as OpenMetrics text, for the node exporter's textfile collector: a run that is made
 * again and again becomes a dashboard. */
#ifndef NFSBENCH_OUTPUT_OPENMETRICS_H
#define NFSBENCH_OUTPUT_OPENMETRICS_H

#include <stdio.h>

#include "output/result.h"

/* Gauges, labelled with target, transport and op; times in seconds, as is usual there. 0. */
int openmetrics_write(const struct result *result, FILE *out);

#endif
