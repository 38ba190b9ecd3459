/* Simulations whose true values are known: random numbers, and whether intervals cover a value. */
#pragma once

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "measure/statistics/estimate.h"
#include "test.h"

/* Return the test program's only generator, seeded with SEED. */
static inline gsl_rng *seeded(unsigned long seed)
{
    static gsl_rng *rng;

    rng = rng ? rng : gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    return rng;
}

static inline bool covers(const struct interval *interval, double value)
{
    return interval->low <= value && value <= interval->high;
}

/* Define a function NAME of the number OF that returns EXPRESSION. */
#define CURVE(name, of, expression)                                                                \
    static double name(double of)                                                                  \
    {                                                                                              \
        return expression;                                                                         \
    }
