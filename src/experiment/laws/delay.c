#include "experiment/laws/delay.h"

#include <errno.h>
#include <math.h>

/* Multiple of the longest delay that stands for "never", because figures must be finite. */
enum { NEVER = 1000 };

struct fit {
    const struct delay_point *points;
    size_t count;
};

static int fit_round_trips(void *context, const double *typical, bool all, double *figures,
                           struct error *error)
{
    const struct fit *fit = context;
    double x = 0, xx = 0, xy = 0;

    for (size_t i = 0; i < fit->count; i++)
        x += fit->points[i].one_way_ns / (double)fit->count;
    for (size_t i = 0; i < fit->count; i++) {
        double from_mean = fit->points[i].one_way_ns - x;

        xx += from_mean * from_mean;
        xy += from_mean * typical[i];
    }
    figures[0] = xy / xx / 2;
    return 0;
}

/* Find the smallest delay at which the time between calls is twice as long as over the first link.
 * Beyond the last link, the line through the last two links is extended, so that all fits have a
 * figure. */
static int fit_half(void *context, const double *rates, bool all, double *figures,
                    struct error *error)
{
    const struct fit *fit = context;
    const struct delay_point *point = &fit->points[1], *last = &fit->points[fit->count - 1];
    const double *rate = &rates[1];
    double grown;

    for (; point<last && * rate> rates[0] / 2; point++)
        rate++;
    grown = 1 / rate[0] - 1 / rate[-1];
    figures[0] = NEVER * last->one_way_ns;
    if (grown > 0)
        figures[0] =
            fmin(figures[0], point[-1].one_way_ns + (2 / rates[0] - 1 / rate[-1]) / grown *
                                                        (point->one_way_ns - point[-1].one_way_ns));
    return 0;
}

int delay_fit(struct delay_effect *effect, struct delay_point *points, size_t count,
              struct error *error)
{
    struct fit fit = {points, count};
    struct jackknife jackknife;
    int code;

    estimate_sort_by_first(points, count, sizeof *points);
    for (size_t i = 1; i < count; i++)
        if (!(points[i - 1].one_way_ns < points[i].one_way_ns))
            return error_set(error, ERROR_FAILED, -EINVAL, "two links have the same delay");
    if (count < 2)
        return error_set(error, ERROR_FAILED, -EINVAL, "only one link was measured");
    *effect = (struct delay_effect){.least_ns = points[0].one_way_ns,
                                    .most_ns = points[count - 1].one_way_ns};
    code = jackknife_make(&jackknife, &points->typical, sizeof *points, count, 1, fit_round_trips,
                          &fit, error);
    if (code)
        return code;
    effect->round_trips = jackknife_interval(&jackknife, 0);
    jackknife_free(&jackknife);
    code =
        jackknife_make(&jackknife, &points->rate, sizeof *points, count, 1, fit_half, &fit, error);
    if (code)
        return code;
    effect->half_ns = jackknife_positive(&jackknife, 0);
    jackknife_free(&jackknife);
    effect->half_ns.high = fmin(effect->half_ns.high, NEVER * effect->most_ns);
    if (effect->half_ns.estimate > effect->most_ns)
        effect->half_ns = (struct interval){NAN, NAN, NAN};
    return 0;
}
