/* The kinds of results, which are JSON objects with the members "schema" (format) and "kind". */
#pragma once

#include "unit_kinds.h" /* made by CMake from the kinds of units (cmake/Module.cmake) */

/* KIND(identifier, JSON key, name for people). Each command lists the views of the kinds that it
 * makes (job/command.h). The header that declares a kind's view also declares the structure of the
 * kind's results. */
#define RESULT_KIND_LIST(KIND)                                                                     \
    KIND(MEASUREMENT, "measurement", "a measurement")                                              \
    UNIT_KINDS(KIND)                                                                               \
    KIND(SERVICES, "services", "a list of services")

#define RESULT_KIND_NAME(kind, key, name) RESULT_##kind,

enum result_kind { RESULT_KIND_LIST(RESULT_KIND_NAME) RESULT_KINDS };

/* Return the JSON key of KIND, such as "measurement". */
const char *result_kind_key(enum result_kind kind);

/* Return the name of KIND for people, such as "a measurement". */
const char *result_kind_name(enum result_kind kind);

/* Return the kind of a JSON object with the members "schema": SCHEMA and "kind": KEY (NULL if it
 * has no "kind"). Returns RESULT_KINDS if the object is not a result of this version. */
enum result_kind result_kind_of(const char *schema, const char *key);

#define RESULT_SCHEMA "nfsbench-result/2"
