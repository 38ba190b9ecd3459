/* Writing a form of the result to a file. */
#ifndef NFSBENCH_OUTPUT_FILE_H
#define NFSBENCH_OUTPUT_FILE_H

#include <stdio.h>

#include "common/error.h"
#include "output/result.h"

/* A form: writes RESULT to OUT. 0, or a negative errno. */
typedef int (*result_writer)(const struct result *result, FILE *out);

/* Write RESULT to the file PATH ("-": standard output), which OPTION named ("--json", for
 * messages). A regular file appears whole or not at all: it is written beside and renamed. 0, or a
 * negative errno with ERROR set. */
int file_write(const struct result *result, result_writer writer, const char *option,
               const char *path, struct error *error);

/* Can PATH be written to? To be asked before a long run. 0, or as above (ERROR_USAGE). */
int file_check(const char *option, const char *path, struct error *error);

#endif
