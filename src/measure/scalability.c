#include "measure/scalability.h"

#include <errno.h>
#include <math.h>

enum { TERMS = 3 };

struct law {
    double lambda, sigma, kappa;
};

/* The normal equations of the terms 1, N - 1 and N (N - 1), each times X / N, with target 1, so
 * that the residual is the relative error. */
struct normal_equations {
    double product[TERMS][TERMS], target[TERMS];
};

static void accumulate(struct normal_equations *equations, double n, double x)
{
    const double terms[TERMS] = {x / n, (n - 1) * x / n, (n - 1) * x};

    for (size_t i = 0; i < TERMS; i++) {
        for (size_t j = 0; j < TERMS; j++)
            equations->product[i][j] += terms[i] * terms[j];
        equations->target[i] += terms[i];
    }
}

/* Scale all terms to length 1: between N = 1 and N = 1000 they differ by ten orders of magnitude.
 */
static void scale(struct normal_equations *equations, double *lengths)
{
    for (size_t i = 0; i < TERMS; i++)
        lengths[i] = sqrt(equations->product[i][i]);
    for (size_t i = 0; i < TERMS; i++) {
        for (size_t j = 0; j < TERMS; j++)
            equations->product[i][j] /= lengths[i] * lengths[j];
        equations->target[i] /= lengths[i];
    }
}

/* Solve for the terms in SET by Gauss-Jordan elimination (any pivot is stable for a positive
 * definite matrix); the other terms are 0. Returns false if the terms are linearly dependent. */
static bool solve(const struct normal_equations *equations, unsigned set, double *solution)
{
    struct normal_equations work = *equations;

    for (size_t p = 0; p < TERMS; p++) {
        if (!(set & 1u << p))
            continue;
        if (work.product[p][p] < 1e-12)
            return false;
        for (size_t i = 0; i < TERMS; i++) {
            double factor = work.product[i][p] / work.product[p][p];

            if (i == p || !(set & 1u << i))
                continue;
            for (size_t j = 0; j < TERMS; j++)
                work.product[i][j] -= factor * work.product[p][j];
            work.target[i] -= factor * work.target[p];
        }
    }
    for (size_t i = 0; i < TERMS; i++)
        solution[i] = set & 1u << i ? work.target[i] / work.product[i][i] : 0;
    return true;
}

/* The part of the target's sum of squares that the terms in SET explain, or a negative number if a
 * coefficient is negative. */
static double explained(const struct normal_equations *equations, unsigned set, double *solution)
{
    double sum = 0;

    if (!solve(equations, set, solution))
        return -1;
    for (size_t i = 0; i < TERMS; i++) {
        if (solution[i] < 0)
            return -1;
        sum += solution[i] * equations->target[i];
    }
    return sum;
}

/* Find the nonnegative coefficients that explain most. The optimum is the unconstrained least
 * squares solution for the set of its nonzero terms. A larger set must explain more by a margin
 * above rounding errors. */
static void fit_coefficients(struct normal_equations *equations, double *coefficients)
{
    static const unsigned sets[] = {1, 2, 4, 3, 5, 6, 7};
    double lengths[TERMS], most = 0;

    scale(equations, lengths);
    for (size_t i = 0; i < TERMS; i++)
        coefficients[i] = 0;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        double solution[TERMS], sum = explained(equations, sets[s], solution);

        if (sum <= most * (1 + 1e-13))
            continue;
        most = sum;
        for (size_t i = 0; i < TERMS; i++)
            coefficients[i] = solution[i] / lengths[i];
    }
}

/* Fit LAW to the levels in THROUGHPUT. Returns false if 1 / lambda is 0. */
static bool fit(const struct load_point *points, const double *throughput, size_t count,
                struct law *law)
{
    struct normal_equations equations = {0};
    double coefficients[TERMS];
    bool finite;

    for (size_t i = 0; i < count; i++)
        accumulate(&equations, points[i].concurrency, throughput[i]);
    fit_coefficients(&equations, coefficients);
    finite = coefficients[0] > 0;
    if (!finite) /* a huge but finite lambda keeps the order of the resamples */
        coefficients[0] = 1e-12 * (coefficients[1] + coefficients[2]);
    law->lambda = 1 / coefficients[0];
    law->sigma = coefficients[1] / coefficients[0];
    law->kappa = coefficients[2] / coefficients[0];
    return finite;
}

static double law_throughput(const struct law *law, double n)
{
    return law->lambda * n / (1 + law->sigma * (n - 1) + law->kappa * n * (n - 1));
}

static double peak_concurrency(const struct law *law)
{
    if (law->sigma >= 1)
        return 1;
    return law->kappa > 0 ? fmax(sqrt((1 - law->sigma) / law->kappa), 1) : INFINITY;
}

