/* Writing output files. */
#pragma once

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"

/* A function that writes DATA to OUT in some form. Returns 0 or a negative errno. */
typedef int (*file_writer)(const void *data, FILE *out);

/* A result and its writer, a function that writes it as JSON. */
struct file_result {
    file_writer json;
    const void *data;
};

/* Set whether any file may be replaced (--force). The default is no. */
void file_force(bool force);

/* Call WRITER to write DATA to the file PATH ("-": standard output). OPTION ("--json") is the
 * option that named PATH, for messages.
 * A regular file appears complete or not at all: it is written under an unpredictable name in the
 * same directory, and then renamed to PATH. It keeps the mode, owner and group of the old file as
 * far as possible. If PATH is a symbolic link, the file that the link leads to is replaced or
 * created. A file that cannot be renamed over (a mount point, or a file in a sticky directory) is
 * written in place by calling WRITER again. Devices, pipes and open files (/dev/stderr) are written
 * in place.
 * A non-empty file is replaced only by RESULT (NULL: none) as JSON, as existing.h says, or with
 * --force. A RESULT that was cut short never replaces a file. Output that may not replace PATH is
 * written to NAME.new.EXT or NAME.partial.EXT, and the error, -EEXIST, says so.
 * Returns 0, or a negative errno with ERROR set. */
int file_write_result(const struct file_result *result, file_writer writer, const void *data,
                      const char *option, const char *path, struct error *error);

/* Do what file_write_result() does, for data that is not a result. */
int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error);

/* Do what file_write() does, for a file that this run created or may replace: every call replaces
 * it. */
int file_replace(file_writer writer, const void *data, const char *option, const char *path,
                 struct error *error);

/* Open PATH for lines during a run: in place, from the beginning. NULL with errno set. */
FILE *file_open(const char *path);

/* Set BESIDE to the first free name in PATH's directory of NAME.WORD.EXT, NAME.WORD-2.EXT and so
 * on. Returns 0 or a negative errno. */
int file_free_name(const char *path, const char *word, char beside[PATH_MAX]);

/* Check before a long run that PATH can be written to without replacing a file that may not be
 * replaced. Changes nothing. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int file_check(const char *option, const char *path, struct error *error);

/* Return whether PATH and OTHER lead to one regular file, or to one that would be created. False
 * for devices and for paths that lead nowhere. */
bool file_is_same(const char *path, const char *other);

/* An output of the run, such as a form of its result. */
struct file_form {
    const char *option, *path; /* PATH is NULL if the output is not wanted */
    file_writer writer;
    const json_t *claim; /* claim of a result as JSON (existing.h); else NULL */
    bool checked;        /* the caller checks whether PATH can be written to */
};

/* Check that each of the COUNT FORMS that are wanted can be written, and that no two have the same
 * path. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int file_forms_check(const struct file_form *forms, size_t count, struct error *error);

struct result;

/* Compare RESULT with the measurement at PATH (NULL: none) that it will replace, if that has the
 * same host, target and settings. Sets in RESULT's evidence how NULL's latency has changed. */
void existing_compare_null(const char *path, struct result *result);
