/* How long someone expects phases to take, from a file (doc/FORMAT.md): "server-work 0.5us-2us". */
#ifndef NFSBENCH_EXPLAIN_PREDICTION_H
#define NFSBENCH_EXPLAIN_PREDICTION_H

#include "common/error.h"
#include "measure/phases.h"

enum { PREDICTIONS_MAXIMUM = 3 * PHASES_MAXIMUM }; /* there are three views */

struct explanation;

/* A range that someone expects of a phase. */
struct prediction {
    double low, high; /* ns; NAN: none */
};

struct predictions {
    size_t count;
    struct {
        const struct phase_type *type; /* the first of its key in any view */
        struct prediction range;
    } list[PREDICTIONS_MAXIMUM];
};

/* Read the file PATH, to be done before a long run. Keys are checked against those of all views. 0,
 * or a negative errno with ERROR set (ERROR_USAGE, with the line at fault): input_read()'s, or
 * -EINVAL. */
int predictions_read(const char *path, struct predictions *predictions, struct error *error);

/* Hand them to the rows, after explain_rows(); notes those of phases without a row. */
void explain_predict(struct explanation *explanation, const struct predictions *predictions);

#endif
