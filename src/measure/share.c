#include "measure/share.h"

int share_interval(double *part, const double *rest, size_t n, uint64_t seed,
                   struct interval *share, struct error *error)
{
    for (size_t i = 0; i < n; i++)
        part[i] = part[i] + rest[i] > 0 ? part[i] / (part[i] + rest[i]) : 0;
    return estimate_median_interval(part, n, seed, share, error);
}
