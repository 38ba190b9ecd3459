/* Internal: fields of a comparison's view. */
#pragma once

#include "compare/compare.h"

/* Fields of struct compare_result; of struct compare_row for an op, and for another figure. */
extern const struct field compare_fields[], compare_row_fields[], compare_figure_fields[];

/* Fields of struct compare_path. */
extern const struct field compare_path_fields[];

/* Return the verdict on PAIR's path as text, in ROOM; NULL if PAIR has no ops.
 * compare_path_advice() returns what to do if the path changed, or NULL. */
const char *compare_path_text(const struct compare_pair *pair, char room[FIELD_ROOM]);
const char *compare_path_advice(const struct compare_pair *pair);

/* Functions for field.text: the counters per call that differ between the sides of a struct
 * compare_row, and the differences between the mounts of a struct compare_pair. */
const char *compare_changed(const void *object, const void *root, char room[FIELD_ROOM]);
const char *compare_mount_changed(const void *object, const void *root, char room[FIELD_ROOM]);
