/* A result as CSV (RFC 4180). */
#ifndef NFSBENCH_OUTPUT_CSV_H
#define NFSBENCH_OUTPUT_CSV_H

#include <stdio.h>

#include "output/result.h"

/* A heading and a line for each op, times in ns; what is not known is empty. 0. */
int csv_write(const struct result *result, FILE *out);

#endif
