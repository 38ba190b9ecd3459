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

/* Set whether output may replace any file (--force). Default: false. Even with --force, a result
 * that was cut short replaces no file with data. */
void file_force(bool force);

/* Call WRITER to write DATA to the file PATH ("-": standard output). OPTION ("--json") is the
 * option that named PATH, for messages.
 * A regular file appears complete or not at all: it is written under an unpredictable name in the
 * same directory, and then renamed to PATH. It keeps the mode, owner and group of the old file as
 * far as possible. If PATH is a symbolic link, the file that the link leads to is replaced or
 * created. If the kernel refuses the rename (a mount point, or a file in a sticky directory),
 * WRITER is called again to write in place. Devices, pipes and open files (/dev/stderr) are written
 * in place.
 * A non-empty file at PATH is kept if RESULT (NULL: no result) was cut short. Otherwise, the file
 * is replaced with --force, or if the output is RESULT as JSON and existing.h allows it. If the
 * file (NAME.EXT) is kept, the output goes to NAME.new.EXT or, if RESULT was cut short,
 * NAME.partial.EXT. The function then returns -EEXIST, and ERROR names the new file. Returns 0, or
 * a negative errno with ERROR set. */
int file_write_result(const struct file_result *result, file_writer writer, const void *data,
                      const char *option, const char *path, struct error *error);

/* Do what file_write_result() does without a RESULT. */
int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error);

/* Do what file_write() does, but don't check PATH, because the caller knows it may be replaced. */
int file_replace(file_writer writer, const void *data, const char *option, const char *path,
                 struct error *error);

/* Open PATH to write lines in place during a run. Empties a file. NULL with errno set on error. */
FILE *file_open(const char *path);

/* If PATH is NAME.EXT, set BESIDE to the first of NAME.WORD.EXT, NAME.WORD-2.EXT and so on that
 * does not exist. Returns 0 or a negative errno. */
int file_free_name(const char *path, const char *word, char beside[PATH_MAX]);

/* Check before a long run that PATH can be written to, and is no file with data unless file_force()
 * was set. Changes nothing. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int file_check(const char *option, const char *path, struct error *error);

/* Return whether PATH and OTHER lead to the same regular file, which may not exist yet. Returns
 * false for devices and for paths that lead nowhere. */
bool file_is_same(const char *path, const char *other);

/* An output of the run, such as its result as JSON. */
struct file_form {
    const char *option, *path; /* PATH is NULL if the output is not wanted */
    file_writer writer;
    /* claim of the output, if it is a result as JSON (existing.h); else NULL */
    const json_t *claim;
    bool checked; /* true if the caller itself checks PATH */
};

/* Check that all wanted outputs of the COUNT FORMS can be written, may replace old files, and share
 * no file, nor standard output. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int file_forms_check(const struct file_form *forms, size_t count, struct error *error);

struct result;

/* Compare RESULT with the file at PATH (NULL: none) that it will replace. If that file has a
 * measurement with the same host, target and settings, and its verdict is not invalid, record in
 * RESULT's evidence how NULL's latency changed, and when the old measurement began. */
void existing_compare_null(const char *path, struct result *result);
