/* The options of experiments: those of sweep, of which run takes some, too. */
#pragma once

#include "job/command.h"
#include "measure/statistics/precision.h"
#include "sweep/experiment.h"
#include "sweep/vary.h"

/* What can have several values, in the order in which they change, the first fastest. */
enum { VARY_RATE, VARY_DEPTH, VARY_CLIENTS, VARY_SIZE, VARY_FIRST, VARY_SECOND, VARIES };

struct sweep_options {
    struct experiment_plan experiment; /* as far as options say it */
    struct varied varied[VARIES];
    const char *target;     /* of a variant, where --vary names it; else NULL */
    struct precision equal; /* how much two sides may differ by that count as equal */
};

/* What the command line that was parsed last says. */
extern struct sweep_options sweep_own;

extern const struct option_entry sweep_option_table[];

/* As struct command_mode's set_defaults, and as struct command's check. */
void sweep_set_defaults(void);
int sweep_check(const struct options *options, const struct run_plan *plan, struct error *error);
