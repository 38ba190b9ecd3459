/* The table of the engines in this program: wire, and those in NFSBENCH_ENGINES
 * (src/CMakeLists.txt). */
#pragma once

#include "engine/engine.h"

/* All engines, in the order of --help; ends with NULL. */
extern const struct engine_type *const engine_types[];

/* Return the engine called NAME, or NULL. */
const struct engine_type *engine_find(const char *name);

/* Return the Debian package that is needed to build the engine called NAME; NULL: this program
 * contains the engine, or there is no such engine. */
const char *engine_missing_package(const char *name);
