/* The effect of delay, on synthetic measurements with a known answer. */
#include "test.h"

#include <math.h>

#include "experiment/laws/delay.h"

enum { UNITS = 5, LINKS = 4 };

static double typical[LINKS][UNITS], rates[LINKS][UNITS];

/* Fit EFFECT to simulated calls over links with DELAYS, ns, in descending order. IN_FLIGHT calls
 * are in flight. A call takes ROUND_TRIPS round trips and 20 us in the server, which answers one
 * call after the other. The server's time differs between units, by `offsets`, which all links
 * share. In a unit, the typical times over the links also differ by multiples of LINKS_NS. */
static void fit_calls(struct delay_effect *effect, const double delays[LINKS], double round_trips,
                      double in_flight, double links_ns)
{
    static const double offsets[UNITS] = {0, 500, -300, 200, -400};
    struct delay_point points[LINKS];
    struct error error;

    for (size_t i = 0; i < LINKS; i++) {
        for (size_t unit = 0; unit < UNITS; unit++) {
            double own = 20000 + offsets[unit];
            double alone = own + 2 * delays[i] * round_trips;

            typical[i][unit] = alone + links_ns * (double)((unit * 3 + i * 2) % UNITS);
            rates[i][unit] = 1e9 / fmax(alone / in_flight, own);
        }
        points[i] = (struct delay_point){delays[i], {typical[i], UNITS}, {rates[i], UNITS}};
    }
    assert_all((delay_fit(effect, points, LINKS, &error), 0),
               (effect->least_ns, delays[LINKS - 1], 0), (effect->most_ns, delays[0], 0));
}

/* An offset that all links of a unit share does not affect the slope. */
TEST_CASE(round_trips)
{
    const double delays[LINKS] = {200000, 100000, 50000, 0};
    struct delay_effect effect;

    for (unsigned expected = 0; expected <= 2; expected++) {
        fit_calls(&effect, delays, expected, 1, 0);
        assert_near(effect.round_trips.estimate, expected, 1e-9);
        assert_near(effect.round_trips.high, effect.round_trips.low, 1e-9);
    }
    fit_calls(&effect, delays, 1, 1, 1000);
    assert_true(effect.round_trips.low < 1 && effect.round_trips.high > 1);
    assert_true(effect.round_trips.high < 1.01);
}

/* A call of 20 us takes twice as long with a delay of 10 us each way. */
TEST_CASE(half_of_one_call)
{
    const double delays[LINKS] = {200000, 100000, 50000, 0};
    struct delay_effect effect;

    fit_calls(&effect, delays, 1, 1, 0);
    assert_near(effect.half_ns.estimate, 10000, 10);
    assert_true(effect.half_ns.low < 10000 && effect.half_ns.high > 10000);
    assert_true(effect.half_ns.high < 10500);
}

/* With 16 calls in flight, the server is always busy at delays up to 150 us. At longer delays, the
 * rate is 16 calls per round trip. */
TEST_CASE(half_under_load)
{
    const double delays[LINKS] = {800000, 400000, 150000, 0};
    const double short_ones[LINKS] = {300000, 200000, 150000, 0};
    struct delay_effect effect;

    fit_calls(&effect, delays, 1, 16, 0);
    assert_near(effect.half_ns.estimate, (16 * 40000 - 20000) / 2, 1000);
    fit_calls(&effect, short_ones, 1, 16, 0);
    assert_true(isnan(effect.half_ns.estimate));
    fit_calls(&effect, short_ones, 0, 16, 0); /* the delay has no effect */
    assert_true(isnan(effect.half_ns.estimate));
}

TEST_CASE(one_delay)
{
    static const double value = 1;
    struct delay_point points[2] = {{7, {&value, 1}, {&value, 1}}, {7, {&value, 1}, {&value, 1}}};
    struct delay_effect effect;
    struct error error;

    assert_int_equal(delay_fit(&effect, points, 2, &error), -EINVAL);
    assert_int_equal(delay_fit(&effect, points, 1, &error), -EINVAL);
}