static double peak_throughput(const struct law *law)
{
    double n = peak_concurrency(law);

    return isinf(n) ? law->lambda / law->sigma : law_throughput(law, n);
}

static void describe_fit(const struct load_point *points, const double *throughput, size_t count,
                         const struct law *law, struct scalability *scalability)
{
    double mean = 0, residuals = 0, total = 0, largest = -1, last = 0;

    for (size_t i = 0; i < count; i++)
        mean += throughput[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double n = points[i].concurrency, fitted = law_throughput(law, n);
        double relative = fabs(throughput[i] / fitted - 1);

        residuals += pow(throughput[i] - fitted, 2);
        total += pow(throughput[i] - mean, 2);
        last = fmax(last, n);
        if (relative > largest) {
            largest = relative;
            scalability->residual_concurrency = n;
        }
    }
    scalability->residual_largest = largest;
    scalability->r_squared = total > 0 ? fmax(1 - residuals / total, 0) : 0;
    scalability->peak_beyond = peak_concurrency(law) > last;
}

/* The interval of a nonnegative, possibly infinite figure, from its inverses. */
static void inverse_interval(const struct levels *levels, const double *inverses,
                             struct interval *interval)
{
    const struct interval inverse = levels_fitted(levels, inverses);

    interval->estimate = 1 / inverse.estimate;
    interval->low = 1 / inverse.high;
    interval->high = 1 / fmax(inverse.low, 0);
}

static void parameter_interval(const struct levels *levels, const double *values,
                               struct interval *interval)
{
    *interval = levels_fitted(levels, values);
    interval->low = fmax(interval->low, 0);
}

/* Judge the lack of fit; needs lambda's interval. */
static void judge_fit(const struct load_point *points, const struct levels *throughput,
                      struct scalability *scalability)
{
    const struct interval *lambda = &scalability->lambda;
    const struct law law = {lambda->estimate, scalability->sigma.estimate,
                            scalability->kappa.estimate};

    scalability->misfit = 0;
    for (size_t i = 0; i < throughput->points; i++) {
        double level = levels_row(throughput, 0)[i];
        double off = fabs(level - law_throughput(&law, points[i].concurrency)) -
                     2 * levels_deviation(throughput, i);

        scalability->misfit = fmax(scalability->misfit, off / level);
    }
    scalability->fits =
        scalability->misfit <=
        fmax(SCALABILITY_RESOLUTION, (lambda->high - lambda->low) / 2 / lambda->estimate);
}

struct rows {
    double lambda[LEVELS_ROWS]; /* inverse */
    double sigma[LEVELS_ROWS], kappa[LEVELS_ROWS];
    double peak_concurrency[LEVELS_ROWS], peak_throughput[LEVELS_ROWS]; /* inverse */
};

static int fit_rows(const struct load_point *points, const struct levels *throughput,
                    struct rows *rows, struct scalability *scalability, struct error *error)
{
    for (size_t row = 0; row < LEVELS_ROWS; row++) {
        const double *levels = levels_row(throughput, row);
        struct law law;
        bool finite = fit(points, levels, throughput->points, &law);

        if (row == 0 && !finite)
            return error_set(error, ERROR_FAILED, -EDOM,
                             "throughput falls faster than the Universal Scalability Law can; "
                             "measure smaller concurrencies, too");
        if (row == 0)
            describe_fit(points, levels, throughput->points, &law, scalability);
        rows->lambda[row] = 1 / law.lambda;
        rows->sigma[row] = law.sigma;
        rows->kappa[row] = law.kappa;
        rows->peak_concurrency[row] = 1 / peak_concurrency(&law);
        rows->peak_throughput[row] = 1 / peak_throughput(&law);
    }
    return 0;
}

int scalability_fit(const struct load_point *points, size_t count, uint64_t seed,
                    struct scalability *scalability, struct error *error)
{
    size_t different = load_point_concurrencies(points, count);
    struct levels levels;
    struct rows rows;
    int code;

    if (different < SCALABILITY_CONCURRENCIES_LEAST)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "the Universal Scalability Law needs points of at least %d concurrencies; "
                         "there are %zu",
                         SCALABILITY_CONCURRENCIES_LEAST, different);
    code = load_point_levels(points, count, seed, &levels, NULL, error);
    if (code)
        return code;
    code = fit_rows(points, &levels, &rows, scalability, error);
    if (code == 0) {
        inverse_interval(&levels, rows.lambda, &scalability->lambda);
        parameter_interval(&levels, rows.sigma, &scalability->sigma);
        parameter_interval(&levels, rows.kappa, &scalability->kappa);
        inverse_interval(&levels, rows.peak_concurrency, &scalability->peak_concurrency);
        inverse_interval(&levels, rows.peak_throughput, &scalability->peak_throughput);
        judge_fit(points, &levels, scalability);
    }
    levels_free(&levels);
    return code;
}
