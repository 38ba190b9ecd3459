/* Is one way faster than another? */
#ifndef NFSBENCH_CHARACTER_GAIN_H
#define NFSBENCH_CHARACTER_GAIN_H

#include "measure/estimate.h"

enum gain {
    GAIN_NONE,    /* it is no faster, or not by so much that anybody notices */
    GAIN_SOME,    /* it is faster */
    GAIN_UNKNOWN, /* the figures vary too much to tell */
};

#define GAIN_LEAST 1.2

/* RATIO is how many times as fast it is. */
enum gain gain_classify(const struct interval *ratio);

#endif
