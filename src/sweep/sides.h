/* Two sides, A and B, in the same rounds: an experiment that keeps the sides' complete results. */
#pragma once

#include "job/options.h"

/* Measure both sides of OPTIONS, or make one launch of both. Returns as `run` of struct command. */
int run_sides(const struct options *options, int *status, struct error *error);
