#include "experiment/laws/scalability.h"

#include <errno.h>
#include <math.h>

enum { TERMS = 3 };

/* 1 / lambda, sigma / lambda and kappa / lambda. BOUND: fitted under the constraint that all are at
 * least 0. UNBOUND: fitted without this constraint, or equal to BOUND if that fit fails or its
 * 1 / lambda is not above 0. */
struct coefficients {
    double bound[TERMS], unbound[TERMS];
};

/* Normal equations of the terms 1, N - 1 and N (N - 1), each multiplied by X / N. The target is 1,
 * so residuals are relative errors. */
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

/* Scale all terms to length 1, because from N = 1 to N = 1000 they differ by ten orders of
 * magnitude. Sets LENGTHS to the earlier lengths. */
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

/* Solve for the terms in SET by Gauss-Jordan elimination; the other terms are 0. Any pivot is
 * stable for a positive definite matrix. Returns false if the terms are linearly dependent. */
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

/* Return how much of the target's sum of squares the terms in SET explain; -1 if the terms are
 * linearly dependent, or if a coefficient in SOLUTION is negative. */
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

/* Set FOUND, and scale EQUATIONS. BOUND: the nonnegative coefficients that explain most; all sets
 * of nonzero terms are tried, and in a set the unconstrained least squares solution is best. A
 * later set must explain more by a margin above rounding errors. */
static void fit_coefficients(struct normal_equations *equations, struct coefficients *found)
{
    static const unsigned sets[] = {1, 2, 4, 3, 5, 6, 7};
    double lengths[TERMS], solution[TERMS], most = 0;

    scale(equations, lengths);
    *found = (struct coefficients){0};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        double sum = explained(equations, sets[s], solution);

        if (sum <= most * (1 + 1e-13))
            continue;
        most = sum;
        for (size_t i = 0; i < TERMS; i++)
            found->bound[i] = solution[i] / lengths[i];
    }
    if (solve(equations, sets[sizeof sets / sizeof *sets - 1], solution) && solution[0] > 0)
        for (size_t i = 0; i < TERMS; i++)
            found->unbound[i] = solution[i] / lengths[i];
    else
        for (size_t i = 0; i < TERMS; i++)
            found->unbound[i] = found->bound[i];
}

/* Return N / X(N). */
static double law_time(const double coefficients[TERMS], double n)
{
    return coefficients[0] + coefficients[1] * (n - 1) + coefficients[2] * n * (n - 1);
}

/* Return 1 / N^2 for the N (at least 1) at the peak of X(N); 0 or less if there is no peak. */
static double peak_place(const double coefficients[TERMS])
{
    double rest = coefficients[0] - coefficients[1];

    return rest > 0 ? fmin(coefficients[2] / rest, 1) : 1;
}

static double concurrency_at(double place)
{
    if (isnan(place)) /* the end of an interval is NAN if the noise is unknown */
        return NAN;
    return place > 0 ? fmax(1 / sqrt(place), 1) : INFINITY;
}

/* Return 1 / X(N) at the peak; without a peak, the limit of 1 / X(N). */
static double peak_time(const double coefficients[TERMS])
{
    double n = concurrency_at(peak_place(coefficients));

    return isinf(n) ? coefficients[1] : law_time(coefficients, n) / n;
}

enum {
    LAMBDA_INVERSE,
    SIGMA,
    KAPPA,
    PLACE,
    PEAK_TIME,
    UNBOUND_SIGMA, /* SIGMA for coefficients without the constraint */
    UNBOUND_KAPPA,
    UNBOUND_PLACE,
    RESIDUALS, /* measured X / X(N) - 1 of each point */
};

struct points {
    const struct load_point *points;
    size_t count;
};

static int fit_law(void *context, const double *levels, bool all, double *figures,
                   struct error *error)
{
    const struct points *points = context;
    struct normal_equations equations = {0};
    struct coefficients found;

    for (size_t i = 0; i < points->count; i++)
        accumulate(&equations, points->points[i].concurrency, levels[i]);
    fit_coefficients(&equations, &found);
    if (all && found.bound[0] <= 0)
        return error_set(error, ERROR_FAILED, -EDOM,
                         "throughput falls faster with load than the Universal Scalability Law "
                         "allows; measure smaller concurrencies, too");
    if (found.bound[0] <= 0) /* a fit that leaves one unit out (not ALL) may find an infinite
                                lambda: make it finite */
        found.bound[0] = found.unbound[0] = 1e-12 * (found.bound[1] + found.bound[2]);
    figures[LAMBDA_INVERSE] = found.bound[0];
    figures[SIGMA] = found.bound[1] / found.bound[0];
    figures[KAPPA] = found.bound[2] / found.bound[0];
    figures[PLACE] = peak_place(found.bound);
    figures[PEAK_TIME] = peak_time(found.bound);
    figures[UNBOUND_SIGMA] = found.unbound[1] / found.unbound[0];
    figures[UNBOUND_KAPPA] = found.unbound[2] / found.unbound[0];
    figures[UNBOUND_PLACE] = peak_place(found.unbound);
    for (size_t i = 0; i < points->count; i++) {
        double n = points->points[i].concurrency;

        figures[RESIDUALS + i] = levels[i] * law_time(found.bound, n) / n - 1;
    }
    return 0;
}

