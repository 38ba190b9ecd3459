#include "measure/statistics/launches.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/mean_interval.h"

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

/* An independent unit: all launches on one server process, or a single launch. ESTIMATE: mean of
 * its launches. SQUARE: squared standard error from the rounds. NUMBER: number of launches. */
struct unit {
    double estimate, square, number;
};

static struct unit unit_at(const struct launch *launches, size_t n, size_t i, bool by_server)
{
    struct unit unit = {0};

    for (size_t j = 0; j < n; j++)
        if (by_server ? launches[j].server == launches[i].server : j == i) {
            unit.estimate += launches[j].estimate;
            unit.square += launches[j].within * launches[j].within;
            unit.number++;
        }
    unit.estimate /= unit.number;
    unit.square /= unit.number * unit.number;
    return unit;
}

enum launches_scope launches_scope(const struct launch *launches, size_t n)
{
    if (n < 2)
        return LAUNCHES_CONNECTION;
    return count_servers(launches, n) < 2 ? LAUNCHES_SERVER : LAUNCHES_PROGRAM;
}

/* Set UNITS, which has room for N, to the estimates of the independent units of N launches (at
 * least 1). Returns the number of units. */
static size_t units_of(const struct launch *launches, size_t n, double *units)
{
    bool by_server = launches_scope(launches, n) == LAUNCHES_PROGRAM;
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (!by_server || is_first_of_server(launches, i))
            units[count++] = unit_at(launches, n, i, by_server).estimate;
    return count;
}

/* The variance is computed in one pass (B. P. Welford, "Note on a Method for Calculating Corrected
 * Sums of Squares and Products", 1962). */
struct launches_mean launches_mean(const struct launch *launches, size_t n)
{
    bool by_server = launches_scope(launches, n) == LAUNCHES_PROGRAM;
    struct launches_mean mean = {0};
    double squares = 0, within = 0;

    for (size_t i = 0; i < n; i++) {
        struct unit unit;
        double off;

        if (by_server && !is_first_of_server(launches, i))
            continue;
        unit = unit_at(launches, n, i, by_server);
        off = unit.estimate - mean.mean;
        mean.units++;
        mean.mean += off / (double)mean.units;
        squares += off * (unit.estimate - mean.mean);
        within += unit.square;
    }
    mean.deviation = mean.units > 1 ? sqrt(squares / (double)(mean.units - 1)) : 0;
    mean.within = sqrt(within) / (double)mean.units;
    return mean;
}

struct difference launches_difference(const struct launches_mean *mean)
{
    return (struct difference){.estimate = mean->mean,
                               .error = mean->deviation / sqrt((double)mean->units),
                               .degrees = (double)mean->units - 1,
                               .within = mean->within};
}

struct interval difference_interval(const struct difference *difference, double quantile)
{
    const double estimate = difference->estimate;
    double half = student_quantile(quantile, INFINITY) * difference->within;

    if (difference->degrees > 0 && difference->error > 0)
        half = fmax(half, student_quantile(quantile, difference->degrees) * difference->error);
    return (struct interval){estimate, estimate - half, estimate + half};
}

void launches_estimate(const struct launch *launches, size_t n, struct interval *interval)
{
    const struct launches_mean mean = launches_mean(launches, n);
    const struct difference difference = launches_difference(&mean);

    *interval = difference_interval(&difference, 0.975);
}

/* Sums of an unbalanced nested analysis of variance. */
struct nested {
    size_t servers;
    double between;        /* sum over the launches of (mean of the server - total mean)^2 */
    double inside;         /* sum over the launches of (launch - mean of the server)^2 */
    double squared_counts; /* sum over the servers of the square of their number of launches */
};

static struct nested analyse_variance(const struct launch *launches, size_t n)
{
    struct nested nested = {0};
    double all = 0;

    for (size_t i = 0; i < n; i++)
        all += launches[i].estimate / (double)n;
    for (size_t i = 0; i < n; i++) {
        const struct unit server = unit_at(launches, n, i, true);

        nested.servers += is_first_of_server(launches, i);
        nested.inside += pow(launches[i].estimate - server.estimate, 2);
        nested.between += pow(server.estimate - all, 2);
        nested.squared_counts += server.number;
    }
    return nested;
}

static double root_of_variance(double variance)
{
    return sqrt(fmax(variance, 0));
}

