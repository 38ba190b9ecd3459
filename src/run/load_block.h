/* How long a block is under load, in calls. */
#pragma once

#include <stdint.h>

#include "measure/load.h"

/* A block needs to hold so many times the calls in flight that what comes before and after it
 * matters little. */
enum { LOAD_BLOCK_FILLINGS = 32 };

/* The length of a block. Its steady part should be so long that what comes before
 * and after doesn't matter (bench/blocks), and as long in time for all ops. */
struct block_length {
    uint32_t calls;   /* in all */
    uint32_t lead_in; /* of these, at the beginning, untimed */
};

/* A block of calls that take SPACING_NS from one to the next, in a run of at most RUN_NS; not in an
 * open loop. */
struct block_length load_block_of(const struct load *load, double spacing_ns, double run_ns);

/* The number of calls in a block of LOAD where their time is not known, in a run of CALLS calls (0:
 * unlimited); and the smallest number. */
uint32_t load_block(const struct load *load, uint64_t calls);
uint32_t load_block_minimum(const struct load *load);
