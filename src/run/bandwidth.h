/* The rates at which ops move data, with their intervals, and what they are of those of the local
 * directory that they are compared with. */
#ifndef NFSBENCH_RUN_BANDWIDTH_H
#define NFSBENCH_RUN_BANDWIDTH_H

#include "run/outcome.h"

/* Fill it in for RESULT's ops, which have their rates. Returns 0, or -ENOMEM with ERROR set. */
int bandwidth_fill(struct result *result, const struct session *session, struct error *error);

#endif
