/* The scratch directory of a run: it is announced, made, leased, and removed when the run ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct setup;

/* Announce the scratch directory, report those of other runs, make and fill it, and renew its lease
 * from then on. Returns 0, or a negative errno with ERROR set. Call scratch_end() in any case. */
int scratch_begin(struct setup *setup, struct error *error);

/* Renew the lease in the scratch directory from now on, each time over a new connection. Returns 0,
 * or a negative errno with ERROR set. */
int scratch_renew_lease(struct setup *setup, struct error *error);

/* End the lease, and remove the scratch directory unless it is to be kept. The calls use their own
 * connection, and end at the deadline of the mount's channel. Reports progress, and warns on
 * failure. May be called twice. */
void scratch_end(struct setup *setup);

/* Return the maximum time for the removal of SETUP's scratch directory, ns. */
uint64_t scratch_budget_ns(const struct setup *setup);

/* Return the maximum time that a call of the clean-up waits for its reply, ns: --cleanup-timeout;
 * without it, the time left until the command's deadline (none: no limit) plus 15 % of its time
 * limit plus one second, but at least two seconds and the time that filling took. */
uint64_t scratch_patience_ns(const struct setup *setup);

bool scratch_removal_failed(void);
void scratch_note_failed_removal(void);
