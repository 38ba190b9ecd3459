/* The parts of a set-up that may fail: who needs which, and whether the run can go on. */
#pragma once

#include "run/setup/setup.h"

/* PART ended with CODE and, if that is not 0, ERROR. Returns 0 if it succeeded, or if the run goes
 * on without it; else CODE. */
int setup_end_part(struct setup *setup, enum setup_part part, int code, const struct error *error);

/* The failure that keeps PROCEDURE from being measured; NULL: there is none. */
const struct setup_failure *setup_failure_of(const struct setup *setup,
                                             const struct nfs_procedure *procedure);

/* One op, or a part of the set-up, failed with CODE and ERROR. Can the run go on without it? Not if
 * it was interrupted, is out of memory, or the server does not answer a NULL call either. */
bool setup_goes_on(struct setup *setup, int code, const struct error *error);
