/* The parts of a set-up that may fail: which ops need them, and whether the run can go on. */
#pragma once

#include "run/setup/setup.h"

/* Note that PART ended with CODE and, if CODE is not 0, ERROR. Returns 0 if PART succeeded or the
 * run goes on without it; otherwise CODE. */
int setup_end_part(struct setup *setup, enum setup_part part, int code, const struct error *error);

/* Return the failure that prevents measuring PROCEDURE; NULL: none. */
const struct setup_failure *setup_failure_of(const struct setup *setup,
                                             const struct nfs_procedure *procedure);

/* Can the run go on after an op or a part of the set-up failed with CODE and ERROR? It can't after
 * an interrupt, without memory, if the server's data are not as written, or if --strict refuses a
 * reply. If the server was unreachable, it must answer a NULL call. */
bool setup_goes_on(struct setup *setup, int code, const struct error *error);
