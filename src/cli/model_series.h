/* The series that the cost model is made from: calls and replies of chosen length, and pauses. */
#ifndef NFSBENCH_CLI_MODEL_SERIES_H
#define NFSBENCH_CLI_MODEL_SERIES_H

#include "common/error.h"

struct session;

enum {
    MODEL_PAUSES = 2,
    MODEL_PAUSE_MINIMUM_NS = 10000, /* shorter, and what it costs drowns in noise */
    MODEL_DIVISOR = 4,              /* by which their blocks are smaller than others */
};

/* Add them to SESSION's series, where the run has a baseline and wants a model; what the server
 * won't have, the model does without. How long the pauses are, series_settle() says. 0, or a
 * negative errno with ERROR set. */
int model_series_add(struct session *session, struct error *error);

#endif
