#include "output/result/breakdown.h"

#include <string.h>

const struct breakdown_part *breakdown_find(const struct breakdown *breakdown, const char *key)
{
    for (size_t i = 0; i < breakdown->part_count; i++)
        if (strcmp(breakdown->parts[i].key, key) == 0)
            return &breakdown->parts[i];
    return NULL;
}
