#include "character/growth.h"

#include <math.h>

const char *const growth_names[GROWTHS] = {"constant",         "logarithmic",       "linear",
                                           "more than linear", "of no simple form", "not clear"};

static double term(enum growth form, double number)
{
    return form == GROWTH_CONSTANT ? 0 : form == GROWTH_LOGARITHMIC ? log(number) : number;
}

static double misfit_of(const struct growth_fit *fit, const double *numbers, const double *costs,
                        size_t count)
{
    double largest = 0;

    for (size_t i = 0; i < count; i++) {
        const double expected = fit->fixed + fit->slope * term(fit->growth, numbers[i]);

        largest = fmax(largest, expected > 0 ? fabs(costs[i] / expected - 1) : INFINITY);
    }
    return largest;
}

/* The weight of a cost is 1 / cost^2. */
void growth_fit_form(struct growth_fit *fit, enum growth form, const double *numbers,
                     const double *costs, size_t count)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, spread;

    for (size_t i = 0; i < count; i++) {
        const double weight = 1 / (costs[i] * costs[i]), x = term(form, numbers[i]);

        w += weight;
        wx += weight * x;
        wy += weight * costs[i];
        wxx += weight * x * x;
        wxy += weight * x * costs[i];
    }
    spread = w * wxx - wx * wx;
    *fit = (struct growth_fit){.growth = form};
    if (spread > 0)
        fit->slope = fmax(0, (w * wxy - wx * wy) / spread);
    fit->fixed = (wy - fit->slope * wx) / w;
    fit->misfit = misfit_of(fit, numbers, costs, count);
}

void growth_fit(struct growth_fit *fit, const double *numbers, const double *costs, size_t count)
{
    struct growth_fit best = {.misfit = INFINITY};

    for (enum growth form = GROWTH_CONSTANT; form < GROWTH_FORMS; form++) {
        growth_fit_form(fit, form, numbers, costs, count);
        if (fit->misfit < GROWTH_MISFIT_LEAST ||
            costs[count - 1] <= (1 + GROWTH_MISFIT_LEAST) * costs[0])
            return;
        if (fit->misfit < best.misfit)
            best = *fit;
    }
    *fit = best;
    if (!(fit->misfit <= GROWTH_MISFIT_MOST))
        fit->growth = GROWTH_OTHER;
}

void growth_fit_total(struct growth_fit *fit, const double *numbers, const double *costs,
                      size_t count)
{
    const double last = costs[count - 1] / numbers[count - 1];
    const double before = costs[count - 2] / numbers[count - 2];

    growth_fit_form(fit, GROWTH_LINEAR, numbers, costs, count);
    if (last > GROWTH_MORE_LEAST * before)
        fit->growth = GROWTH_MORE;
}
