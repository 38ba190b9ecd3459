/* A measurement as JSON (doc/FORMAT.md). A file that is read and written again doesn't change. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "common/error.h"
#include "output/result/kind.h"
#include "output/result/result.h"
#include "output/view/json_reader.h"

/* largest result file in bytes: enough for the rounds of a day */
#define RESULT_FILE_MAXIMUM ((size_t)256 << 20)

/* Return RESULT as a JSON object; NULL if there is no memory. */
json_t *json_result(const struct result *result);

/* Read the measurement in the file PATH. A message on its kind names COMMAND ("compare"). Returns
 * 0, or a negative errno with ERROR set: -ENOENT and similar if the file can't be read, -EBADMSG if
 * it is no complete measurement of a known schema, -ENOMEM. Free RESULT with result_free(). */
int result_read(struct result *result, const char *path, const char *command, struct error *error);

/* result_load() sets *ROOT to the parsed TEXT (LENGTH bytes), result_load_file() to the parsed file
 * PATH. result_kind_of_root() sets *KIND to the kind of ROOT. In messages, result_load_file() calls
 * the file NAME; the two other functions call the source PATH. All return 0, -EBADMSG, or an error
 * of input_read() (common/input.h), with ERROR set (ERROR_USAGE). *ROOT is NULL after an error. */
int result_load(const char *text, size_t length, const char *path, json_t **root,
                struct error *error);
int result_load_file(const char *path, const char *name, json_t **root, struct error *error);
int result_kind_of_root(const json_t *root, const char *path, enum result_kind *kind,
                        struct error *error);

/* Do what result_read() does with ROOT, the parsed file PATH. */
int result_read_root(struct result *result, const json_t *root, const char *path,
                     const char *command, struct error *error);
