#include "engine/engine.h"

#include <string.h>

#include "engine/worker.h"

extern const struct engine_type engine_wire, engine_tirpc, engine_libnfs, engine_mounted;

const struct engine_type *const engine_types[] = {
    &engine_wire,    &engine_tirpc,
#ifdef NFSBENCH_LIBNFS
    &engine_libnfs,
#endif
    &engine_mounted, NULL,
};

const struct engine_type *engine_find(const char *name)
{
    for (const struct engine_type *const *type = engine_types; *type; type++)
        if (strcmp((*type)->name, name) == 0)
            return *type;
    return NULL;
}

const char *engine_missing_package(const char *name)
{
#ifndef NFSBENCH_LIBNFS
    if (strcmp(name, "libnfs") == 0)
        return "libnfs-dev";
#endif
    return NULL;
}

int engine_open(struct engine **engine, const struct engine_type *type,
                const struct engine_config *config, struct error *error)
{
    struct engine_config own = *config;

    if (!load_is_single(&config->load))
        return worker_pool_open(engine, type, config, error);
    if (!type->open) {
        own.load = (struct load){.clients = 1, .connections = 1, .depth = 1, .threads = 1};
        return worker_pool_open(engine, type, &own, error);
    }
    return engine_open_single(engine, type, config, error);
}
