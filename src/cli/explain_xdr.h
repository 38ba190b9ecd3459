/* nfsbench explain --xdr: encoding and decoding alone, for each op. */
#ifndef NFSBENCH_CLI_EXPLAIN_XDR_H
#define NFSBENCH_CLI_EXPLAIN_XDR_H

#include "cli/explain_plan.h"

/* Measure and tell what XDR takes of each op's call. Prints its errors. Returns an exit status. */
int explain_xdr(const struct explain_plan *plan);

#endif
