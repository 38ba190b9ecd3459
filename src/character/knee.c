#include "character/knee.h"

#include <stdbool.h>

/* Do all costs from FIRST on stay above LEAST? */
static bool is_for_good(const struct interval *costs, size_t first, size_t count,
                        const struct interval *least)
{
    for (size_t i = first; i < count; i++)
        if (!(costs[i].estimate > KNEE_LEAST * least->estimate))
            return false;
    return costs[first].low > least->high;
}

size_t knee_find(const struct interval *costs, size_t count)
{
    const struct interval *least = costs;

    for (size_t i = 1; i < count; i++) {
        if (is_for_good(costs, i, count, least))
            return i;
        if (costs[i].estimate < least->estimate)
            least = &costs[i];
    }
    return 0;
}
