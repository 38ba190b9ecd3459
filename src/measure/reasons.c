#include "measure/reasons.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned traits;
} reasons[REASONS] = {
#define REASON_ENTRY(id, name, traits, ...) {name, traits},
    REASON_LIST(REASON_ENTRY)
#undef REASON_ENTRY
};

const char *reason_name(enum reason reason)
{
    return reasons[reason].name;
}

enum reason reason_find(const char *name)
{
    enum reason reason = 0;

    while (reason < REASONS && (!name || strcmp(reasons[reason].name, name) != 0))
        reason++;
    return reason;
}

bool reason_has(enum reason reason, enum reason_trait trait)
{
    return reason < REASONS && reasons[reason].traits & trait;
}
