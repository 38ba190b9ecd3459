/* The kinds of results. Each result is a JSON object whose member "kind" names its kind. */
#pragma once

#include "unit_kinds.h" /* made by CMake, of the kinds that units make (cmake/Module.cmake) */

/* KIND(identifier, JSON key, name for people). The command that makes results of a kind names the
 * view of the kind (job/command.h). The view's header declares the structure of the result. */
#define RESULT_KIND_LIST(KIND)                                                                     \
    KIND(MEASUREMENT, "measurement", "a measurement")                                              \
    UNIT_KINDS(KIND)                                                                               \
    KIND(SERVICES, "services", "a list of services")

#define RESULT_KIND_NAME(kind, key, name) RESULT_##kind,

enum result_kind { RESULT_KIND_LIST(RESULT_KIND_NAME) RESULT_KINDS };

/* Return the key of KIND for programs, such as "measurement". */
const char *result_kind_key(enum result_kind kind);

/* Return the name of KIND for people, such as "a measurement". */
const char *result_kind_name(enum result_kind kind);

/* Return the kind of a JSON object whose "schema" is SCHEMA and whose "kind" is KEY (NULL if it has
 * none). Returns RESULT_KINDS if it is not a result. */
enum result_kind result_kind_of(const char *schema, const char *key);

#define RESULT_SCHEMA "nfsbench-result/2"
