/* The scratch directory of a run: it is announced, made, leased, and removed when the run ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct setup;

/* Tell the user about scratch directories of other runs, and about that of this run. Make the
 * directory, start the renewal of its lease, and fill it. Returns 0, or a negative errno with ERROR
 * set. Call scratch_end() in any case. */
int scratch_begin(struct setup *setup, struct error *error);

/* Start a thread that renews the lease in the scratch directory regularly until scratch_end(), each
 * time over a new connection. Returns 0, or a negative errno with ERROR set. */
int scratch_renew_lease(struct setup *setup, struct error *error);

/* End the lease, and remove the scratch directory unless it is to be kept. The calls use their own
 * connection. They end at the deadline in SETUP->mount.options.channel. A signal ends them, too,
 * but not if the run was already stopped by a signal. Reports progress, and warns on failure. May
 * be called twice. */
void scratch_end(struct setup *setup);

/* Return the maximum time for the removal of SETUP's scratch directory, ns. */
uint64_t scratch_budget_ns(const struct setup *setup);

/* Return the maximum time that a call of the clean-up waits for its reply, ns. With
 * --cleanup-timeout, it is that time. If the command has no time limit, it is DEADLINE_NEVER.
 * Otherwise, it is the largest of three times: the rest of the time limit plus 15 % of the limit
 * plus one second; the time that filling the directory took; two seconds. */
uint64_t scratch_patience_ns(const struct setup *setup);

bool scratch_removal_failed(void);
void scratch_note_failed_removal(void);
