/* Fields of the structures in an experiment, which several files share. */
#pragma once

#include "experiment/experiment.h"

extern const struct field cell_fields[];      /* fields of struct experiment_cell */
extern const struct field contrast_fields[];  /* fields of struct experiment_contrast */
extern const struct field scaling_fields[];   /* fields of struct experiment_scaling */
extern const struct field sizes_fields[];     /* fields of struct experiment_sizes */
extern const struct field delay_fields[];     /* fields of struct experiment_delay */
extern const struct field diagnosis_fields[]; /* fields of struct experiment_diagnosis */
/* fields that are computed from the sides of a struct experiment_result */
extern const struct field sides_fields[];
extern const struct field link_fields[]; /* fields of struct link_counts */
extern const struct field unit_fields[]; /* the field of a unit's value, a double */
