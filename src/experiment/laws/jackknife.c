#include "experiment/laws/jackknife.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Return the mean of REPEATS without unit LEFT_OUT. A single unit is not left out. */
static double level_without(const struct repeats *repeats, size_t left_out)
{
    size_t kept = 0;
    double sum = 0;

    for (size_t i = 0; i < repeats->count; i++)
        if (i != left_out || repeats->count == 1) {
            sum += repeats->values[i];
            kept++;
        }
    return sum / (double)kept;
}

double repeats_mean(const struct repeats *repeats)
{
    return level_without(repeats, SIZE_MAX);
}

size_t jackknife_batch(const double *rounds, size_t count, double batches[JACKKNIFE_BATCHES])
{
    size_t number = count < JACKKNIFE_BATCHES ? count : JACKKNIFE_BATCHES;
    double *sorted = malloc(count * sizeof *sorted);

    if (!sorted)
        return 0;
    memcpy(sorted, rounds, count * sizeof *sorted);
    for (size_t i = 0; i < number; i++) {
        size_t first = i * count / number, end = (i + 1) * count / number;

        batches[i] = estimate_median(sorted + first, end - first);
    }
    free(sorted);
    return number;
}

static double *row_of(const struct jackknife *jackknife, size_t row)
{
    return jackknife->rows + row * jackknife->figures;
}

static size_t count_rows(const struct jackknife *jackknife)
{
    return jackknife->units > 1 ? jackknife->units + 1 : 1;
}

static const struct repeats *repeats_at(const struct repeats *first, size_t stride, size_t point)
{
    return (const void *)((const char *)first + point * stride);
}

int jackknife_make(struct jackknife *jackknife, const struct repeats *repeats, size_t stride,
                   size_t points, size_t figures, jackknife_fit *fit, void *context,
                   struct error *error)
{
    double *levels = calloc(points, sizeof *levels);
    int code = 0;

    *jackknife = (struct jackknife){.figures = figures};
    for (size_t i = 0; i < points; i++)
        if (repeats_at(repeats, stride, i)->count > jackknife->units)
            jackknife->units = repeats_at(repeats, stride, i)->count;
    jackknife->rows = calloc((jackknife->units + 1) * figures, sizeof *jackknife->rows);
    if (!jackknife->rows || !levels)
        code =
            error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for fits to %zu points", points);
    for (size_t row = 0; row < count_rows(jackknife) && code == 0; row++) {
        for (size_t i = 0; i < points; i++)
            levels[i] = level_without(repeats_at(repeats, stride, i), row - 1);
        code = fit(context, levels, row == 0, row_of(jackknife, row), error);
    }
    if (code)
        jackknife_free(jackknife);
    free(levels);
    return code;
}

void jackknife_free(struct jackknife *jackknife)
{
    free(jackknife->rows);
    jackknife->rows = NULL;
}

/* Intervals */

static double as_it_is(double value)
{
    return value;
}

/* One figure: its value in the fit to all units, its extremes in all fits, and its standard error.
 * Either all four are on the figure's own scale, or all four on a log scale. */
struct summary {
    double estimate, lowest, highest, error;
};

static struct summary summarise_figure(const struct jackknife *jackknife, size_t figure,
                                       double (*scale)(double))
{
    const double all = scale(row_of(jackknife, 0)[figure]), units = (double)jackknife->units;
    struct summary summary = {all, all, all, 0};
    double mean = 0, squares = 0;

    for (size_t row = 1; row < count_rows(jackknife); row++) {
        double value = scale(row_of(jackknife, row)[figure]);

        mean += value / units;
        summary.lowest = fmin(summary.lowest, value);
        summary.highest = fmax(summary.highest, value);
    }
    for (size_t row = 1; row < count_rows(jackknife); row++)
        squares += pow(scale(row_of(jackknife, row)[figure]) - mean, 2);
    summary.error = sqrt((units - 1) / units * squares);
    return summary;
}

/* Return Student's t at the probability QUANTILE times SUMMARY's error; NAN with a single unit. */
static double margin_of(const struct jackknife *jackknife, const struct summary *summary,
                        double quantile)
{
    if (jackknife->units < 2)
        return NAN;
    if (summary->error <= 0)
        return 0;
    return student_quantile(quantile, (double)(jackknife->units - 1)) * summary->error;
}

double jackknife_error(const struct jackknife *jackknife, size_t figure)
{
    return summarise_figure(jackknife, figure, as_it_is).error;
}

struct interval jackknife_interval(const struct jackknife *jackknife, size_t figure)
{
    const struct summary summary = summarise_figure(jackknife, figure, as_it_is);
    double half = margin_of(jackknife, &summary, 0.975);

    return (struct interval){summary.estimate, summary.estimate - half, summary.estimate + half};
}

struct interval jackknife_positive(const struct jackknife *jackknife, size_t figure)
{
    const struct summary summary = summarise_figure(jackknife, figure, log);
    double estimate = row_of(jackknife, 0)[figure];
    double factor = exp(margin_of(jackknife, &summary, 0.975));

    return (struct interval){estimate, estimate / factor, estimate * factor};
}

struct interval jackknife_bounded(const struct jackknife *jackknife, size_t figure, size_t unbound)
{
    const struct summary summary = summarise_figure(jackknife, figure, as_it_is);

    if (jackknife->units < 2)
        return (struct interval){summary.estimate, NAN, NAN};
    if (summary.lowest > 0 && jackknife_interval(jackknife, figure).low > 0)
        return jackknife_positive(jackknife, figure);
    return (struct interval){summary.estimate, 0,
                             fmax(jackknife_upper(jackknife, unbound), summary.estimate)};
}

double jackknife_upper(const struct jackknife *jackknife, size_t figure)
{
    const struct summary summary = summarise_figure(jackknife, figure, as_it_is);

    return fmax(summary.highest, 0) + margin_of(jackknife, &summary, 0.95);
}

double jackknife_lower(const struct jackknife *jackknife, size_t figure)
{
    const struct summary summary = summarise_figure(jackknife, figure, log);

    return exp(summary.lowest - margin_of(jackknife, &summary, 0.95));
}

static int copy_level(void *context, const double *levels, bool all, double *figures,
                      struct error *error)
{
    figures[0] = levels[0];
    return 0;
}

int jackknife_level(const struct repeats *repeats, bool is_difference, struct interval *interval,
                    struct error *error)
{
    struct jackknife jackknife;
    int code = jackknife_make(&jackknife, repeats, 0, 1, 1, copy_level, NULL, error);

    if (code)
        return code;
    *interval = !is_difference && summarise_figure(&jackknife, 0, as_it_is).lowest > 0
                    ? jackknife_positive(&jackknife, 0)
                    : jackknife_interval(&jackknife, 0);
    jackknife_free(&jackknife);
    return 0;
}
