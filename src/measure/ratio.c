#include "measure/mean_cost.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A round that was slow for its own calls makes the rate less, one that was slow for the others'
 * makes the ratio more. */
static void find_deviations(const double *own, const double *others, size_t n, double *deviations)
{
    double own_mean = mean_of(own, n), others_mean = others ? mean_of(others, n) : 0;

    for (size_t i = 0; i < n; i++)
        deviations[i] = (others ? others[i] / others_mean : 1) - own[i] / own_mean;
}

int ratio_interval(double estimate, const double *own, const double *others, size_t n,
                   uint64_t seed, struct interval *interval, struct error *error)
{
    double *deviations = calloc(n, sizeof *deviations);
    struct interval off;
    int code;

    if (!deviations)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu rounds", n);
    find_deviations(own, others, n, deviations);
    code = mean_interval(deviations, n, estimate_block_length(deviations, n), seed, &off, error);
    free(deviations);
    if (code)
        return code;
    *interval = (struct interval){estimate, estimate * exp(off.low), estimate * exp(off.high)};
    return 0;
}
