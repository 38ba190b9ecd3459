/* What went wrong, for people. */
#ifndef NFSBENCH_CLI_PRINT_ERROR_H
#define NFSBENCH_CLI_PRINT_ERROR_H

#include "common/error.h"

/* Its one line on standard error: "nfsbench: what was tried: what came back; what to do". */
void print_error(const struct error *error);

#endif
