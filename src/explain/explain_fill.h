/* What explanations of all kinds of runs have in common. */
#pragma once

#include "explain/explain.h"
#include "explain/explain_run.h"

/* Fill in the run and the machine, for calls of SERIES. */
void explain_fill_environment(struct explanation *explanation, const struct session *session,
                              const struct run_series *series);

/* Set COST to the paired difference between the blocks of two series in each of RUN's rounds.
 * Returns false if there are too few rounds for an interval. */
bool explain_difference(const struct explain_run *run, size_t without, size_t with,
                        struct interval *cost);

/* Fill in what timestamps add to a call: the paired difference between the blocks of two series in
 * each of RUN's rounds, which make the same calls. */
void explain_fill_stamping(struct explanation *explanation, const struct explain_run *run,
                           size_t unstamped, size_t stamped);
