#include "character/waiting.h"

/* Below the first the slow call is not slow; the others are shares of the slow call's time. */
static const double SLOW_LEAST = 3, PART_LEAST = 0.2, MOST = 0.6;

enum waiting waiting_classify(const struct interval *wait, double slow, double quick)
{
    if (!(slow >= SLOW_LEAST * quick))
        return WAITING_UNKNOWN;
    if (wait->estimate >= MOST * slow)
        return WAITING_WHOLLY;
    return wait->estimate >= PART_LEAST * slow ? WAITING_PARTLY : WAITING_NOT;
}
