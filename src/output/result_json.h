/* A measurement as JSON (doc/FORMAT.md), written and read back: what was read is written again as
 * the same bytes. */
#ifndef NFSBENCH_OUTPUT_RESULT_JSON_H
#define NFSBENCH_OUTPUT_RESULT_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "common/error.h"
#include "output/json_reader.h"
#include "output/kind.h"
#include "output/result.h"

/* RESULT as an object; NULL without memory. */
json_t *json_result(const struct result *result);

/* The same, written to OUT; DATA is a struct result. 0, or a negative errno. */
int result_write_json(const void *data, FILE *out);

/* Parts of it: an op, and what has a name of its own in it. */
json_t *json_op(const struct result *result, const struct result_op *op);
json_t *json_ledger_entry(const struct ledger_entry *entry);
void json_set_rates(json_t *object, const struct result_model *model);
json_t *json_validity(const struct validity *validity);

/* Set what OBJECT says of RESULT's launches; and of how OP's estimates spread over them. */
void json_set_launches(json_t *object, const struct result *result);
void json_set_spread(json_t *object, const struct result_op *op);

/* Likewise, read back. Read the ops of ROOT, of any schema, into RESULT, whose configuration is
 * there, and find its null calls, its null control, and each op's baseline among them. All have as
 * many rounds. */
void op_read_all(struct json_reader *reader, const json_t *root, struct result *result);

/* The entry of a ledger at KEYS of FROM; NULL where there is none. */
const struct ledger_entry *op_read_ledger_entry(struct json_reader *reader, const json_t *from,
                                                const char *keys);

/* What json_validity() made. */
void result_read_validity(struct json_reader *reader, const json_t *from,
                          struct validity *validity);

/* What json_set_launches() and json_set_spread() set. */
void launches_read(struct json_reader *reader, const json_t *root, struct result *result);
void launches_read_spread(struct json_reader *reader, const json_t *from, struct result_op *op);

/* Read the file PATH for COMMAND ("compare"), which takes measurements: another kind of result is
 * refused by its name. 0, or a negative errno with ERROR set (ERROR_USAGE): -ENOENT and the like
 * for a file that can't be read, -EBADMSG for one that is no whole result of a schema that is
 * known. Release it with result_free(). */
int result_read(struct result *result, const char *path, const char *command, struct error *error);

/* The same from TEXT of LENGTH bytes, which PATH names in messages. */
int result_read_text(struct result *result, const char *text, size_t length, const char *path,
                     const char *command, struct error *error);

#endif
