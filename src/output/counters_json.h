/* The kernel's counters as one line of JSON: what `nfsbench ledger` answers with. */
#ifndef NFSBENCH_OUTPUT_COUNTERS_JSON_H
#define NFSBENCH_OUTPUT_COUNTERS_JSON_H

#include <jansson.h>

#include "measure/counters.h"

/* VALUE, or null where it is not known. */
json_t *json_known(double value);

/* Counters by name (those of enum counter), and interfaces by name, each with its counters. */
json_t *json_counters(const double values[COUNTERS]);
json_t *json_interfaces(const struct interface_counters *interfaces, size_t count);

/* COUNTERS as one line without its end; free() it. NULL without memory. Unknown ones are null. */
char *counters_to_json(const struct counters *counters);

/* Read it back. 0, or -EBADMSG for anything else. */
int counters_from_json(struct counters *counters, const char *line);

#endif
