/* The kinds of results. All are JSON objects of one family, whose key "kind" says which it is. */
#pragma once

enum result_kind {
    RESULT_MEASUREMENT,  /* struct result */
    RESULT_VERSUS,       /* struct versus_result */
    RESULT_SWEEP,        /* struct sweep */
    RESULT_SEC_LADDER,   /* struct sec_ladder */
    RESULT_EXPLANATION,  /* struct explanation (explain/explain.h) */
    RESULT_EXPLANATIONS, /* struct explanations (likewise) */
    RESULT_LADDER,       /* struct ladder_result (explain/ladder.h) */
    RESULT_XDR,          /* struct xdr_result (explain/xdr.h) */
    RESULT_STATES,       /* struct states_result (explain/states.h) */
    RESULT_OUTAGE,       /* struct outage (outage/outage.h) */
    RESULT_PROFILE,      /* struct profile (capture/profile.h) */
    RESULT_WORKLOAD,     /* struct workload (capture/workload.h) */
    RESULT_CHARACTER,    /* struct character (character/character.h) */
    RESULT_COMPARISON,   /* struct compare_result */
    RESULT_HISTORY,      /* struct history */
    RESULT_SERVICES,     /* struct services */
    RESULT_KINDS,
};

/* For programs: "measurement", "sweep". */
const char *result_kind_key(enum result_kind kind);

/* For people: "a measurement", "a sweep". */
const char *result_kind_name(enum result_kind kind);

/* The kind of an object with the keys SCHEMA and KEY ("kind", or NULL); RESULT_KINDS for what is
 * none. */
enum result_kind result_kind_of(const char *schema, const char *key);

#define RESULT_SCHEMA "nfsbench-result/2"