static struct interval inverse_of(struct interval inverse)
{
    const double low = inverse.low < 0 ? 0 : inverse.low;

    return (struct interval){1 / inverse.estimate, 1 / inverse.high, 1 / low};
}

static double last_concurrency(const struct points *points)
{
    double last = 0;

    for (size_t i = 0; i < points->count; i++)
        last = fmax(last, points->points[i].concurrency);
    return last;
}

static void describe_peak(const struct points *points, const struct jackknife *jackknife,
                          struct scalability *scalability)
{
    const struct interval place = jackknife_bounded(jackknife, PLACE, UNBOUND_PLACE);
    struct interval *peak = &scalability->peak_concurrency;

    *peak = (struct interval){concurrency_at(place.estimate), concurrency_at(place.high),
                              concurrency_at(place.low)};
    scalability->peak_throughput = inverse_of(jackknife_bounded(jackknife, PEAK_TIME, PEAK_TIME));
    if (place.low <= 0) /* there may be no peak: X(N) may still grow beyond the points */
        scalability->peak_throughput =
            (struct interval){scalability->peak_throughput.estimate,
                              1 / jackknife_upper(jackknife, PEAK_TIME), INFINITY};
    scalability->peak_beyond = peak->estimate > last_concurrency(points);
    if (scalability->peak_beyond)
        *peak = (struct interval){
            INFINITY, fmin(concurrency_at(jackknife_upper(jackknife, UNBOUND_PLACE)), peak->low),
            INFINITY};
}

static void describe_fit(const struct points *points, const struct jackknife *jackknife,
                         struct scalability *scalability)
{
    double mean = 0, residuals = 0, total = 0;

    scalability->residual_largest = -1;
    scalability->misfit = 0;
    for (size_t i = 0; i < points->count; i++)
        mean += repeats_mean(&points->points[i].throughput) / (double)points->count;
    for (size_t i = 0; i < points->count; i++) {
        double level = repeats_mean(&points->points[i].throughput);
        double off = jackknife->rows[RESIDUALS + i], fitted = level / (1 + off);

        residuals += pow(level - fitted, 2);
        total += pow(level - mean, 2);
        scalability->misfit =
            fmax(scalability->misfit, fabs(off) - 2 * jackknife_error(jackknife, RESIDUALS + i));
        if (fabs(off) > scalability->residual_largest) {
            scalability->residual_largest = fabs(off);
            scalability->residual_concurrency = points->points[i].concurrency;
        }
    }
    scalability->r_squared = total > 0 ? fmax(1 - residuals / total, 0) : 0;
}

static void judge_fit(const struct points *points, struct scalability *scalability)
{
    const struct interval *lambda = &scalability->lambda;
    double noise = interval_half_width(lambda) / lambda->estimate;

    scalability->denies_growth =
        !scalability->peak_beyond && load_points_grow(points->points, points->count);
    scalability->fits =
        !scalability->denies_growth && scalability->residual_largest <= SCALABILITY_OFF_MOST &&
        scalability->misfit <= fmin(fmax(SCALABILITY_RESOLUTION, noise), SCALABILITY_MISFIT_MOST);
}

int scalability_fit(const struct load_point *points, size_t count, struct scalability *scalability,
                    struct error *error)
{
    struct points all = {points, count};
    size_t different = load_point_concurrencies(points, count);
    struct jackknife jackknife;
    int code;

    if (different < SCALABILITY_CONCURRENCIES_LEAST)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "the Universal Scalability Law needs points of at least %d concurrencies; "
                         "there are %zu",
                         SCALABILITY_CONCURRENCIES_LEAST, different);
    code = load_points_check(points, count, error);
    if (code == 0)
        code = jackknife_make(&jackknife, &points->throughput, sizeof *points, count,
                              RESIDUALS + count, fit_law, &all, error);
    if (code)
        return code;
    scalability->lambda = inverse_of(jackknife_positive(&jackknife, LAMBDA_INVERSE));
    scalability->sigma = jackknife_bounded(&jackknife, SIGMA, UNBOUND_SIGMA);
    scalability->kappa = jackknife_bounded(&jackknife, KAPPA, UNBOUND_KAPPA);
    describe_peak(&all, &jackknife, scalability);
    describe_fit(&all, &jackknife, scalability);
    judge_fit(&all, scalability);
    jackknife_free(&jackknife);
    return 0;
}
