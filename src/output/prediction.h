/* How long someone expects phases to take, from a file (doc/FORMAT.md): "server-work 0.5us-2us". */
#ifndef NFSBENCH_OUTPUT_PREDICTION_H
#define NFSBENCH_OUTPUT_PREDICTION_H

#include "common/error.h"
#include "output/explain.h"

struct predictions {
    size_t count;
    struct {
        const struct phase_type *type; /* the first of its key in any view */
        struct prediction range;
    } list[PREDICTIONS_MAXIMUM];
};

/* Read the file PATH, to be done before a long run. Keys are checked against those of all views. 0,
 * or a negative errno with ERROR set (ERROR_USAGE, with the line at fault). */
int predictions_read(const char *path, struct predictions *predictions, struct error *error);

/* Hand them to the rows, after explain_rows(); notes those of phases without a row. */
void explain_predict(struct explanation *explanation, const struct predictions *predictions);

#endif
