#include "common/zipf.h"

#include <math.h>

/* The names H, h and s are the paper's. H() is the integral of h() from 1, in a form that holds for
 * an exponent of 1, too, and loses no digits near it. */

static double h(const struct zipf *zipf, double x)
{
    return exp(-zipf->exponent * log(x));
}

static double H(const struct zipf *zipf, double x)
{
    double power = (1 - zipf->exponent) * log(x);

    return fabs(power) < 1e-8 ? log(x) * (1 + power / 2) : log(x) * expm1(power) / power;
}

static double H_inverse(const struct zipf *zipf, double area)
{
    double power = fmax(area * (1 - zipf->exponent), -1);

    return exp(fabs(power) < 1e-8 ? area * (1 - power / 2) : area * log1p(power) / power);
}

void zipf_begin(struct zipf *zipf, uint64_t count, double exponent)
{
    zipf->exponent = exponent;
    zipf->count = (double)count;
    zipf->low = H(zipf, 1.5) - 1;
    zipf->high = H(zipf, zipf->count + 0.5);
    zipf->surely = 2 - H_inverse(zipf, H(zipf, 2.5) - h(zipf, 2));
}

uint64_t zipf_next(const struct zipf *zipf, struct random *random)
{
    for (;;) {
        double share = (double)(random_next(random) >> 11) * 0x1p-53;
        double area = zipf->high + share * (zipf->low - zipf->high);
        double x = H_inverse(zipf, area);
        double rank = fmin(fmax(floor(x + 0.5), 1), zipf->count);

        if (rank - x <= zipf->surely || area >= H(zipf, rank + 0.5) - h(zipf, rank))
            return (uint64_t)rank;
    }
}
