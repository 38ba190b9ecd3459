/* A result as JSON, schema "nfsbench-result/1" (doc/FORMAT.md). */
#ifndef NFSBENCH_OUTPUT_JSON_H
#define NFSBENCH_OUTPUT_JSON_H

#include "common/error.h"
#include "output/result.h"

/* Write RESULT to the file PATH ("-": standard output). A regular file appears whole or not at
 * all: it is written beside and renamed. 0, or a negative errno with ERROR set. */
int json_write(const struct result *result, const char *path, struct error *error);

/* Can PATH be written to? To be asked before a long run. 0, or as above (ERROR_USAGE). */
int json_check_path(const char *path, struct error *error);

#endif
