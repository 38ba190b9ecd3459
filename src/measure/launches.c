#include "measure/launches.h"

#include <math.h>

#include "measure/estimate.h"

/* Independent units */

static bool is_first_of_server(const struct launch *launches, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (launches[j].server == launches[i].server)
            return false;
    return true;
}

static size_t count_servers(const struct launch *launches, size_t n)
{
    size_t servers = 0;

    for (size_t i = 0; i < n; i++)
        servers += is_first_of_server(launches, i);
    return servers;
}

/* The sum of the estimates of all launches on launch I's server process, and their NUMBER. */
static double sum_of_server(const struct launch *launches, size_t n, size_t i, size_t *number)
{
    double sum = 0;

    *number = 0;
    for (size_t j = 0; j < n; j++) {
        if (launches[j].server != launches[i].server)
            continue;
        sum += launches[j].estimate;
        ++*number;
    }
    return sum;
}

enum launches_scope launches_scope(const struct launch *launches, size_t n)
{
    if (n < 2)
        return LAUNCHES_CONNECTION;
    return count_servers(launches, n) < 2 ? LAUNCHES_SERVER : LAUNCHES_PROGRAM;
}

/* The mean of the units, with its precision. */
struct mean {
    size_t units;
    double mean;
    double deviation; /* of the units; 0 for one */
    double within;    /* standard error of the mean from the rounds alone */
};

/* Iterate over the independent units: store the next one's estimate. */
static bool next_unit(const struct launch *launches, size_t n, bool by_server, size_t *at,
                      double *estimate)
{
    size_t number;

    while (*at < n && by_server && !is_first_of_server(launches, *at))
        ++*at;
    if (*at >= n)
        return false;
    *estimate = launches[*at].estimate;
    if (by_server)
        *estimate = sum_of_server(launches, n, *at, &number) / (double)number;
    ++*at;
    return true;
}

size_t launches_units(const struct launch *launches, size_t n, double *units)
{
    bool by_server = launches_scope(launches, n) == LAUNCHES_PROGRAM;
    size_t count = 0;

    for (size_t at = 0; count < n && next_unit(launches, n, by_server, &at, &units[count]);)
        count++;
    return count;
}

/* The standard error that the units' mean would have if only rounds varied. */
static double error_of_rounds(const struct launch *launches, size_t n, bool by_server, size_t units)
{
    double squares = 0;

    for (size_t i = 0; i < n; i++) {
        size_t number = 1;

        if (by_server)
            sum_of_server(launches, n, i, &number);
        squares += pow(launches[i].within / (double)number / (double)units, 2);
    }
    return sqrt(squares);
}

static struct mean mean_of_units(const struct launch *launches, size_t n)
{
    bool by_server = launches_scope(launches, n) == LAUNCHES_PROGRAM;
    struct mean mean = {0};
    double estimate, squares = 0;

    for (size_t at = 0; next_unit(launches, n, by_server, &at, &estimate); mean.units++)
        mean.mean += estimate;
    mean.mean /= (double)mean.units;
    for (size_t at = 0; next_unit(launches, n, by_server, &at, &estimate);)
        squares += (estimate - mean.mean) * (estimate - mean.mean);
    mean.deviation = mean.units > 1 ? sqrt(squares / (double)(mean.units - 1)) : 0;
    mean.within = error_of_rounds(launches, n, by_server, mean.units);
    return mean;
}

static void set_interval(struct interval *interval, double estimate, double half_width)
{
    *interval = (struct interval){estimate, estimate - half_width, estimate + half_width};
}

/* The interval of MEAN. If the units happen to be closer together than their rounds imply, the
 * rounds determine the interval. */
static void interval_of_mean(const struct mean *mean, struct interval *interval)
{
    double half_width = student_975(INFINITY) * mean->within;

    if (mean->units > 1)
        half_width = fmax(half_width, student_975((double)(mean->units - 1)) * mean->deviation /
                                          sqrt((double)mean->units));
    set_interval(interval, mean->mean, half_width);
}

void launches_estimate(const struct launch *launches, size_t n, struct interval *interval)
{
    struct mean mean = mean_of_units(launches, n);

    interval_of_mean(&mean, interval);
}

/* Spread */

/* Sums of an unbalanced nested analysis of variance. */
struct nested {
    size_t servers;
    double between;        /* sum of squares of the servers' means about the mean of all */
    double inside;         /* sum of squares of the launches about their server's mean */
    double squared_counts; /* sum over the servers of their squared numbers of launches */
};

