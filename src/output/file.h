/* Writing what a run found to a file. */
#ifndef NFSBENCH_OUTPUT_FILE_H
#define NFSBENCH_OUTPUT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"

/* Writes DATA to OUT in some form. 0, or a negative errno. */
typedef int (*file_writer)(const void *data, FILE *out);

/* Have WRITER write DATA to the file PATH ("-": standard output), which OPTION named ("--json", for
 * messages). A regular file appears whole or not at all: it is written beside, without a name or
 * under one that nobody can foresee, and takes the place of what stood there, with its mode, owner
 * and group as far as possible. Where PATH is a symbolic link the file that it leads to is
 * replaced, or made; the link stays. What can't be replaced (a mount point, or a file in a
 * directory that lets only its owner rename it) is written in place then, by calling WRITER once
 * more. Devices, pipes and open files (/dev/stderr) are written as they are. 0, or a negative errno
 * with ERROR set. */
int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error);

/* Can PATH be written to, without losing another machine's result (existing_check())? To be asked
 * before a long run; nothing is made or changed. 0, or as above (ERROR_USAGE). */
int file_check(const char *option, const char *path, struct error *error);

/* A form that a result can be written in. */
struct file_form {
    const char *option, *path; /* PATH is NULL where it is not wanted */
    file_writer writer;
};

/* Can all FORMS that are wanted be written, each to a place of its own? 0, or a negative errno with
 * ERROR set (ERROR_USAGE). */
int file_forms_check(const struct file_form *forms, size_t count, struct error *error);

/* Results that a run would overwrite */

struct result;

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
