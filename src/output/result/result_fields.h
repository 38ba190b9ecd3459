/* Internal: tables of fields by which measurements are written, read and merged. */
#pragma once

#include "output/view/fields.h"

extern const struct field result_fields[]; /* fields of struct result */

/* Fields of a measurement's file: its schema and kind, and result_fields. */
extern const struct field result_file_fields[];

extern const struct field tool_fields[], host_fields[], target_fields[], limits_fields[],
    setup_fields[], config_fields[], clock_fields[], ledger_fields[], validity_fields[],
    launches_fields[];

/* Fields of the members of struct result that are read from files of other kinds. */
extern const struct field origin_fields[];

extern const struct field load_fields[];  /* clients, connections, depth, rate of struct load */
extern const struct field rates_fields[]; /* the rates of struct result_model */
extern const struct field model_fields[]; /* fields of struct result_model, including the rates */
extern const struct field ledger_entry_fields[]; /* fields of struct ledger_entry */
extern const char *const verdict_names[];        /* names by enum verdict; ends with NULL */
extern const struct field verdict_fields[];      /* fields of struct validity */
extern const struct field rank_fields[];         /* fields of struct result_rank */
extern const struct field op_fields[];           /* fields of struct result_op */
extern const struct field spread_fields[];       /* fields of an op's SPREAD and LEVELS */
extern const struct field plan_fields[];         /* fields of struct result_plan */
extern const struct field skipped_fields[];      /* fields of struct result_skipped */

/* Return whether the result ROOT has several launches. Used as .known of fields. */
bool is_of_launches(const void *object, const void *root);

void proto_read(struct json_reader *reader, const json_t *from, void *result);

/* Fields of struct result and of struct result_op with derived values that are only shown. */
extern const struct field result_shown_fields[], op_shown_fields[];

/* Read the ops of ROOT into RESULT. Sets the result's null calls, null control and number of
 * rounds, which must be the same in all ops, and each op's role and baseline. */
void ops_read(struct json_reader *reader, const json_t *root, void *result);

/* Write and read members of OP, a result_op: the values by round, and the histogram, of which the
 * JSON has only the buckets with calls. */
json_t *blocks_write(const void *op, const void *root);
json_t *block_means_write(const void *op, const void *root);
json_t *echo_blocks_write(const void *op, const void *root);
void blocks_read(struct json_reader *reader, const json_t *from, struct result *result,
                 struct result_op *op);
json_t *histogram_write(const void *op, const void *root);
void histogram_read(struct json_reader *reader, const json_t *from, void *op);

/* Write and read OP's latencies over time. */
json_t *map_write(const void *op, const void *root);
void map_read(struct json_reader *reader, const json_t *from, void *op);
