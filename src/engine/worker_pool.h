/* A worker pool: an engine that makes a load with several threads, each of which serves some of the
 * connections. */
#ifndef NFSBENCH_ENGINE_WORKER_POOL_H
#define NFSBENCH_ENGINE_WORKER_POOL_H

#include "engine/engine.h"

/* Open an engine that makes CONFIG's load in TYPE's way. Returns 0, or a negative errno with ERROR
 * set: -EMFILE and the like where there are more connections than the process may open. */
int worker_pool_open(struct engine **engine, const struct engine_type *type,
                     const struct engine_config *config, struct error *error);

#endif
