/* Inside of what writes, reads and merges measurements: the fields of their parts. */
#pragma once

#include "output/view/fields.h"

/* Of struct result. */
extern const struct field result_fields[];

/* The same with what a file of a measurement begins with, for one that is within another result. */
extern const struct field result_file_fields[];

extern const struct field tool_fields[], host_fields[], target_fields[], setup_fields[],
    config_fields[], clock_fields[], ledger_fields[], validity_fields[], launches_fields[];

/* Of struct result: what results of all kinds have, where it is in those that are no measurements
 * (output/result/origin.h), as far as they have it. */
extern const struct field origin_fields[];

extern const struct field load_fields[];         /* of struct load */
extern const struct field rates_fields[];        /* of struct result_model */
extern const struct field model_fields[];        /* of the same, with the rates */
extern const struct field ledger_entry_fields[]; /* of struct ledger_entry */
extern const char *const verdict_names[];        /* by enum verdict; ends with NULL */
extern const struct field verdict_fields[];      /* of struct validity */
extern const struct field rank_fields[];         /* of struct result_rank */
extern const struct field op_fields[];           /* of struct result_op */
extern const struct field spread_fields[];       /* of the same: how it varies over launches */
extern const struct field plan_fields[];         /* of struct result_plan */
extern const struct field skipped_fields[];      /* of struct result_skipped */

/* Is the result ROOT of several launches? */
bool is_of_launches(const void *object, const void *root);

/* The transport of a target. */
void proto_read(struct json_reader *reader, const json_t *from, void *result);

/* Of these two, what follows from other members, and is only shown (measurement_shown.c). */
extern const struct field result_shown_fields[], op_shown_fields[];

/* Read back the ops of ROOT into RESULT, whose configuration
 * is there, with its null calls, its null control, and each op's baseline among them. All have as
 * many rounds. */
void ops_read(struct json_reader *reader, const json_t *root, void *result);

/* The trimmed means of the blocks of OP (a struct result_op), and their plain means; and the
 * buckets of its histogram that hold something. */
json_t *blocks_write(const void *op, const void *root);
json_t *block_means_write(const void *op, const void *root);
json_t *echo_blocks_write(const void *op, const void *root);
void blocks_read(struct json_reader *reader, const json_t *from, struct result *result,
                 struct result_op *op);
json_t *histogram_write(const void *op, const void *root);
void histogram_read(struct json_reader *reader, const json_t *from, void *op);

/* Its latencies over time. */
json_t *map_write(const void *op, const void *root);
void map_read(struct json_reader *reader, const json_t *from, void *op);
