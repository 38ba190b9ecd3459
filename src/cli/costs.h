/* From a session's series to what each op costs. */
#ifndef NFSBENCH_CLI_COSTS_H
#define NFSBENCH_CLI_COSTS_H

#include "cli/session.h"
#include "output/result.h"

/* The lengths of SERIES' calls, on the wire. */
struct cost_lengths costs_lengths(const struct session *session,
                                  const struct session_series *series);

/* Fill in RESULT's costs above null, its model, and the parts of each cost; its ops are there. 0 or
 * -ENOMEM. */
int costs_fill(struct result *result, const struct session *session, struct error *error);

#endif
