#include "measure/think.h"

const double think_probabilities[THINK_QUANTILES] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.99};

double think_draw_ns(const struct think *think, struct random *random)
{
    const double *at = think_probabilities;
    double u = (double)(random_next(random) >> 11) * 0x1p-53;
    size_t i = 1;

    if (u <= at[0])
        return think->ns[0];
    if (u >= at[THINK_QUANTILES - 1])
        return think->ns[THINK_QUANTILES - 1];
    while (at[i] < u)
        i++;
    return think->ns[i - 1] +
           (think->ns[i] - think->ns[i - 1]) * (u - at[i - 1]) / (at[i] - at[i - 1]);
}

size_t think_draw_calls(const struct think *think, struct random *random)
{
    size_t whole = (size_t)think->calls;

    return whole + random_chance(random, think->calls - (double)whole);
}
