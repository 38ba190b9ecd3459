/* What a run is going to do, told before its first round. */
#ifndef NFSBENCH_RUN_ANNOUNCE_H
#define NFSBENCH_RUN_ANNOUNCE_H

#include "run/session.h"

/* Tell the plan's observer the calls that SESSION is going to make, those to compare with among
 * them, and how long all launches take, as far as that is known: a number of calls was asked for,
 * and no rate. Later launches say nothing. */
void announce_plan(const struct session *session);

#endif
