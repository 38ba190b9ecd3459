/* Expected durations of phases, from a file (doc/FORMAT.md): "server-work 0.5us-2us". */
#pragma once

#include "common/error.h"
#include "measure/phases.h"
#include "output/view/view.h"

enum { PREDICTIONS_MAXIMUM = PHASE_TYPES + 2 }; /* more than there are keys */

/* The expected range of a phase's mean, and the mean that was measured; ns. */
struct prediction {
    const struct phase_type *type; /* the first one with its key; once measured, that phase's */
    double low, high;
    double mean;       /* NAN: no call entered it */
    bool holds;        /* the mean is known, and within the range; */
    const char *found; /* else it is "BELOW" or "ABOVE", or NULL: not known */
};

struct predictions {
    size_t count; /* 0: none were made */
    struct prediction list[PREDICTIONS_MAXIMUM];
    size_t measured, held;  /* of these, once there are means */
    struct prediction life; /* that of the whole call, once there is a mean; else zeroed */
};

/* Read the file PATH, before a long run. The keys of COUNT TYPES are allowed, and that of
 * phase_life. Returns 0, or a negative errno with ERROR set (ERROR_USAGE, with the wrong line):
 * that of input_read(), or -EINVAL. */
int predictions_read(const char *path, const struct phase_type *types, size_t count,
                     struct predictions *predictions, struct error *error);

/* Compare PREDICTIONS with the means of COUNT ROWS, phases that were entered, and with that of the
 * lifetime. States other than phases have no keys, and nobody predicts them. */
void predictions_compare(struct predictions *predictions, struct phase_row *rows, size_t count,
                         double lifetime_ns);

/* The names of phases' kinds, for programs, "network-and-server", with NULL at the end. */
extern const char *const explain_kind_keys[];

/* Of struct phase_type. */
extern const struct field phase_type_fields[];

/* Of a prediction whose phase was entered; and of struct predictions, for the object that they are
 * of: "lifetime_predicted" and "predicted_unmeasured" in files, and for people the list
 * "predictions" with its table's columns and remarks, and how many were measured and hold. */
extern const struct field prediction_fields[], predictions_fields[];
extern const struct view_column prediction_columns[];
extern const struct view_line prediction_remarks[];
