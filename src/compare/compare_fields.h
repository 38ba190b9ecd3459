/* Inside of a comparison's view: its fields. */
#pragma once

#include "compare/compare.h"

/* The fields of struct compare_result, of struct compare_row of an op, and of struct compare_row of
 * another figure. */
extern const struct field compare_fields[], compare_row_fields[], compare_figure_fields[];

/* Those of struct compare_path. */
extern const struct field compare_path_fields[];

/* What PAIR's path did, in ROOM, or NULL if it has no ops; and what to do if it changed, or NULL.
 */
const char *compare_path_said(const struct compare_pair *pair, char room[FIELD_ROOM]);
const char *compare_path_advice(const struct compare_pair *pair);

/* Field functions (field.text): the counters per call that differ between the sides of a struct
 * compare_row, and what differs between the mounts of a struct compare_pair. */
const char *compare_changed(const void *object, const void *root, char room[FIELD_ROOM]);
const char *compare_mount_changed(const void *object, const void *root, char room[FIELD_ROOM]);
