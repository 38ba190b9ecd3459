/* An optional part of the program that is not a command, and the options that it adds to commands.
 * Its options belong to groups, as shared options do (job/option_table.c). */
#pragma once

#include "job/options.h"

struct part {
    const char *after; /* shared option after which the help lists the part's options */
    const struct option_entry *options; /* the part's options, ended by an entry without a name */
    /* Check OPTIONS and PLAN as check() of struct command does. PLAN is not NULL. */
    int (*check)(const struct options *options, const struct run_plan *plan, struct error *error);
};

/* Return the part with number INDEX (from 0) that is built in, or NULL after the last. */
const struct part *part_at(size_t index);
