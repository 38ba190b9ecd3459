#include <string.h>

#include "character/experiment.h"

static const struct experiment *const experiments[] = {
    &experiment_order,     &experiment_parallel,   &experiment_locks, &experiment_duplicates,
    &experiment_stability, &experiment_attributes, &experiment_times, &experiment_connections,
    &experiment_sizes,     &experiment_caches,
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

_Static_assert((int)EXPERIMENTS <= (int)CHARACTER_ANSWERS_MAXIMUM, "there is an answer for each");

size_t experiment_count(void)
{
    return EXPERIMENTS;
}

const struct experiment *experiment_at(size_t index)
{
    return index < EXPERIMENTS ? experiments[index] : NULL;
}

const struct experiment *experiment_find(const char *name)
{
    for (size_t i = 0; i < EXPERIMENTS; i++)
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
    return NULL;
}
