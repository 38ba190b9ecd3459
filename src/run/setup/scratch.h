/* The scratch directory of a run: it is announced, made, leased, and removed however the run ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct setup;

/* If the run's ops need a scratch directory, announce it, report those of earlier runs, make it,
 * and renew its lease from then on. Returns 0, or a negative errno with ERROR set; call
 * scratch_end() in either case. */
int scratch_begin(struct setup *setup, struct error *error);

/* Renew the lease in the scratch directory from now on, over a new connection each time. Returns 0,
 * or a negative errno with ERROR set. */
int scratch_renew_lease(struct setup *setup, struct error *error);

/* Remove the scratch directory, unless it is to be kept, over a separate connection and before the
 * deadline of its mount's channel. The observer gets progress reports, and a warning if the removal
 * fails. May be called twice. */
void scratch_end(struct setup *setup);

/* The time that the clean-up of SETUP's run may take, in ns. */
uint64_t scratch_budget_ns(const struct setup *setup);

/* How long a call of that clean-up may wait for its reply, in ns: until 15 % and a second after the
 * command's time, and for two seconds at least. */
uint64_t scratch_patience_ns(const struct setup *setup);

/* Has the removal of any scratch directory of this process failed? The exit status is then not 0.
 */
bool scratch_removal_failed(void);
void scratch_note_failed_removal(void);
