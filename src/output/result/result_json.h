/* A measurement as JSON (doc/FORMAT.md), written and read back: what was read is written again as
 * the same bytes. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "common/error.h"
#include "output/result/kind.h"
#include "output/result/result.h"
#include "output/view/json_reader.h"

#define RESULT_FILE_MAXIMUM ((size_t)256 << 20) /* bytes: a day of rounds, and more */

/* RESULT as an object; NULL without memory. */
json_t *json_result(const struct result *result);

/* Read the file PATH for COMMAND ("compare"), which takes measurements: another kind of result is
 * refused by its name. 0, or a negative errno with ERROR set (ERROR_USAGE): -ENOENT and the like
 * for a file that can't be read, -EBADMSG for one that is no whole result of a schema that is
 * known. Release it with result_free(). */
int result_read(struct result *result, const char *path, const char *command, struct error *error);

/* The JSON of a file, TEXT of LENGTH bytes, or of the file PATH, which messages call NAME; and its
 * kind. 0, or -EBADMSG, or those of input_read() (common/input.h), with ERROR set (ERROR_USAGE).
 * *ROOT is NULL after an error. */
int result_load(const char *text, size_t length, const char *path, json_t **root,
                struct error *error);
int result_load_file(const char *path, const char *name, json_t **root, struct error *error);
int result_kind_of_root(const json_t *root, const char *path, enum result_kind *kind,
                        struct error *error);

/* As result_read(), from ROOT, the JSON of a file. */
int result_read_root(struct result *result, const json_t *root, const char *path,
                     const char *command, struct error *error);
