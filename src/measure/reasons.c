#include "measure/reasons.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned traits;
} reasons[REASONS] = {
#define REASON_ENTRY(id, name, traits) {name, traits},
    REASON_LIST(REASON_ENTRY)
#undef REASON_ENTRY
};

const char *reason_name(enum reason reason)
{
    return reasons[reason].name;
}

bool reason_has(const char *name, enum reason_trait trait)
{
    for (size_t i = 0; i < REASONS; i++)
        if (strcmp(reasons[i].name, name) == 0)
            return reasons[i].traits & trait;
    return false;
}
