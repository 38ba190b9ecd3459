/* What machine this is. */
#ifndef NFSBENCH_CLI_HOST_H
#define NFSBENCH_CLI_HOST_H

#include "output/result.h"

/* Fill HOST in; what the system does not tell is "unknown". */
void host_fill(struct result_host *host);

#endif
