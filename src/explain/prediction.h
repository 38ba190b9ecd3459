/* Expected durations of phases, from a file (doc/FORMAT.md): "server-work 0.5us-2us". */
#ifndef NFSBENCH_EXPLAIN_PREDICTION_H
#define NFSBENCH_EXPLAIN_PREDICTION_H

#include "common/error.h"
#include "measure/phases.h"

enum { PREDICTIONS_MAXIMUM = 2 * PHASES_MAXIMUM }; /* more than there are keys */

struct explanation;

/* The expected range of a phase's mean. */
struct prediction {
    double low, high; /* ns; NAN: none */
};

struct predictions {
    size_t count;
    struct {
        const struct phase_type *type; /* the first one with its key in any view */
        struct prediction range;
    } list[PREDICTIONS_MAXIMUM];
};

/* Read the file PATH, before a long run. Keys of all views are allowed. Returns 0, or a negative
 * errno with ERROR set (ERROR_USAGE, with the wrong line): that of input_read(), or -EINVAL. */
int predictions_read(const char *path, struct predictions *predictions, struct error *error);

/* Assign the predictions to the rows, after explain_rows(), and list those of phases without a row.
 */
void explain_predict(struct explanation *explanation, const struct predictions *predictions);

#endif
