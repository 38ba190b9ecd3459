/* A measurement read back from its CSV (doc/FORMAT.md), as far as that has it: each op's
 * quantities, and those of its launches; no rounds and no histograms. */
#ifndef NFSBENCH_OUTPUT_RESULT_CSV_H
#define NFSBENCH_OUTPUT_RESULT_CSV_H

#include "common/error.h"
#include "output/result.h"

/* Read the file PATH, which is JSON or CSV, for COMMAND; returns as result_read() (result_json.h).
 * A result from CSV has SUMMARY set. Release it with result_free(). */
int result_read_any(struct result *result, const char *path, const char *command,
                    struct error *error);

#endif
