/* What a run under load adds to the table: see text_print(). */
#ifndef NFSBENCH_OUTPUT_TEXT_LOAD_H
#define NFSBENCH_OUTPUT_TEXT_LOAD_H

#include <stdbool.h>
#include <stdio.h>

#include "output/result.h"

/* The load: rates, calls in flight, processor time, how evenly the clients shared; in an open loop
 * the service times and the sender's lateness. VERBOSE: each client, too. Nothing without load. */
void text_print_load(const struct result *result, bool verbose, FILE *out);

#endif
