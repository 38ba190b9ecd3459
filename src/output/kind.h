/* The kinds of results. All are JSON objects of one family, whose key "kind" says which it is. */
#pragma once

/* Each kind's name, its key, what people call it, and its view, whose header names the structure
 * that such a result is. To add a kind, add its line, and its header to those of cli/forms.c. */
#define RESULT_KIND_LIST(KIND)                                                                     \
    KIND(MEASUREMENT, "measurement", "a measurement", &view_measurement)                           \
    KIND(EXPERIMENT, "experiment", "an experiment", &view_experiment)                              \
    KIND(EXPLANATION, "explanation", "an explanation", &view_explanation)                          \
    KIND(EXPLANATIONS, "explanations", "an explanation of several ops", &view_explanations)        \
    KIND(LADDER, "ladder", "a ladder", &view_ladder)                                               \
    KIND(XDR, "xdr", "a measurement of XDR", &view_xdr)                                            \
    KIND(STATES, "states", "the states of RPCs", &view_states)                                     \
    KIND(OUTAGE, "outage", "a record of outages", &view_outage)                                    \
    KIND(PROFILE, "profile", "a profile of a capture", &view_profile)                              \
    KIND(WORKLOAD, "workload", "a workload", NULL)                                                 \
    KIND(CHARACTER, "character", "the character of a server", &view_character)                     \
    KIND(COMPARISON, "comparison", "a comparison", &view_comparison)                               \
    KIND(HISTORY, "history", "a history", &view_history)                                           \
    KIND(SERVICES, "services", "a list of services", &view_services)

#define RESULT_KIND_NAME(kind, key, name, view) RESULT_##kind,

enum result_kind { RESULT_KIND_LIST(RESULT_KIND_NAME) RESULT_KINDS };

/* For programs: "measurement", "experiment". */
const char *result_kind_key(enum result_kind kind);

/* For people: "a measurement", "an experiment". */
const char *result_kind_name(enum result_kind kind);

/* The kind of an object with the keys SCHEMA and KEY ("kind", or NULL); RESULT_KINDS for what is
 * none. */
enum result_kind result_kind_of(const char *schema, const char *key);

#define RESULT_SCHEMA "nfsbench-result/2"
