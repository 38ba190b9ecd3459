#include "measure/arrivals.h"

#include <math.h>

const char *const arrivals_names[] = {[ARRIVALS_CONSTANT] = "constant",
                                      [ARRIVALS_POISSON] = "poisson",
                                      [ARRIVALS_COURSE] = "captured",
                                      NULL};

void arrivals_begin(struct arrivals *arrivals, enum arrivals_kind kind, double gap, double first,
                    uint64_t seed)
{
    *arrivals = (struct arrivals){.kind = kind, .gap = gap, .first = first};
    random_seed(&arrivals->random, seed);
}

static double exponential(struct random *random)
{
    return -log(random_uniform(random));
}

void arrivals_begin_course(struct arrivals *arrivals, const struct arrivals_course *course,
                           double gap, uint64_t seed)
{
    double calls = 0;

    *arrivals = (struct arrivals){.kind = ARRIVALS_COURSE, .course = course};
    for (size_t i = 0; i < course->count; i++)
        calls += course->calls[i];
    arrivals->unit = gap * calls / course->span;
    random_seed(&arrivals->random, seed);
}

/* Draw a gamma variable with the shape SHAPE (1 or more) and the scale 1 (Marsaglia and Tsang, "A
 * Simple Method for Generating Gamma Variables", ACM TOMS 26, 2000). */
static double gamma_variable(struct random *random, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v;

    do {
        x = random_normal(random);
        v = 1 + c * x;
        v = v * v * v;
    } while (v <= 0 || -exponential(random) >= x * x / 2 + d - d * v + d * log(v));
    return d * v;
}

/* Draw a gap with a mean of 1 from a gamma distribution of shape 1 / BURSTINESS^2. A BURSTINESS
 * below 0.01 counts as 0: every gap is 1. If the shape is below 1, the gap is derived from a gamma
 * variable of shape + 1. */
static double draw_gap(struct random *random, double burstiness)
{
    double shape = 1 / (burstiness * burstiness);

    if (burstiness < 0.01)
        return 1;
    if (shape >= 1)
        return gamma_variable(random, shape) / shape;
    return gamma_variable(random, shape + 1) * pow(random_uniform(random), 1 / shape) / shape;
}

/* Return the time of the next arrival. Arrivals are drawn at a rate of 1 and then mapped to time,
 * so that each interval of the course has, on average, as many arrivals as calls[] says. */
static double next_of_course(struct arrivals *arrivals)
{
    const struct arrivals_course *course = arrivals->course;
    double part;

    arrivals->passed += draw_gap(&arrivals->random, course->burstiness);
    while (arrivals->passed >= arrivals->before + course->calls[arrivals->interval]) {
        arrivals->before += course->calls[arrivals->interval++];
        if (arrivals->interval < course->count)
            continue;
        arrivals->passed -= arrivals->before;
        arrivals->before = 0;
        arrivals->interval = 0;
        arrivals->courses++;
    }
    part = (arrivals->passed - arrivals->before) / course->calls[arrivals->interval];
    if (arrivals->interval == course->count - 1)
        part *= course->span - (double)arrivals->interval;
    return ((double)arrivals->courses * course->span + (double)arrivals->interval + part) *
           arrivals->unit;
}

double arrivals_next(struct arrivals *arrivals)
{
    uint64_t whole;

    if (arrivals->kind == ARRIVALS_COURSE)
        return next_of_course(arrivals);
    if (arrivals->kind == ARRIVALS_CONSTANT)
        return arrivals->first + (double)arrivals->count++ * arrivals->gap;
    arrivals->fraction += arrivals->gap * exponential(&arrivals->random);
    whole = (uint64_t)arrivals->fraction;
    arrivals->whole += whole;
    arrivals->fraction -= (double)whole;
    return (double)arrivals->whole + arrivals->fraction;
}

double arrivals_share_reached(enum arrivals_kind kind, double rate, double seen, uint64_t calls)
{
    double chance;

    if (kind == ARRIVALS_COURSE)
        return 1;
    chance = kind == ARRIVALS_POISSON && calls > 0 ? 2 / sqrt((double)calls) : 0;

    return seen / rate * (1 + chance);
}

double arrivals_share_answered(double rate, double in_flight, double median_ns)
{
    return in_flight * 1e9 / (median_ns * rate);
}

const double think_probabilities[THINK_QUANTILES] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.99};

double think_draw_ns(const struct think *think, struct random *random)
{
    const double *at = think_probabilities;
    double u = random_uniform(random);
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

double think_mean_ns(const struct think *think)
{
    const double *at = think_probabilities;
    double mean =
        at[0] * think->ns[0] + (1 - at[THINK_QUANTILES - 1]) * think->ns[THINK_QUANTILES - 1];

    for (size_t i = 1; i < THINK_QUANTILES; i++)
        mean += (at[i] - at[i - 1]) * (think->ns[i - 1] + think->ns[i]) / 2;
    return mean;
}

size_t think_draw_calls(const struct think *think, struct random *random)
{
    size_t whole = (size_t)think->calls;

    return whole + random_chance(random, think->calls - (double)whole);
}