void launches_spread(const struct launch *launches, size_t n, struct launches_spread *spread)
{
    struct nested nested = analyse_variance(launches, n);
    double a = (double)nested.servers, inside, rounds = 0;

    for (size_t i = 0; i < n; i++)
        rounds += launches[i].within * launches[i].within / (double)n;
    *spread = (struct launches_spread){sqrt(rounds), NAN, NAN};
    /* `inside`: mean square within server processes; of rounds if no process has two launches */
    inside = rounds;
    if (n > nested.servers) {
        inside = nested.inside / ((double)n - a);
        spread->clients = root_of_variance(inside - rounds);
    }
    if (nested.servers > 1)
        spread->servers = root_of_variance((nested.between / (a - 1) - inside) * (a - 1) /
                                           ((double)n - nested.squared_counts / (double)n));
}

enum { LEVELS_SAMPLES = 999, LEVELS_ENOUGH = 50, LEVELS_FEWEST = 5 };

#define LEVELS_SIGNIFICANT 0.01
#define LEVELS_GAP         1.5 /* smallest gap between two levels / deviation of the wider level */

struct split {
    size_t lower;  /* number of members of the lower group */
    double square; /* share of the sum of squares that is within the groups: small for two levels */
};

/* Return the best split of N sorted values into two groups; LOWER is 0 if there is none. Each group
 * has at least two values, because a single outlier is not a level. */
static struct split best_split(const double *sorted, size_t n)
{
    struct split best = {0, 1};
    double total = 0, squares = 0, sum = 0;

