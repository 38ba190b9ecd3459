/* Two sides, A and B, measured in the same rounds: an experiment whose sides are reported as whole
 * measurements, too. */
#pragma once

#include "job/options.h"

/* Run the measurement of two sides that OPTIONS name, or one of its launches. Returns as a
 * command's RUN. */
int run_sides(const struct options *options, int *status, struct error *error);
