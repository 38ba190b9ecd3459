/* Zipf's distribution: rank k of COUNT is drawn with a probability in proportion to 1 / k^EXPONENT.
 * Exact, in constant time and memory for any COUNT: rejection-inversion (W. Hoermann and
 * G. Derflinger, "Rejection-inversion to generate variates from monotone discrete distributions",
 * ACM Transactions on Modeling and Computer Simulation 6(3), 1996). */
#ifndef NFSBENCH_COMMON_ZIPF_H
#define NFSBENCH_COMMON_ZIPF_H

#include <stdint.h>

#include "common/random.h"

struct zipf {
    double exponent, count;
    double low, high; /* the area under the curve that is drawn from, up to its ends */
    double surely;    /* so far right of its point, a rank is accepted without a further look */
};

/* COUNT is 1 or more, EXPONENT more than 0. */
void zipf_begin(struct zipf *zipf, uint64_t count, double exponent);

/* A rank, from 1 to COUNT. */
uint64_t zipf_next(const struct zipf *zipf, struct random *random);

#endif
