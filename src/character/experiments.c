#include <string.h>

#include "character/experiment.h"

static const struct experiment *const experiments[] = {
    &experiment_order,       &experiment_parallel,   &experiment_locks, &experiment_duplicates,
    &experiment_stability,   &experiment_attributes, &experiment_times, &experiment_names,
    &experiment_connections, &experiment_fairness,   &experiment_sizes, &experiment_directories,
    &experiment_caches,
};

_Static_assert(sizeof experiments / sizeof experiments[0] <= CHARACTER_ANSWERS_MAXIMUM,
               "there is an answer for each");

const struct experiment *experiment_at(size_t index)
{
    return index < sizeof experiments / sizeof experiments[0] ? experiments[index] : NULL;
}

const struct experiment *experiment_find(const char *name)
{
    for (size_t i = 0; i < sizeof experiments / sizeof experiments[0]; i++)
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
    return NULL;
}
