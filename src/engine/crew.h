/* A crew: an engine that makes a load, by threads that each have a share of its connections. */
#ifndef NFSBENCH_ENGINE_CREW_H
#define NFSBENCH_ENGINE_CREW_H

#include "engine/engine.h"

/* Open an engine that makes CONFIG's load in TYPE's way. 0, or a negative errno with ERROR set;
 * -EMFILE and the like where there are more connections than the process may have. */
int crew_open(struct engine **engine, const struct engine_type *type,
              const struct engine_config *config, struct error *error);

#endif
