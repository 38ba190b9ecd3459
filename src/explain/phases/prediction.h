/* Expected durations of phases, from a file (doc/FORMAT.md): "server-work 0.5us-2us"; or of a sum
 * of phases, with the time of an earlier measurement: "reply = server-work+server-send 2us-4us
 * 3us". */
#pragma once

#include "common/error.h"
#include "measure/phases.h"
#include "output/view/view.h"

enum {
    PREDICTIONS_MAXIMUM = PHASE_TYPES, /* more than there are keys */
    PREDICTION_NAME = 40,              /* room for a name, and for keys */
    PREDICTION_PHASES = 160,
};

/* The expected range of a phase, or of a sum of phases, and the time that was measured; ns. */
struct prediction {
    char name[PREDICTION_NAME]; /* the phase's, "server works", or the one that the file gives */
    char phases[PREDICTION_PHASES]; /* their keys: "server-work", "encode+send" */
    double low, high;
    double earlier;    /* found by another measurement, as the file says; NAN: it says nothing */
    double mean;       /* of one phase; of several, the sum of what each adds to the mean call. NAN:
                          no call entered any */
    bool holds;        /* the mean is known, and within the range; */
    const char *found; /* else it is "BELOW" or "ABOVE", or NULL: not known */
};

struct predictions {
    size_t count; /* 0: none were made */
    struct prediction list[PREDICTIONS_MAXIMUM];
    size_t measured, held; /* of these, once there are means */
};

/* Read the file PATH, before a long run. The keys of COUNT TYPES are allowed, and that of
 * phase_life. A line with a name may have the keys of all clients' phases, so that one file serves
 * nfsbench's calls and those on a mount. Returns 0, or a negative errno with ERROR set
 * (ERROR_USAGE, with the wrong line): that of input_read(), or -EINVAL. */
int predictions_read(const char *path, const struct phase_type *types, size_t count,
                     struct predictions *predictions, struct error *error);

/* Compare PREDICTIONS with COUNT ROWS, phases that were entered, and with the mean lifetime. States
 * other than phases have no keys, and nobody predicts them. */
void predictions_compare(struct predictions *predictions, const struct phase_row *rows,
                         size_t count, double lifetime_ns);

/* The names of phases' kinds, for programs, "network-and-server", with NULL at the end. */
extern const char *const explain_kind_keys[];

/* Of struct predictions, for the object that they are of: the list "predictions" with its table's
 * columns and remarks, and for people how many were measured and hold. */
extern const struct field predictions_fields[];
extern const struct view_column prediction_columns[];
extern const struct view_line prediction_remarks[];
