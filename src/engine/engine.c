#include "engine/engine.h"

#include "engine/worker.h"

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
