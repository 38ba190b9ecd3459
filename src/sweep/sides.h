/* Two sides, A and B, in the same rounds: an experiment that also keeps each side's complete
 * result. */
#pragma once

#include "job/options.h"

/* Measure the two sides of OPTIONS, or one launch of them. Returns what `run` of struct command
 * returns. */
int run_sides(const struct options *options, int *status, struct error *error);
