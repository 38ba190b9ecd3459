/* Read breakdowns (struct breakdown) from files of explain's results. */
#pragma once

#include "output/result/breakdown.h"
#include "output/view/json_reader.h"

/* Fields of a struct breakdown_part that is a step of a ladder. */
extern const struct field breakdown_step_fields[];

/* Read the breakdowns in ROOT, the JSON of an explanation, of explanations or of a ladder, into the
 * reader's arena. Sets *COUNT to their number, and returns them. If READER has an error afterwards,
 * the breakdowns are incomplete or NULL. */
struct breakdown *breakdowns_read(struct json_reader *reader, const json_t *root, size_t *count);

/* Read the tables of states in ROOT, the JSON of a states result, each table as a breakdown. READER
 * and COUNT are used as in breakdowns_read(). Returns NULL if READER has an error. */
struct breakdown *breakdowns_read_states(struct json_reader *reader, const json_t *root,
                                         size_t *count);
