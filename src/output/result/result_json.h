/* A measurement as JSON (doc/FORMAT.md). Reading and writing a file keeps its bytes. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "common/error.h"
#include "output/result/kind.h"
#include "output/result/result.h"
#include "output/view/json_reader.h"

#define RESULT_FILE_MAXIMUM ((size_t)256 << 20) /* bytes: enough for the rounds of a day */

/* Return RESULT as an object; NULL if there is no memory. */
json_t *json_result(const struct result *result);

/* Read the measurement in file PATH for COMMAND ("compare"). Other kinds of results are refused by
 * name. Returns 0, or a negative errno with ERROR set (ERROR_USAGE): -ENOENT and similar if the
 * file cannot be read, -EBADMSG if it is not a complete result of a known schema. Free with
 * result_free(). */
int result_read(struct result *result, const char *path, const char *command, struct error *error);

/* Set *ROOT to the JSON of TEXT, which has LENGTH bytes, or of the file PATH, which messages call
 * NAME; or set *KIND to the kind of ROOT. Returns 0, -EBADMSG, or an error of input_read()
 * (common/input.h), with ERROR set (ERROR_USAGE). *ROOT is NULL after an error. */
int result_load(const char *text, size_t length, const char *path, json_t **root,
                struct error *error);
int result_load_file(const char *path, const char *name, json_t **root, struct error *error);
int result_kind_of_root(const json_t *root, const char *path, enum result_kind *kind,
                        struct error *error);

/* As result_read(), from ROOT, the JSON of a file. */
int result_read_root(struct result *result, const json_t *root, const char *path,
                     const char *command, struct error *error);
