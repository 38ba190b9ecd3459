/* What all OpenMetrics of this program shares. */
#ifndef NFSBENCH_OUTPUT_OPENMETRICS_H
#define NFSBENCH_OUTPUT_OPENMETRICS_H

#include <stdio.h>

/* TEXT as the value of a label, in quotes. */
void openmetrics_print_quoted(const char *text, FILE *out);

#endif
