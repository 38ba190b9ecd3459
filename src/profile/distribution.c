#include "profile/distribution.h"

#include <math.h>
#include <string.h>

static void keep_value(struct distribution *distribution, double value)
{
    size_t count = distribution->distinct, at = count;

    while (at > 0 && distribution->values[at - 1] >= value)
        at--;
    if (at == count || distribution->values[at] != value) {
        if (distribution->distinct++ == DISTRIBUTION_EXACT)
            return;
        memmove(&distribution->values[at + 1], &distribution->values[at],
                (count - at) * sizeof(double));
        memmove(&distribution->counts[at + 1], &distribution->counts[at],
                (count - at) * sizeof(uint64_t));
        distribution->values[at] = value;
        distribution->counts[at] = 0;
    }
    distribution->counts[at]++;
}

void distribution_add(struct distribution *distribution, double value)
{
    histogram_record(&distribution->histogram, value);
    if (distribution->distinct <= DISTRIBUTION_EXACT)
        keep_value(distribution, value);
}

double distribution_quantile(const struct distribution *distribution, double q)
{
    const double rank = fmax(1, ceil(q * (double)distribution->histogram.count));
    uint64_t seen = 0;

    if (distribution->distinct == 0 || distribution->distinct > DISTRIBUTION_EXACT)
        return histogram_quantile(&distribution->histogram, q);
    for (size_t i = 0; i < distribution->distinct; i++) {
        seen += distribution->counts[i];
        if ((double)seen >= rank)
            return distribution->values[i];
    }
    return distribution->histogram.maximum;
}
