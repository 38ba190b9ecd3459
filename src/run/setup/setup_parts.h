/* The parts of a set-up that may fail: which ops need them, and whether the run can go on. */
#pragma once

#include "run/setup/setup.h"

/* Note that PART ended with CODE (0: success) and, unless CODE is 0, with ERROR. Returns 0 if PART
 * succeeded or the run goes on without it; otherwise CODE. */
int setup_end_part(struct setup *setup, enum setup_part part, int code, const struct error *error);

/* Return the failure that prevents measuring PROCEDURE; NULL: none. */
const struct setup_failure *setup_failure_of(const struct setup *setup,
                                             const struct nfs_procedure *procedure);

/* Can the run go on after an op or a part of the set-up failed with CODE and ERROR? It can't after
 * a signal, if memory ran out, if data differ from the written data, or if --strict refuses a
 * reply. After ERROR_UNREACHABLE on a mount, it can't either. After ERROR_UNREACHABLE elsewhere, a
 * NULL call is tried. If the server answers it, SETUP's clients are closed, and the run can go on
 * if a new client of NFS can be opened. */
bool setup_goes_on(struct setup *setup, int code, const struct error *error);
