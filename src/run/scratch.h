/* The scratch directory of a run: announced, made, kept alive, removed whatever ended the run.
 */
#ifndef NFSBENCH_RUN_SCRATCH_H
#define NFSBENCH_RUN_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct setup;

/* Where the run's ops need one: say where it will be (and what earlier runs left), make it, and
 * have its lease renewed from then on. 0, or a negative errno with ERROR set; scratch_end() is due
 * in any case. */
int scratch_begin(struct setup *setup, struct error *error);

/* Remove it, over a connection of its own, unless it is to be kept, in the time for that
 * (which the deadline of its mount's channel says). The observer
 * is shown that this takes long, and warned of what stays. It may be called twice. */
void scratch_end(struct setup *setup);

/* The time that the end of SETUP's run, which is about to begin, may take, in ns. */
uint64_t scratch_budget_ns(const struct setup *setup);

/* Has any of this process stayed, against its will? The exit status is then not 0. */
bool scratch_any_stayed(void);

#endif
