#include "character/sync_cost.h"

enum sync_cost sync_cost_classify(const struct interval *us)
{
    if (us->high < SYNC_LEAST_US)
        return SYNC_COST_TOO_SMALL;
    return us->low >= SYNC_LEAST_US ? SYNC_COST_PLAUSIBLE : SYNC_COST_UNCLEAR;
}
