#include "output/result.h"

#include <string.h>

const struct result_op *result_find(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (strcmp(result->ops[i].op, name) == 0)
            return &result->ops[i];
    return NULL;
}
