/* Writing what a run found to a file. */
#pragma once

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"

/* Writes DATA to OUT in some form. 0, or a negative errno. */
typedef int (*file_writer)(const void *data, FILE *out);

/* A result that is written in some form, and what writes it as JSON. */
struct file_result {
    file_writer json;
    const void *data;
};

/* May files be replaced that hold something else (--force)? At first they may not. */
void file_force(bool force);

/* Have WRITER write DATA to the file PATH ("-": standard output), which OPTION named ("--json", for
 * messages). A regular file appears whole or not at all: it is written beside, under a name that
 * nobody can foresee, and takes the place of what stood there, with its mode, owner and group as
 * far as possible. Where PATH is a symbolic link the file that it leads to is replaced, or made;
 * the link stays. What can't be replaced (a mount point, or a file in a directory that lets only
 * its owner rename it) is written in place then, by calling WRITER once more. Devices, pipes and
 * open files (/dev/stderr) are written as they are.
 *
 * A file that is not empty is replaced only by RESULT (NULL: none) as JSON, as existing.h says, or
 * by force; never by a RESULT that was cut short. What may not replace it is written beside, to
 * NAME.new.EXT or NAME.partial.EXT, and the error, -EEXIST, says so. 0, or a negative errno with
 * ERROR set. */
int file_write_result(const struct file_result *result, file_writer writer, const void *data,
                      const char *option, const char *path, struct error *error);

/* The same for what is no result. */
int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error);

/* The same for a file that this run made, or was allowed to replace: it is replaced each time. */
int file_replace(file_writer writer, const void *data, const char *option, const char *path,
                 struct error *error);

/* Open PATH for lines that are written while a run goes on: as it is, a regular file from its
 * beginning. NULL with errno set. */
FILE *file_open(const char *path);

/* The first name beside PATH that nothing has: NAME.WORD.EXT, NAME.WORD-2.EXT and so on. 0, or a
 * negative errno. */
int file_beside(const char *path, const char *word, char beside[PATH_MAX]);

/* Can PATH be written to, without replacing what may not be replaced? To be asked before a long
 * run; nothing is made or changed. 0, or as above (ERROR_USAGE). */
int file_check(const char *option, const char *path, struct error *error);

/* Do both paths lead to one regular file, or to one that would be made? Neither a device nor a
 * path that leads nowhere is the same as another. */
bool file_is_same(const char *path, const char *other);

/* A form that a result can be written in, or another output of the run. */
struct file_form {
    const char *option, *path; /* PATH is NULL where it is not wanted */
    file_writer writer;
    const json_t *claim; /* what the result is of, of JSON (existing.h); else NULL */
    bool checked;        /* its caller checks whether PATH can be written */
};

/* Can all FORMS that are wanted be written, each to a place of its own? 0, or a negative errno with
 * ERROR set (ERROR_USAGE). */
int file_forms_check(const struct file_form *forms, size_t count, struct error *error);

struct result;

/* Is there a measurement at PATH (NULL: none) that RESULT will replace, from the same host, with
 * the same target and settings? Then set RESULT's evidence of how null's level has changed since.
 */
void existing_compare_null(const char *path, struct result *result);
