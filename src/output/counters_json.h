/* The kernel's counters as one line of JSON: what `nfsbench ledger` answers with. */
#ifndef NFSBENCH_OUTPUT_COUNTERS_JSON_H
#define NFSBENCH_OUTPUT_COUNTERS_JSON_H

#include "measure/counters.h"

/* COUNTERS as one line without its end; free() it. NULL without memory. Unknown ones are null. */
char *counters_to_json(const struct counters *counters);

/* Read it back. 0, or -EBADMSG for anything else. */
int counters_from_json(struct counters *counters, const char *line);

#endif
