/* What a sweep's points teach: intervals, Little's law, the bottleneck of each; the scalability
 * law, the knee and the cost by size of those that belong together. */
#ifndef NFSBENCH_CLI_SWEEP_LESSONS_H
#define NFSBENCH_CLI_SWEEP_LESSONS_H

#include "output/sweep.h"

/* Fill them in; points that were never visited are taken out. What can't be said is left out, with
 * its reason. */
void sweep_learn(struct sweep *sweep);

#endif
