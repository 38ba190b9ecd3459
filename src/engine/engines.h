/* The table of all engines that this program was built with: wire, and those in NFSBENCH_ENGINES
 * (src/CMakeLists.txt). */
#pragma once

#include "engine/engine.h"

/* In the order of --help; ends with NULL. */
extern const struct engine_type *const engine_types[];

/* Return the engine called NAME, or NULL. */
const struct engine_type *engine_find(const char *name);

/* Return the Debian package that the engine called NAME needs, if this program was built without
 * that engine. Otherwise NULL. */
const char *engine_missing_package(const char *name);
