/* One visit of a point of a sweep: a short run of its own, from mount to unmount. */
#ifndef NFSBENCH_CLI_VISIT_H
#define NFSBENCH_CLI_VISIT_H

#include "cli/settings.h"
#include "measure/objective.h"
#include "output/sweep.h"

struct visit {
    double figures[SWEEP_FIGURES];
    double objective_ns; /* the figure that the objective is about; NAN without one */
    double reached;      /* share of the rate; NAN in a closed loop */
    bool invalid;        /* the run's own verdict */
    /* What was measured with; to be told once. */
    char client_cpus[128], transport[8], kernel[80], cpu[80];
};

/* Make the run that SETTINGS ask for, and take VISIT's figures from its last op; OBJECTIVE may be
 * NULL. 0; -ETIME where the rate can't be reached; -EINTR for Ctrl-C; or what ended it, with ERROR
 * set. */
int visit_make(const struct settings *settings, const struct objective *objective,
               struct visit *visit, struct error *error);

#endif
