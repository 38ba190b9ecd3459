/* Over how many rounds the rounds of a run depend on each other. */
#include <math.h>
#include <stdlib.h>

#include "measure/estimate.h"

/* Pearson's correlation coefficient of X[0..n) and Y[0..n). */
static double correlation(const double *x, const double *y, size_t n)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double dx = x[i] - mean_x, dy = y[i] - mean_y;

        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

double estimate_autocorrelation(const double *values, size_t n)
{
    double *ranks, rho;

    if (n < 4)
        return 0;
    ranks = estimate_ranks(values, n);
    if (!ranks)
        return 0;
    rho = correlation(ranks, ranks + 1, n - 1);
    free(ranks);
    return rho;
}

/* The block length that the lag-1 autocorrelation requires. */
static size_t length_by_neighbours(const double *values, size_t n)
{
    double rho = estimate_autocorrelation(values, n);
    double length;

    if (rho < 1.96 / sqrt((double)n))
        return 1;
    if (rho > 0.99)
        rho = 0.99;
    length = 2 * cbrt(1.5 * (double)n) * pow(2 * rho / (1 - rho * rho), 2.0 / 3);
    return (size_t)fmin(fmax(round(length), 2), (double)n / 4);
}

/* The variance of the means of LENGTH successive ranks, divided by what it would be if the ranks
 * were independent. RANKS wraps around, as it does in the circular bootstrap. */
static double variance_ratio(const double *ranks, size_t n, size_t length)
{
    const double mean = (double)(n - 1) / 2;
    double sum = 0, of_sums = 0, of_ranks = 0;

    for (size_t i = 0; i < length; i++)
        sum += ranks[i] - mean;
    for (size_t i = 0; i < n; i++) {
        of_sums += sum * sum;
        of_ranks += (ranks[i] - mean) * (ranks[i] - mean);
        sum += ranks[i + length < n ? i + length : i + length - n] - ranks[i];
    }
    return of_ranks > 0 ? of_sums / of_ranks / (double)length : 1;
}

/* Try lengths from LENGTH on, each 1.5 times the one before: returns the last at which the variance
 * ratio grew by more than chance explains, or LENGTH if there is none. */
static size_t last_growth(const double *ranks, size_t n, size_t length)
{
    double reached = variance_ratio(ranks, n, length);

    for (double next = fmax(4, 1.5 * (double)length); next <= (double)n / 4; next *= 1.5) {
        double ratio = variance_ratio(ranks, n, (size_t)next);

        if (ratio / reached > 1 + 2 * sqrt(4 * floor(next) / (3 * (double)n))) {
            length = (size_t)next;
            reached = ratio;
        }
    }
    return length;
}

size_t estimate_block_length(const double *values, size_t n)
{
    size_t length, slow;
    double *ranks;

    if (n < 8)
        return 1;
    length = length_by_neighbours(values, n);
    ranks = estimate_ranks(values, n);
    if (!ranks)
        return length;
    slow = last_growth(ranks, n, length);
    free(ranks);
    return slow == length ? length : 2 * slow < n / 4 ? 2 * slow : n / 4;
}
