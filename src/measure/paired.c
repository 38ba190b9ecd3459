#include "measure/paired.h"

#include <errno.h>
#include <stdlib.h>

#include "measure/mean_cost.h"

double *paired_differences(const struct series *first, const struct series *second,
                           enum block_statistic statistic, size_t n, struct error *error)
{
    double *values = malloc(n * sizeof *values);

    if (!values)
        error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu rounds", n);
    for (size_t i = 0; values && i < n; i++)
        values[i] = second->blocks[statistic][i] - first->blocks[statistic][i];
    return values;
}

int paired_levels(struct paired *paired, const struct series *first, const struct series *second,
                  const struct resampling *resampling, struct error *error)
{
    double *values = paired_differences(first, second, BLOCK_TRIMMED_MEAN, resampling->n, error);
    int code = values ? estimate_median_replicates(values, resampling, &paired->difference, error)
                      : -ENOMEM;

    if (code == 0)
        code = estimate_median_replicates(first->blocks[BLOCK_TRIMMED_MEAN], resampling,
                                          &paired->first, error);
    if (code == 0)
        code = estimate_median_replicates(second->blocks[BLOCK_TRIMMED_MEAN], resampling,
                                          &paired->second, error);
    free(values);
    return code;
}

void paired_costs(struct paired *paired, const struct replicates *first,
                  const struct replicates *second)
{
    paired->first = *first;
    paired->second = paired->difference = *second;
    estimate_add(&paired->difference, -1, first);
}

int paired_mean_costs(const struct paired_series *first, const struct paired_series *second,
                      const struct resampling *resampling, struct comparison *comparison,
                      struct error *error)
{
    size_t n = resampling->n;
    double *values = paired_differences(second->null_calls, second->op, BLOCK_MEAN, n, error);
    double *less = paired_differences(first->null_calls, first->op, BLOCK_MEAN, n, error);
    int code = values && less ? 0 : -ENOMEM;

    for (size_t i = 0; i < n && code == 0; i++)
        values[i] -= less[i];
    if (code == 0)
        code = mean_interval(values, n, resampling->block, resampling->seed,
                             &comparison->difference, error);
    if (code == 0)
        comparison->p = comparison->adjusted_p = comparison_p(&comparison->difference);
    free(values);
    free(less);
    return code;
}

void paired_add(struct paired *sum, const struct paired *term)
{
    estimate_add(&sum->first, 1, &term->first);
    estimate_add(&sum->second, 1, &term->second);
    estimate_add(&sum->difference, 1, &term->difference);
}

void paired_compare(const struct paired *paired, struct comparison *comparison)
{
    comparison_fill(comparison, &paired->first, &paired->second, &paired->difference);
}
