/* Writing what a run found to a file. */
#ifndef NFSBENCH_OUTPUT_FILE_H
#define NFSBENCH_OUTPUT_FILE_H

#include <stdio.h>

#include "common/error.h"

/* Writes DATA to OUT in some form. 0, or a negative errno. */
typedef int (*file_writer)(const void *data, FILE *out);

/* Have WRITER write DATA to the file PATH ("-": standard output), which OPTION named ("--json", for
 * messages). A regular file appears whole or not at all: it is written beside and renamed. 0, or a
 * negative errno with ERROR set. */
int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error);

/* Can PATH be written to? To be asked before a long run. 0, or as above (ERROR_USAGE). */
int file_check(const char *option, const char *path, struct error *error);

#endif
