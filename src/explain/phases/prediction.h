/* Expected times of phases, read from a file (src/explain/FORMAT.md). A line has a phase and its
 * range: "server-work 0.5us-2us". A sum of phases needs a name before it: "reply =
 * server-work+server-send 2us-4us". A third item, "3us", is the time of an earlier
 * measurement. */
#pragma once

#include "common/error.h"
#include "measure/phases.h"
#include "output/view/view.h"

enum {
    PREDICTIONS_MAXIMUM =
        PHASE_TYPES,      /* most predictions in a file; enough for one of each phase */
    PREDICTION_NAME = 40, /* size of a name */
    /* size of a list of keys */
    PREDICTION_PHASES = 160,
};

/* The expected range of the time of a phase, or of a sum of phases, and the measured time; ns. */
struct prediction {
    char name[PREDICTION_NAME];     /* name of the phase, such as "server works", or the name in the
                                       file */
    char phases[PREDICTION_PHASES]; /* keys of the phases, such as "server-work" or "encode+send" */
    double low, high;
    double earlier; /* time in an earlier measurement, from the file; NAN: not given */
    /* Measured mean of the phase over the calls that entered it; for a sum of phases, their
     * contribution to the mean lifetime. NAN: no call entered any of the phases. */
    double mean;
    bool holds; /* MEAN is known and within the range */
    /* NULL if MEAN is unknown. Otherwise "BELOW" or "ABOVE" the range; wrong if HOLDS is true. */
    const char *found;
};

struct predictions {
    size_t count; /* 0: no predictions */
    struct prediction list[PREDICTIONS_MAXIMUM];
    /* MEASURED: number of predictions whose mean is known; HELD: number of those that hold */
    size_t measured, held;
};

/* Read the file PATH; do this before a long run. A line without a name has one key, of the COUNT
 * TYPES or of phase_life. A line with a name may use the keys of all clients' phases, so that one
 * file serves nfsbench's calls and calls on a mount. Returns 0, or a negative errno with ERROR set:
 * the error of input_read(), or -EINVAL if a line is wrong or the file has no predictions. */
int predictions_read(const char *path, const struct phase_type *types, size_t count,
                     struct predictions *predictions, struct error *error);

/* Compare PREDICTIONS with COUNT ROWS, one for each phase that was entered, and with the mean
 * lifetime LIFETIME_NS. */
void predictions_compare(struct predictions *predictions, const struct phase_row *rows,
                         size_t count, double lifetime_ns);

/* Keys of enum phase_kind for programs, such as "network-and-server"; NULL at the end. */
extern const char *const explain_kind_keys[];

/* Fields of struct predictions; columns and remarks of the table of predictions. */
extern const struct field predictions_fields[];
extern const struct view_column prediction_columns[];
extern const struct view_line prediction_remarks[];
