#include "measure/ranks.h"

#include <stdlib.h>

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

struct ranked *ranks_sort(const double *values, size_t n)
{
    struct ranked *ranked = malloc(n * sizeof *ranked);

    for (size_t i = 0; ranked && i < n; i++)
        ranked[i] = (struct ranked){values[i], (uint32_t)i};
    if (ranked)
        qsort(ranked, n, sizeof *ranked, compare_ranked);
    return ranked;
}

double *ranks_mean(const double *values, size_t n)
{
    struct ranked *ranked = ranks_sort(values, n);
    double *ranks = malloc(n * sizeof *ranks);

    for (size_t first = 0, last; ranked && ranks && first < n; first = last) {
        for (last = first + 1; last < n && ranked[last].value == ranked[first].value; last++)
            ;
        for (size_t i = first; i < last; i++)
            ranks[ranked[i].index] = (double)(first + last - 1) / 2;
    }
    if (!ranked) {
        free(ranks);
        ranks = NULL;
    }
    free(ranked);
    return ranks;
}
