/* What the parts of a sweep's text share. */
#ifndef NFSBENCH_OUTPUT_SWEEP_CELLS_H
#define NFSBENCH_OUTPUT_SWEEP_CELLS_H

#include "output/sweep.h"

enum { SWEEP_CELL_SIZE = 48 };

/* VALUE with so many DECIMALS, "-" where it is not known, "no end" where it has none. */
const char *sweep_cell(char out[SWEEP_CELL_SIZE], int decimals, double value);

/* "[LOW, HIGH]"; nothing for what was measured once only. */
const char *sweep_bracket(char out[SWEEP_CELL_SIZE], const struct interval *interval, int decimals);

/* The table: a row for each point. */
void sweep_print_points(const struct sweep *sweep, FILE *out);

#endif
