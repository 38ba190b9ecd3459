#include "run/outcome/filling.h"

void *filling_alloc(struct filling *filling, size_t count, size_t size)
{
    void *made = arena_alloc(filling->arena, count, size);

    filling->failed = filling->failed || !made;
    return made;
}

const char *filling_copy(struct filling *filling, const char *text)
{
    const char *made = arena_copy(filling->arena, text);

    filling->failed = filling->failed || (text && !made);
    return made;
}
