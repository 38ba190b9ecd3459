#include "measure/statistics/estimate.h"

#include <math.h>

static double away_from_zero(double value)
{
    return fabs(value) < 1e-300 ? 1e-300 : value;
}

/* Return coefficient I, from 1, of the incomplete beta function's continued fraction 1 / (1 + d1 /
 * (1 + d2 / (1 + ... (Abramowitz and Stegun, 26.5.8). */
static double coefficient(double a, double b, double x, unsigned i)
{
    const unsigned half = i / 2;
    const double m = half;

    if (i % 2)
        return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* Evaluate the continued fraction of coefficient() forwards, by Lentz's method. It converges
 * quickly for X below (A + 1) / (A + B + 2). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 0, denominator = 1;

    for (unsigned i = 1; i < 10000; i++) {
        double next = coefficient(a, b, x, i);

        d = 1 / away_from_zero(1 + next * d);
        c = away_from_zero(1 + next / c);
        denominator *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return 1 / denominator;
}

static double log_gamma(double x)
{
    int sign; /* lgamma() would store the sign in a global variable, which is not thread-safe */

    return lgamma_r(x, &sign);
}

/* Return the incomplete beta function I_x(a, b). Y is 1 - X, without rounding error. */
static double incomplete_beta(double a, double b, double x, double y)
{
    double front;

    if (x <= 0 || y <= 0)
        return y <= 0;
    front = exp(a * log(x) + b * log(y) + log_gamma(a + b) - log_gamma(a) - log_gamma(b));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double student_p(double t, double degrees)
{
    if (isinf(degrees) || degrees > 1e7)
        return erfc(fabs(t) / sqrt(2));
    if (isinf(t))
        return 0;
    return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t),
                           t * t / (degrees + t * t));
}

double student_quantile(double probability, double degrees)
{
    const double p = 2 * (1 - probability);
    double low = 0, high = 13;

    while (student_p(high, degrees) > p)
        high *= 2;
    for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
        double middle = (low + high) / 2;

        if (student_p(middle, degrees) > p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double student_975(double degrees)
{
    return student_quantile(0.975, degrees);
}
