#pragma once

#include <stdint.h>

#include "measure/load.h"

/* Calls in a usual block per call in flight: so many that its start and end have little effect. */
enum { LOAD_BLOCK_FILLINGS = 32 };

/* The length of a block under load. The calls after the lead-in should be so many that the block's
 * start and end hardly matter (bench/blocks), and should take the same time for all ops. */
struct block_length {
    uint32_t calls;   /* all calls of the block */
    uint32_t lead_in; /* the first calls of the block, which are not timed */
};

/* Return the length of a block of LOAD, a closed loop. SPACING_NS is the mean time from one call to
 * the next; RUN_NS is the maximum duration of the run. */
struct block_length load_block_of(const struct load *load, double spacing_ns, double run_ns);

/* load_block() returns the usual number of calls in a block of LOAD, if each op has CALLS calls (0:
 * not limited) of unknown duration. load_block_minimum() returns the least number. */
uint32_t load_block(const struct load *load, uint64_t calls);
uint32_t load_block_minimum(const struct load *load);
