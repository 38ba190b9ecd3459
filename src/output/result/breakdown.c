#include "output/result/breakdown.h"

#include <math.h>
#include <string.h>

const struct breakdown_part *breakdown_find(const struct breakdown *breakdown, const char *key)
{
    for (size_t i = 0; i < breakdown->part_count; i++)
        if (strcmp(breakdown->parts[i].key, key) == 0)
            return &breakdown->parts[i];
    return NULL;
}

/* Return the sum of BREAKDOWN's parts of KIND, ns. Sets *FIRST to the first such part's index. */
static double sum_of_kind(const struct breakdown *breakdown, const char *kind, size_t *first)
{
    double sum = 0;

    for (size_t i = breakdown->part_count; i-- > 0;) {
        const struct breakdown_part *part = &breakdown->parts[i];

        if (!part->kind || strcmp(part->kind, kind) != 0)
            continue;
        *first = i;
        sum += isnan(part->ns.estimate) ? 0 : part->ns.estimate;
    }
    return sum;
}

const char *breakdown_kinds(const struct breakdown *breakdown, char room[FIELD_ROOM])
{
    const char *before = ": ";

    field_print(room, "%.1f us", breakdown->whole.estimate / 1000);
    for (size_t i = 0; i < breakdown->part_count; i++) {
        const char *kind = breakdown->parts[i].kind;
        size_t first = i;
        const double ns = kind ? sum_of_kind(breakdown, kind, &first) : 0;

        if (first != i || !(ns > 0))
            continue;
        field_append(room, "%s%s %.1f", before, kind, ns / 1000);
        before = ", ";
    }
    return room;
}