static struct nested analyse(const struct launch *launches, size_t n)
{
    struct nested nested = {0};
    double all = 0;

    for (size_t i = 0; i < n; i++)
        all += launches[i].estimate / (double)n;
    for (size_t i = 0; i < n; i++) {
        size_t number;
        double mean = sum_of_server(launches, n, i, &number) / (double)number;

        nested.servers += is_first_of_server(launches, i);
        nested.inside += pow(launches[i].estimate - mean, 2);
        nested.between += pow(mean - all, 2);
        nested.squared_counts += (double)number;
    }
    return nested;
}

static double root_of_variance(double variance)
{
    return sqrt(fmax(variance, 0));
}

void launches_spread(const struct launch *launches, size_t n, struct launches_spread *spread)
{
    struct nested nested = analyse(launches, n);
    double a = (double)nested.servers, inside, rounds = 0;

    for (size_t i = 0; i < n; i++)
        rounds += launches[i].within * launches[i].within / (double)n;
    *spread = (struct launches_spread){sqrt(rounds), NAN, NAN};
    inside = rounds; /* the mean square within a server process: at least that of the rounds */
    if (n > nested.servers) {
        inside = nested.inside / ((double)n - a);
        spread->clients = root_of_variance(inside - rounds);
    }
    if (nested.servers > 1)
        spread->servers = root_of_variance((nested.between / (a - 1) - inside) * (a - 1) /
                                           ((double)n - nested.squared_counts / (double)n));
}

/* Comparing */

/* The squared standard error of MEAN, with OTHER's standard deviation if MEAN has a single unit. */
static double squared_error(const struct mean *mean, const struct mean *other)
{
    double deviation = mean->units > 1 ? mean->deviation : other->deviation;

    return fmax(deviation * deviation / (double)mean->units, mean->within * mean->within);
}

/* Welch's degrees of freedom (B. L. Welch, "The Generalization of 'Student's' Problem", 1947). */
static double welch_degrees(const struct mean *a, double a_square, const struct mean *b,
                            double b_square)
{
    if (a->units < 2 || b->units < 2)
        return (double)(a->units + b->units - 2);
    return pow(a_square + b_square, 2) / (a_square * a_square / (double)(a->units - 1) +
                                          b_square * b_square / (double)(b->units - 1));
}

bool launches_compare(const struct launch *first, size_t n, const struct launch *second, size_t m,
                      struct comparison *comparison)
{
    struct mean a = mean_of_units(first, n), b = mean_of_units(second, m);
    double a_square = squared_error(&a, &b), b_square = squared_error(&b, &a);
    double error = sqrt(a_square + b_square), difference = b.mean - a.mean, degrees;
    bool known = a.units > 1 || b.units > 1;

    interval_of_mean(&a, &comparison->first);
    interval_of_mean(&b, &comparison->second);
    comparison->p = 1;
    if (!known) {
        set_interval(&comparison->difference, difference, INFINITY);
    } else if (error > 0) {
        degrees = welch_degrees(&a, a_square, &b, b_square);
        set_interval(&comparison->difference, difference, student_975(degrees) * error);
        comparison->p = student_p(difference / error, degrees);
    } else {
        set_interval(&comparison->difference, difference, 0);
        comparison->p = difference == 0;
    }
    comparison->adjusted_p = comparison->p;
    return known;
}

/* The p-value of VALUE, which has the standard error ERROR with DEGREES of freedom. */
static double p_of(double value, double error, double degrees)
{
    if (error > 0)
        return student_p(value / error, degrees);
    return value == 0;
}

void launches_compare_paired(const struct launch *first, const struct launch *second,
                             const struct launch *differences, size_t n,
                             struct comparison *comparison)
{
    struct mean mean = mean_of_units(differences, n);

    launches_estimate(first, n, &comparison->first);
    launches_estimate(second, n, &comparison->second);
    interval_of_mean(&mean, &comparison->difference);
    comparison->p = p_of(mean.mean, mean.within, INFINITY);
    if (mean.units > 1)
        comparison->p =
            fmax(comparison->p, p_of(mean.mean, mean.deviation / sqrt((double)mean.units),
                                     (double)(mean.units - 1)));
    comparison->adjusted_p = comparison->p;
}
