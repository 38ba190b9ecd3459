/* What a sweep is to do: its own options, and for each point the words of a measuring run. */
#ifndef NFSBENCH_CLI_SWEEP_PLAN_H
#define NFSBENCH_CLI_SWEEP_PLAN_H

#include "cli/own_options.h"
#include "cli/settings.h"
#include "cli/sweep_range.h"
#include "measure/objective.h"
#include "output/sweep.h"

enum sweep_dimension { SWEEP_CLIENTS, SWEEP_DEPTH, SWEEP_SIZE, SWEEP_RATE, SWEEP_DIMENSIONS };

enum { SWEEP_POINTS_MAXIMUM = 1024 };

struct sweep_plan {
    /* As given; NULL: not. */
    const char *texts[SWEEP_DIMENSIONS];
    const char *repeat_text, *duration_text, *objective_text, *json, *csv;
    bool quiet;

    struct sweep_range ranges[SWEEP_DIMENSIONS]; /* of those that are swept, others are empty */
    unsigned repeats;                            /* of each point */
    uint64_t duration_ns;                        /* of a visit, where no COUNT is given */
    struct objective objective;                  /* with OBJECTIVE_TEXT */

    /* The command line that is left: that of a measuring run without what is swept. */
    struct own_words words;
    struct settings settings; /* of its first point: what all have in common */
};

/* Parse the command line. 0, or -EINVAL with ERROR set (ERROR_USAGE). Free it in any case. */
int sweep_plan_parse(struct sweep_plan *plan, int argc, char **argv, struct error *error);
void sweep_plan_free(struct sweep_plan *plan);

/* Is DIMENSION swept? */
bool sweep_plan_sweeps(const struct sweep_plan *plan, enum sweep_dimension dimension);

/* The settings of a visit of a point as SETTING, with SEED. 0, or as sweep_plan_parse(). */
int sweep_plan_settings(const struct sweep_plan *plan, const struct sweep_setting *setting,
                        uint64_t seed, struct settings *settings, struct error *error);

/* Print the options of the sweep itself. */
void sweep_plan_help(FILE *out);

#endif
