/* The phases of calls: a session whose op is called stamped and unstamped in the same rounds. */
#ifndef NFSBENCH_CLI_EXPLAIN_RUN_H
#define NFSBENCH_CLI_EXPLAIN_RUN_H

#include "cli/explain_plan.h"

/* Measure and tell what PLAN asks for. Returns the exit status. */
int explain_run(const struct explain_plan *plan);

#endif
