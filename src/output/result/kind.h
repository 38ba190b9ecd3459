/* The kinds of results. All are JSON objects of one family, whose key "kind" says which it is. */
#pragma once

#include "unit_kinds.h" /* made by CMake, of the kinds that units make (cmake/Module.cmake) */

/* Each kind's name, its key, and what people call it. The command that makes such results names
 * their view (job/command.h), whose header names the structure that such a result is. */
#define RESULT_KIND_LIST(KIND)                                                                     \
    KIND(MEASUREMENT, "measurement", "a measurement")                                              \
    UNIT_KINDS(KIND)                                                                               \
    KIND(SERVICES, "services", "a list of services")

#define RESULT_KIND_NAME(kind, key, name) RESULT_##kind,

enum result_kind { RESULT_KIND_LIST(RESULT_KIND_NAME) RESULT_KINDS };

/* For programs: "measurement", "experiment". */
const char *result_kind_key(enum result_kind kind);

/* For people: "a measurement", "an experiment". */
const char *result_kind_name(enum result_kind kind);

/* The kind of an object with the keys SCHEMA and KEY ("kind", or NULL); RESULT_KINDS for what is
 * none. */
enum result_kind result_kind_of(const char *schema, const char *key);

#define RESULT_SCHEMA "nfsbench-result/2"
