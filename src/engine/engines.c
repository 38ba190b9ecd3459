#include "engine/engines.h"

#include <string.h>

#include "engine_list.h"

#define DECLARE(name) extern const struct engine_type engine_##name;
ENGINES(DECLARE)

#define ADDRESS(name) &engine_##name,
const struct engine_type *const engine_types[] = {&engine_wire, ENGINES(ADDRESS) NULL};

/* Engines that this program was built without: name, and Debian package that the engine needs. */
#define LACK(name, package) {name, package},
static const char *const lacking[][2] = {ENGINES_LACKING(LACK){NULL}};

const struct engine_type *engine_find(const char *name)
{
    for (const struct engine_type *const *type = engine_types; *type; type++)
        if (strcmp((*type)->name, name) == 0)
            return *type;
    return NULL;
}

const char *engine_missing_package(const char *name)
{
    for (size_t i = 0; lacking[i][0]; i++)
        if (strcmp(lacking[i][0], name) == 0)
            return lacking[i][1];
    return NULL;
}
