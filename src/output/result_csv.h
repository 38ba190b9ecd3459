/* A measurement read back from its CSV (doc/FORMAT.md), as far as that has it: each op's
 * quantities, and those of its launches; no rounds and no histograms. */
#ifndef NFSBENCH_OUTPUT_RESULT_CSV_H
#define NFSBENCH_OUTPUT_RESULT_CSV_H

#include "common/error.h"
#include "output/result.h"

/* Is TEXT, a whole file, CSV of results? */
bool result_csv_is(const char *text);

/* Read TEXT, which is changed, of the file PATH for COMMAND; returns as result_read()
 * (result_json.h). The result has SUMMARY set. Release it with result_free(). */
int result_csv_read(struct result *result, char *text, const char *path, const char *command,
                    struct error *error);

#endif
