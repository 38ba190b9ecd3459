/* Breakdowns in files of explain's results. */
#pragma once

#include "output/result/breakdown.h"
#include "output/view/json_reader.h"

/* Of struct breakdown_part, a step. */
extern const struct field breakdown_step_fields[];

/* Read the breakdowns of ROOT, the JSON of an explanation, of explanations or of a ladder: COUNT of
 * them in the reader's arena. NULL, and COUNT 0, where there are none. */
struct breakdown *breakdowns_read(struct json_reader *reader, const json_t *root, size_t *count);

/* The same of the states of RPCs, each of whose tables is one. */
struct breakdown *breakdowns_read_states(struct json_reader *reader, const json_t *root,
                                         size_t *count);
