#include "output/kind.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *key, *name;
    const char *first_schema; /* of version 1, when each kind had a schema of its own */
} kinds[RESULT_KINDS] = {
    [RESULT_MEASUREMENT] = {"measurement", "a measurement", RESULT_SCHEMA_1},
    [RESULT_VERSUS] = {"versus", "a measurement of two sides", "nfsbench-versus/1"},
    [RESULT_SWEEP] = {"sweep", "a sweep", "nfsbench-sweep/1"},
    [RESULT_SEC_LADDER] = {"sec-ladder", "a security ladder", NULL},
    [RESULT_EXPLANATION] = {"explanation", "an explanation", "nfsbench-explain/1"},
    [RESULT_EXPLANATIONS] = {"explanations", "an explanation of several ops", NULL},
    [RESULT_LADDER] = {"ladder", "a ladder", "nfsbench-ladder/1"},
    [RESULT_XDR] = {"xdr", "a measurement of XDR", "nfsbench-xdr/1"},
    [RESULT_FUNCTIONS] = {"functions", "a count of kernel functions", NULL},
    [RESULT_STATES] = {"states", "the states of RPCs", NULL},
    [RESULT_OUTAGE] = {"outage", "a record of outages", NULL},
    [RESULT_PROFILE] = {"profile", "a profile of a capture", NULL},
    [RESULT_REPLAY] = {"replay", "a replay of a workload", NULL},
    [RESULT_CHARACTER] = {"character", "the character of a server", NULL},
    [RESULT_COMPARISON] = {"comparison", "a comparison", "nfsbench-comparison/1"},
    [RESULT_HISTORY] = {"history", "a history", NULL},
    [RESULT_SERVICES] = {"services", "a list of services", NULL},
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
    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
        if (kinds[kind].first_schema && strcmp(schema, kinds[kind].first_schema) == 0)
            return kind;
        if (key && strcmp(schema, RESULT_SCHEMA) == 0 && strcmp(key, kinds[kind].key) == 0)
            return kind;
    }
    return RESULT_KINDS;
}
