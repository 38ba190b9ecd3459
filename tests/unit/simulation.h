/* Simulations, whose answers are known: their random numbers, and what intervals cover. */
#pragma once

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "measure/statistics/estimate.h"
#include "test.h"

/* The one generator of a test program, which begins anew with SEED. */
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

/* NAME is a function of OF, a number, which is EXPRESSION. */
#define CURVE(name, of, expression)                                                                \
    static double name(double of)                                                                  \
    {                                                                                              \
        return expression;                                                                         \
    }
