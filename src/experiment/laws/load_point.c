#include "experiment/laws/load_point.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "experiment/laws/bottleneck.h"

static bool all_positive(const struct repeats *repeats)
{
    for (size_t i = 0; i < repeats->count; i++)
        if (!isfinite(repeats->values[i]) || repeats->values[i] <= 0)
            return false;
    return repeats->count > 0;
}

static int check_point(const struct load_point *point, struct error *error)
{
    if (!isfinite(point->concurrency) || point->concurrency < 1)
        return error_set(error, ERROR_FAILED, -EINVAL, "concurrency %g is below 1",
                         point->concurrency);
    if (point->throughput.count != point->response_ns.count)
        return error_set(error, ERROR_FAILED, -EINVAL,
                         "at concurrency %g there are %zu throughputs for %zu response times",
                         point->concurrency, point->throughput.count, point->response_ns.count);
    if (point->turn_around_ns.count && point->turn_around_ns.count != point->throughput.count)
        return error_set(error, ERROR_FAILED, -EINVAL,
                         "at concurrency %g there are %zu throughputs for %zu turn-arounds",
                         point->concurrency, point->throughput.count, point->turn_around_ns.count);
    if (!all_positive(&point->throughput) || !all_positive(&point->response_ns))
        return error_set(
            error, ERROR_FAILED, -EINVAL,
            "at concurrency %g a throughput or response time is missing or not above 0",
            point->concurrency);
    return 0;
}

int load_points_check(const struct load_point *points, size_t count, struct error *error)
{
    int code = 0;

    for (size_t i = 0; code == 0 && i < count; i++)
        code = check_point(&points[i], error);
    return code;
}

size_t load_point_concurrencies(const struct load_point *points, size_t count)
{
    size_t different = 0;

    for (size_t i = 0; i < count; i++) {
        size_t before = 0;

        while (before < i && points[before].concurrency != points[i].concurrency)
            before++;
        different += before == i;
    }
    return different;
}

/* Little's law */

const char *const little_verdict_names[] = {"holds", "below", "above", "unknown", NULL};

static enum little_verdict little_verdict_of(const struct interval *discrepancy, size_t repeats)
{
    if (fabs(discrepancy->estimate) <= LITTLE_TOLERANCE)
        return LITTLE_HOLDS;
    if (repeats < 2)
        return LITTLE_UNKNOWN;
    if (discrepancy->low <= 0 && 0 <= discrepancy->high)
        return LITTLE_HOLDS;
    return discrepancy->estimate < 0 ? LITTLE_BELOW : LITTLE_ABOVE;
}

int load_point_little(const struct load_point *point, struct little *little, struct error *error)
{
    struct repeats repeats = {.count = point->throughput.count};
    int code = check_point(point, error);
    double *values;

    if (code)
        return code;
    values = calloc(repeats.count, sizeof *values);
    if (!values)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for Little's law");
    for (size_t i = 0; i < repeats.count; i++) {
        double turn = point->turn_around_ns.count ? point->turn_around_ns.values[i] : 0;
        double cycle_s = (point->response_ns.values[i] + turn) / 1e9;

        values[i] = point->throughput.values[i] * cycle_s / point->concurrency;
    }
    repeats.values = values;
    code = jackknife_level(&repeats, false, &little->discrepancy, error);
    if (code == 0) {
        little->discrepancy.estimate--;
        little->discrepancy.low--;
        little->discrepancy.high--;
        little->verdict = little_verdict_of(&little->discrepancy, repeats.count);
    }
    free(values);
    return code;
}

/* The knee */

static double throughput_of(const struct load_point *point)
{
    return repeats_mean(&point->throughput);
}

/* Return the point with the largest concurrency below LIMIT; NULL if there is none. Of several
 * points with this concurrency, return the point with the highest throughput. */
static const struct load_point *last_below(const struct load_point *points, size_t count,
                                           double limit)
{
    const struct load_point *last = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct load_point *point = &points[i];

        if (point->concurrency < limit && (!last || point->concurrency > last->concurrency ||
                                           (point->concurrency == last->concurrency &&
                                            throughput_of(point) > throughput_of(last))))
            last = point;
    }
    return last;
}

bool load_points_grow(const struct load_point *points, size_t count)
{
    const struct load_point *last = last_below(points, count, INFINITY);
    const struct load_point *before = last_below(points, count, last->concurrency);

    return bottleneck_gain(before->concurrency, throughput_of(before), last->concurrency,
                           throughput_of(last)) > KNEE_ELASTICITY_LEVEL;
}

enum { HIGHEST, SHORTEST, PRODUCT, KNEE_FIGURES };

static int fit_knee(void *context, const double *levels, bool all, double *figures,
                    struct error *error)
{
    figures[HIGHEST] = levels[HIGHEST];
    figures[SHORTEST] = levels[SHORTEST];
    figures[PRODUCT] = levels[HIGHEST] * (levels[SHORTEST] / 1e9);
    return 0;
}

static void describe_knee(const struct jackknife *jackknife, struct knee *knee)
{
    knee->throughput_maximum = jackknife_positive(jackknife, HIGHEST);
    knee->response_minimum = jackknife_positive(jackknife, SHORTEST);
    knee->concurrency = jackknife_positive(jackknife, PRODUCT);
    if (knee->lower_bound) {
        knee->concurrency.low = jackknife_lower(jackknife, PRODUCT);
        knee->concurrency.high = INFINITY;
    }
}

int load_point_knee(const struct load_point *points, size_t count, struct knee *knee,
                    struct error *error)
{
    const struct load_point *best = points, *quickest = points;
    struct jackknife jackknife;
    int code;

    if (load_point_concurrencies(points, count) < 2)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "a knee needs points of at least 2 concurrencies");
    code = load_points_check(points, count, error);
    if (code)
        return code;
    for (size_t i = 1; i < count; i++) {
        if (throughput_of(&points[i]) > throughput_of(best))
            best = &points[i];
        if (repeats_mean(&points[i].response_ns) < repeats_mean(&quickest->response_ns))
            quickest = &points[i];
    }
    code = jackknife_make(&jackknife,
                          (const struct repeats[]){best->throughput, quickest->response_ns},
                          sizeof(struct repeats), 2, KNEE_FIGURES, fit_knee, NULL, error);
    if (code)
        return code;
    knee->lower_bound = load_points_grow(points, count);
    describe_knee(&jackknife, knee);
    jackknife_free(&jackknife);
    return 0;
}
