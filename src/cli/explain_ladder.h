/* nfsbench explain --ladder: what each part of a call costs, one rung above the other. */
#ifndef NFSBENCH_CLI_EXPLAIN_LADDER_H
#define NFSBENCH_CLI_EXPLAIN_LADDER_H

#include "cli/explain_plan.h"

/* Measure PLAN's ladder and tell it. Returns the exit status; errors are told on standard error. */
int explain_ladder(const struct explain_plan *plan);

#endif
