/* Two sides, A and B, measured in the same rounds: an experiment that also keeps the complete
 * result of each side. */
#pragma once

#include "job/options.h"

/* Measure the two sides that OPTIONS name, or one launch of them. Returns as run of struct
 * command. */
int run_sides(const struct options *options, int *status, struct error *error);
