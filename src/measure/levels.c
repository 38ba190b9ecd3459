#include "measure/levels.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "measure/estimate.h"

/* The repeats of all points, as levels_resample() has them. */
struct source {
    const struct repeats *first;
    size_t stride, points;
};

static const struct repeats *repeats_of(const struct source *source, size_t point)
{
    return (const void *)((const char *)source->first + point * source->stride);
}

static int check(const struct source *source, struct error *error)
{
    if (source->points == 0)
        return error_set(error, ERROR_FAILED, -EINVAL, "there are no points to resample");
    for (size_t i = 0; i < source->points; i++) {
        const struct repeats *repeats = repeats_of(source, i);

        if (repeats->count == 0)
            return error_set(error, ERROR_FAILED, -EINVAL, "point %zu was not measured", i + 1);
        for (size_t k = 0; k < repeats->count; k++)
            if (!isfinite(repeats->values[k]))
                return error_set(error, ERROR_FAILED, -EINVAL,
                                 "repeat %zu of point %zu is not a number", k + 1, i + 1);
    }
    return 0;
}

static double widening(const struct source *source)
{
    size_t degrees = 0;
    bool has_two = false;

    for (size_t i = 0; i < source->points; i++) {
        degrees += repeats_of(source, i)->count - 1;
        has_two = has_two || repeats_of(source, i)->count == 2;
    }
    if (degrees == 0)
        return 1;
    return student_975((double)degrees) / student_975(INFINITY) * (has_two ? sqrt(2) : 1);
}

static size_t most_repeats(const struct source *source)
{
    size_t most = 0;

    for (size_t i = 0; i < source->points; i++)
        most = repeats_of(source, i)->count > most ? repeats_of(source, i)->count : most;
    return most;
}

/* The median of as many values as REPEATS has, drawn with replacement. */
static double drawn_median(const struct repeats *repeats, struct random *random, double *drawn)
{
    for (size_t i = 0; i < repeats->count; i++)
        drawn[i] = repeats->values[random_below(random, (uint32_t)repeats->count)];
    return estimate_median(drawn, repeats->count);
}

static void fill(struct levels *levels, const struct source *source, uint64_t seed, double *scratch)
{
    double *row = levels->values;
    struct random random;

    random_seed(&random, seed);
    for (size_t i = 0; i < levels->points; i++) {
        const struct repeats *repeats = repeats_of(source, i);

        memcpy(scratch, repeats->values, repeats->count * sizeof *scratch);
        row[i] = estimate_median(scratch, repeats->count);
    }
    for (size_t r = 1; r < LEVELS_ROWS; r++) {
        row += levels->points;
        for (size_t i = 0; i < levels->points; i++)
            row[i] = drawn_median(repeats_of(source, i), &random, scratch);
    }
}

int levels_resample(struct levels *levels, const struct repeats *repeats, size_t stride,
                    size_t points, uint64_t seed, struct error *error)
{
    const struct source source = {repeats, stride, points};
    double *scratch;
    int code = check(&source, error);

    if (code)
        return code;
    levels->points = points;
    levels->widen = widening(&source);
    levels->values = calloc(points, LEVELS_ROWS * sizeof *levels->values);
    scratch = calloc(most_repeats(&source), sizeof *scratch);
    if (levels->values && scratch) {
        fill(levels, &source, seed, scratch);
    } else {
        code = error_set(error, ERROR_FAILED, -ENOMEM,
                         "out of memory for a bootstrap of %zu points", points);
        levels_free(levels);
    }
    free(scratch);
    return code;
}

void levels_free(struct levels *levels)
{
    free(levels->values);
    levels->values = NULL;
}

const double *levels_row(const struct levels *levels, size_t row)
{
    return levels->values + row * levels->points;
}

struct interval levels_fitted(const struct levels *levels, const double *values)
{
    struct replicates replicates = {.estimate = values[0], .widen = levels->widen};
    struct interval interval;

    memcpy(replicates.values, values + 1, sizeof replicates.values);
    estimate_interval(&replicates, &interval);
    return interval;
}

double levels_deviation(const struct levels *levels, size_t point)
{
    double level = levels_row(levels, 0)[point], squares = 0;

    for (size_t row = 1; row < LEVELS_ROWS; row++)
        squares += pow(levels_row(levels, row)[point] - level, 2);
    return levels->widen * sqrt(squares / ESTIMATE_REPLICATES);
}

int levels_interval(const struct repeats *repeats, uint64_t seed, struct interval *interval,
                    struct error *error)
{
    struct levels levels;
    int code = levels_resample(&levels, repeats, 0, 1, seed, error);

    if (code)
        return code;
    *interval = levels_fitted(&levels, levels.values);
    levels_free(&levels);
    return 0;
}
