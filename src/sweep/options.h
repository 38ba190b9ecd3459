/* The options of experiments. The options in group COMMAND_RUN are options of run, too. */
#pragma once

#include "job/command.h"
#include "measure/statistics/precision.h"
#include "sweep/experiment.h"
#include "sweep/vary.h"

/* Options whose values make variants. The first one here with several values changes fastest. */
enum { VARY_RATE, VARY_DEPTH, VARY_CLIENTS, VARY_SIZE, VARY_FIRST, VARY_SECOND, VARIES };

struct sweep_options {
    struct experiment_plan experiment; /* only the members that options set */
    struct varied varied[VARIES];
    /* target of the variant that is being made, if --vary varies targets; else NULL */
    const char *target;
    struct precision equal; /* a certainly smaller difference of two cells counts as equal */
};

/* The options of the last parsed command line. */
extern struct sweep_options sweep_own;

extern const struct option_entry sweep_option_table[];

/* `set_defaults` of struct command_mode, and `check` of struct command. */
void sweep_set_defaults(void);
int sweep_check(const struct options *options, const struct run_plan *plan, struct error *error);
