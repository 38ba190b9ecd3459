/* Does a quick call wait for a slow one? */
#ifndef NFSBENCH_CHARACTER_WAITING_H
#define NFSBENCH_CHARACTER_WAITING_H

#include "measure/estimate.h"

enum waiting {
    WAITING_NOT, /* its wait is a small part of the slow call's time */
    WAITING_PARTLY,
    WAITING_WHOLLY,  /* it waits for most of that */
    WAITING_UNKNOWN, /* no call was slow enough to tell */
};

/* WAIT is how much longer the quick call takes beside the slow one, which takes SLOW; alone it
 * takes QUICK. In the same unit. */
enum waiting waiting_classify(const struct interval *wait, double slow, double quick);

#endif
