#include "output/result/kind.h"

#include <string.h>

#define ENTRY(kind, key, name) {key, name},

static const struct {
    const char *key, *name;
} kinds[RESULT_KINDS] = {RESULT_KIND_LIST(ENTRY)};

const char *result_kind_key(enum result_kind kind)
{
    return kinds[kind].key;
}

const char *result_kind_name(enum result_kind kind)
{
    return kinds[kind].name;
}

enum result_kind result_kind_of(const char *schema, const char *key)
{
    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
        if (key && strcmp(schema, RESULT_SCHEMA) == 0 && strcmp(key, kinds[kind].key) == 0)
            return kind;
    return RESULT_KINDS;
}
