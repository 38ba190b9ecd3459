/* A sample experiment for the tests of all forms of output. */
#include "experiment/experiment.h"
#include "unit_sample.h"

static struct experiment_cell cell;
static struct experiment_result experiment;

const void *sample_EXPERIMENT(bool full)
{
    cell = (struct experiment_cell){.op = "getattr", .setting = {1, 1, 1, 4096, 1000}, .units = 1};
    experiment = (struct experiment_result){.origin = {.target = "self:", .transport = "TCP"},
                                            .ops = "getattr",
                                            .engine = "wire",
                                            .client_cpus = "0",
                                            .cells = &cell,
                                            .cell_count = 1};
    return full ? NULL : &experiment;
}

bool print_whole_EXPERIMENT(const void *result, bool verbose, FILE *out)
{
    const struct experiment_result *printed = result;

    if (printed->first)
        experiment_print_sides(printed, verbose, out);
    return printed->first != NULL;
}

/* Set members that are not read from the sample files: the origin, and residuals of laws. */
void complete_EXPERIMENT(void *result)
{
    struct experiment_result *read = result;

    read->origin = (struct origin){.target = "self:", .transport = "TCP"};
    read->scaling[0].law.residual_concurrency = 4;
    read->sizes[0].cost.residual_largest = 0.123;
    read->sizes[0].cost.residual_size = 4096;
}