    for (size_t i = 0; i < n; i++)
        total += sorted[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += pow(sorted[i] - total, 2);
    for (size_t i = 1; i + 1 < n && squares > 0; i++) {
        double left, share;

        sum += sorted[i - 1] - total;
        if (i < 2)
            continue;
        left = sum * sum / (double)i + sum * sum / (double)(n - i);
        share = 1 - left / squares;
        if (share < best.square)
            best = (struct split){i, share};
    }
    return best;
}

/* Return the p-value of OBSERVED: how often N normal values have a split at least as good. VALUES
 * is overwritten. Sampling ends early if the p-value is clearly large (Besag and Clifford,
 * "Sequential Monte Carlo p-values", 1991). */
static double chance_of_split(const struct split *observed, double *values, size_t n)
{
    struct random random;
    size_t as_good = 0, samples = 0;

    random_seed(&random, n);
    while (samples < LEVELS_SAMPLES && as_good < LEVELS_ENOUGH) {
        for (size_t j = 0; j < n; j++)
            values[j] = random_normal(&random);
        estimate_sort(values, n);
        as_good += best_split(values, n).square <= observed->square;
        samples++;
    }
    return ((double)as_good + 1) / ((double)samples + 1);
}

static double deviation_of(const double *values, size_t n)
{
    double mean = mean_of(values, n), squares = 0;

    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

/* Return true if there is a gap between the groups. Parts of one skewed distribution have none. */
static bool has_gap(const double *sorted, size_t n, size_t lower)
{
    double larger = fmax(deviation_of(sorted, lower), deviation_of(sorted + lower, n - lower));

    return sorted[lower] - sorted[lower - 1] > LEVELS_GAP * larger;
}

static void find_levels(double *units, size_t n, struct launches_levels *levels)
{
    struct split split;
    double lower, upper;

    *levels = (struct launches_levels){
        .groups = 1, .level = {mean_of(units, n), NAN}, .members = {n, 0}, .p = 1};
    if (n < LEVELS_FEWEST)
        return;
    estimate_sort(units, n);
    split = best_split(units, n);
    if (split.lower == 0 || !has_gap(units, n, split.lower))
        return;
    lower = mean_of(units, split.lower);
    upper = mean_of(units + split.lower, n - split.lower);
    levels->p = chance_of_split(&split, units, n);
    if (levels->p < LEVELS_SIGNIFICANT)
        *levels =
            (struct launches_levels){2, {lower, upper}, {split.lower, n - split.lower}, levels->p};
}

int launches_levels(const struct launch *launches, size_t n, struct launches_levels *levels,
                    struct error *error)
{
    double *units = calloc(n, sizeof *units);

    if (!units)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu launches", n);
    find_levels(units, units_of(launches, n, units), levels);
    free(units);
    return 0;
}

static size_t bounded_count(double count, size_t least, size_t most)
{
    return (size_t)fmin(fmax(ceil(count), (double)least), (double)most);
}

/* Return the optimal number of repetitions at a level. A repetition at this level has DEVIATION and
 * TIME; a repetition at the level above has DEVIATION_ABOVE and TIME_ABOVE. Returns 1 if DEVIATION
 * is 0. */
static double repetitions(double deviation, double time, double deviation_above, double time_above)
{
    if (deviation == 0)
        return 1;
    return sqrt(time_above / time) * deviation / deviation_above;
}

/* Return the fewest units, at least LEAST, with standard deviation DEVIATION whose mean has a
 * half-width of at most HALF_WIDTH; LAUNCHES_MOST if more are required. Search from the number that
 * the normal quantile implies to the number that Student's t with LEAST units implies. */
static size_t units_for(double deviation, double half_width, size_t least)
{
    double errors = deviation / half_width;
    size_t low = bounded_count(pow(student_975(INFINITY) * errors, 2), least, LAUNCHES_MOST);
    size_t high =
        bounded_count(pow(student_975((double)(least - 1)) * errors, 2), least, LAUNCHES_MOST);

    while (low < high) {
        size_t n = (low + high) / 2;

        if (student_975((double)(n - 1)) * deviation / sqrt((double)n) <= half_width)
            high = n;
        else
            low = n + 1;
    }
    return low;
}

/* Standard deviations that the levels of repetition add: ROUND; ABOVE, the level above rounds;
 * SERVERS, server processes (0 if ABOVE is the highest level). */
struct deviations {
    double round, above, servers;
};

static double variance_of_unit(const struct deviations *deviations, size_t rounds, size_t clients)
{
    double launch = deviations->round * deviations->round / (double)rounds +
                    deviations->above * deviations->above;

    return launch / (double)clients + deviations->servers * deviations->servers;
}

/* Return the fewest rounds per launch, up to ROUNDS, that reach HALF_WIDTH with LAUNCHES_LEAST
 * units of CLIENTS launches each; ROUNDS if no number of rounds does. */
static size_t enough_rounds(const struct deviations *deviations, size_t rounds, size_t clients,
                            double half_width)
{
    double error = half_width / student_975(LAUNCHES_LEAST - 1);
    double unit = LAUNCHES_LEAST * error * error - deviations->servers * deviations->servers;
    double of_rounds = unit * (double)clients - deviations->above * deviations->above;

    if (of_rounds <= 0)
        return rounds;
    return bounded_count(deviations->round * deviations->round / of_rounds, LAUNCHES_LEAST_ROUNDS,
                         rounds);
}

void launches_plan(const struct launches_spread *spread, size_t rounds,
                   const struct launches_times *times, double half_width,
                   struct launches_plan *plan)
{
    bool one_server = isnan(spread->servers), one_client = isnan(spread->clients) && !one_server;
    double above = one_client ? spread->servers : spread->clients;
    double time_above = one_client ? times->server + times->client : times->client;
    const struct deviations deviations = {
        .round = spread->rounds * sqrt((double)rounds),
        .above = isnan(above) ? 0 : above,
        .servers = one_server || one_client ? 0 : spread->servers,
    };

    plan->rounds =
        bounded_count(repetitions(deviations.round, times->round, deviations.above, time_above),
                      LAUNCHES_LEAST_ROUNDS, LAUNCHES_MOST_ROUNDS);
    plan->clients = 1;
    if (!one_server && !one_client)
        plan->clients = bounded_count(
            repetitions(deviations.above, times->client, deviations.servers, times->server), 1,
            LAUNCHES_MOST_CLIENTS);
    plan->servers = units_for(sqrt(variance_of_unit(&deviations, plan->rounds, plan->clients)),
                              half_width, LAUNCHES_LEAST);
    if (plan->servers == LAUNCHES_LEAST)
        plan->rounds = enough_rounds(&deviations, plan->rounds, plan->clients, half_width);
    plan->seconds = (double)plan->servers * (one_server ? 0 : times->server);
    plan->seconds += (double)(plan->servers * plan->clients) *
                     (times->client + (double)plan->rounds * times->round);
    if (one_server) {
        plan->clients = plan->servers;
        plan->servers = 1;
        plan->seconds += times->server;
    }
}

size_t launches_further(size_t total, const struct launches_plan *plan)
{
    size_t planned = plan ? plan->servers * plan->clients : 0;

    return planned > total + total / 2 ? planned - total : total / 2;
}
