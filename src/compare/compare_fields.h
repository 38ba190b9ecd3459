/* Internal: fields of a comparison's view. */
#pragma once

#include "compare/compare.h"

/* Fields of struct compare_result, of struct compare_row for the figures of an op, and of struct
 * compare_row for other figures. */
extern const struct field compare_fields[], compare_row_fields[], compare_figure_fields[];

extern const struct field compare_path_fields[];

/* Return the verdict on PAIR's path as text, in ROOM; NULL if PAIR has no ops.
 * compare_path_advice() returns what to measure to find out more; NULL if it is not needed. */
const char *compare_path_text(const struct compare_pair *pair, char room[FIELD_ROOM]);
const char *compare_path_advice(const struct compare_pair *pair);

/* Functions for field.text: compare_changed() returns the counters per call that differ between the
 * sides of a struct compare_row, compare_mount_changed() the changes of a pair's mounts. */
const char *compare_changed(const void *object, const void *root, char room[FIELD_ROOM]);
const char *compare_mount_changed(const void *object, const void *root, char room[FIELD_ROOM]);
