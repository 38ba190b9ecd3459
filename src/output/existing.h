/* Results that a run would overwrite. */
#ifndef NFSBENCH_OUTPUT_EXISTING_H
#define NFSBENCH_OUTPUT_EXISTING_H

#include "common/error.h"
#include "output/result.h"

/* May a file of ours replace what is at PATH? A result that another machine measured must not be
 * lost by accident, as where several write to one shared directory: -EEXIST with ERROR set
 * (ERROR_USAGE), which begins with OPTION. The machine's name is in JSON, CSV, Markdown,
 * OpenMetrics and HdrHistogram's log. 0 for anything else: nothing, a device, another text, a
 * result of this machine or without a machine's name. */
int existing_check(const char *option, const char *path, struct error *error);

/* Is there a measurement at PATH (NULL: none) that RESULT will replace, from the same host, with
 * the same target and settings? Then set RESULT's evidence of how null's level has changed since.
 */
void existing_compare_null(const char *path, struct result *result);

#endif
