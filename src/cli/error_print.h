/* What went wrong, for people. */
#ifndef NFSBENCH_CLI_ERROR_PRINT_H
#define NFSBENCH_CLI_ERROR_PRINT_H

#include "common/error.h"

/* Its one line on standard error: "nfsbench: what was tried: what came back; what to do". */
void error_print(const struct error *error);

#endif
