/* An optional part of the program that is no command: what it adds to the commands. Its options are
 * in groups, as the shared ones are (job/option_table.c). */
#pragma once

#include "job/options.h"

struct part {
    const char *after;                  /* the shared option behind which its own ones come */
    const struct option_entry *options; /* one without a name ends them */
    /* Check what they mean, in addition to their entries; as a command's. NULL: nothing more. */
    int (*check)(const struct options *options, const struct run_plan *plan, struct error *error);
};

/* The parts that this program was built with: number INDEX, or NULL after the last. */
const struct part *part_at(size_t index);
