/* The scratch directory of a session: announced, made, removed whatever ended the run. */
#ifndef NFSBENCH_CLI_SCRATCH_H
#define NFSBENCH_CLI_SCRATCH_H

#include "common/error.h"

struct session;

/* Where the session's ops need one: say where it will be (and what earlier runs left), and make it.
 * 0, or a negative errno with ERROR set. */
int scratch_begin(struct session *session, struct error *error);

/* Remove it, over a connection of its own, unless it is to be kept. What stays is told on standard
 * error. It may be called twice. */
void scratch_end(struct session *session);

#endif
