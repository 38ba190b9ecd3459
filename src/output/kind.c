#include "output/kind.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *key, *name;
} kinds[RESULT_KINDS] = {
    [RESULT_MEASUREMENT] = {"measurement", "a measurement"},
    [RESULT_VERSUS] = {"versus", "a measurement of two sides"},
    [RESULT_SWEEP] = {"sweep", "a sweep"},
    [RESULT_SEC_LADDER] = {"sec-ladder", "a security ladder"},
    [RESULT_EXPLANATION] = {"explanation", "an explanation"},
    [RESULT_EXPLANATIONS] = {"explanations", "an explanation of several ops"},
    [RESULT_LADDER] = {"ladder", "a ladder"},
    [RESULT_XDR] = {"xdr", "a measurement of XDR"},
    [RESULT_STATES] = {"states", "the states of RPCs"},
    [RESULT_OUTAGE] = {"outage", "a record of outages"},
    [RESULT_PROFILE] = {"profile", "a profile of a capture"},
    [RESULT_WORKLOAD] = {"workload", "a workload"},
    [RESULT_CHARACTER] = {"character", "the character of a server"},
    [RESULT_COMPARISON] = {"comparison", "a comparison"},
    [RESULT_HISTORY] = {"history", "a history"},
    [RESULT_SERVICES] = {"services", "a list of services"},
};

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
