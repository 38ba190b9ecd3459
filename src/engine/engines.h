/* All engines: wire, and those of NFSBENCH_ENGINES (src/CMakeLists.txt), each in a folder of its
 * own, that this program was built with. */
#pragma once

#include "engine/engine.h"

/* The engines, in the order of --help; ends with NULL. */
extern const struct engine_type *const engine_types[];

/* The engine called NAME, or NULL. */
const struct engine_type *engine_find(const char *name);

/* The Debian package that the engine called NAME needs and that this program was built without, or
 * NULL. */
const char *engine_missing_package(const char *name);
