#include "measure/load_point.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static bool all_positive(const struct repeats *repeats)
{
    for (size_t i = 0; i < repeats->count; i++)
        if (!isfinite(repeats->values[i]) || repeats->values[i] <= 0)
            return false;
    return repeats->count > 0;
}

static int check(const struct load_point *point, struct error *error)
{
    if (!isfinite(point->concurrency) || point->concurrency < 1)
        return error_set(error, ERROR_FAILED, -EINVAL, "a concurrency of %g is below 1",
                         point->concurrency);
    if (point->throughput.count != point->response_ns.count)
        return error_set(error, ERROR_FAILED, -EINVAL,
                         "at concurrency %g there are %zu throughputs for %zu response times",
                         point->concurrency, point->throughput.count, point->response_ns.count);
    if (point->turn_around_ns.count && point->turn_around_ns.count != point->throughput.count)
        return error_set(error, ERROR_FAILED, -EINVAL,
                         "at concurrency %g there are %zu throughputs for %zu turn-arounds",
                         point->concurrency, point->throughput.count, point->turn_around_ns.count);
    if (!all_positive(&point->throughput) || !all_positive(&point->response_ns))
        return error_set(
            error, ERROR_FAILED, -EINVAL,
            "at concurrency %g a throughput or response time is missing or not above 0",
            point->concurrency);
    return 0;
}

static int check_all(const struct load_point *points, size_t count, struct error *error)
{
    int code = 0;

    for (size_t i = 0; code == 0 && i < count; i++)
        code = check(&points[i], error);
    return code;
}

int load_point_levels(const struct load_point *points, size_t count, uint64_t seed,
                      struct levels *throughput, struct levels *response_ns, struct error *error)
{
    int code = check_all(points, count, error);

    if (code == 0)
        code = levels_resample(throughput, &points->throughput, sizeof *points, count, seed, error);
    if (code || !response_ns)
        return code;
    code = levels_resample(response_ns, &points->response_ns, sizeof *points, count, seed, error);
    if (code)
        levels_free(throughput);
    return code;
}

size_t load_point_concurrencies(const struct load_point *points, size_t count)
{
    size_t different = 0;

    for (size_t i = 0; i < count; i++) {
        size_t before = 0;

        while (before < i && points[before].concurrency != points[i].concurrency)
            before++;
        different += before == i;
    }
    return different;
}

/* Little's law */

const char *const little_verdict_names[] = {"holds", "below", "above", "unknown", NULL};

static enum little_verdict judge(const struct interval *discrepancy, size_t repeats)
{
    if (fabs(discrepancy->estimate) <= LITTLE_TOLERANCE)
        return LITTLE_HOLDS;
    if (repeats < 2)
        return LITTLE_UNKNOWN;
    if (discrepancy->low <= 0 && 0 <= discrepancy->high)
        return LITTLE_HOLDS;
    return discrepancy->estimate < 0 ? LITTLE_BELOW : LITTLE_ABOVE;
}

int load_point_little(const struct load_point *point, uint64_t seed, struct little *little,
                      struct error *error)
{
    struct repeats repeats = {.count = point->throughput.count};
    int code = check(point, error);
    double *values;

    if (code)
        return code;
    values = calloc(repeats.count, sizeof *values);
    if (!values)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for Little's law");
    for (size_t i = 0; i < repeats.count; i++) {
        double turn = point->turn_around_ns.count ? point->turn_around_ns.values[i] : 0;
        double cycle_s = (point->response_ns.values[i] + turn) / 1e9;

        values[i] = point->throughput.values[i] * cycle_s / point->concurrency - 1;
    }
    repeats.values = values;
    code = levels_interval(&repeats, seed, &little->discrepancy, error);
    if (code == 0)
        little->verdict = judge(&little->discrepancy, repeats.count);
    free(values);
    return code;
}

/* The knee */

/* The index of the largest of COUNT values times SIGN. */
static size_t extreme(const double *values, size_t count, double sign)
{
    size_t at = 0;

    for (size_t i = 1; i < count; i++)
        if (sign * values[i] > sign * values[at])
            at = i;
    return at;
}

/* The point with the largest concurrency below LIMIT, and of several such points the one with the
 * highest throughput; COUNT if there is none. */
static size_t last_below(const struct load_point *points, const double *throughput, size_t count,
                         double limit)
{
    size_t last = count;

    for (size_t i = 0; i < count; i++) {
        double n = points[i].concurrency;

        if (n < limit && (last == count || n > points[last].concurrency ||
                          (n == points[last].concurrency && throughput[i] > throughput[last])))
            last = i;
    }
    return last;
}

static bool still_grows(const struct load_point *points, const double *throughput, size_t count)
{
    size_t last = last_below(points, throughput, count, INFINITY);
    size_t before = last_below(points, throughput, count, points[last].concurrency);
    double gain = log(throughput[last] / throughput[before]);

    return gain >
           KNEE_ELASTICITY_LEVEL * log(points[last].concurrency / points[before].concurrency);
}

static void find_knee(const struct levels *throughput, const struct levels *response_ns,
                      struct knee *knee)
{
    size_t best = extreme(levels_row(throughput, 0), throughput->points, 1);
    size_t quickest = extreme(levels_row(response_ns, 0), response_ns->points, -1);
    double highest[LEVELS_ROWS], shortest[LEVELS_ROWS], product[LEVELS_ROWS];

    for (size_t row = 0; row < LEVELS_ROWS; row++) {
        highest[row] = levels_row(throughput, row)[best];
        shortest[row] = levels_row(response_ns, row)[quickest];
        product[row] = highest[row] * (shortest[row] / 1e9);
    }
    knee->throughput_maximum = levels_fitted(throughput, highest);
    knee->response_minimum = levels_fitted(response_ns, shortest);
    knee->concurrency = levels_fitted(throughput, product);
}

int load_point_knee(const struct load_point *points, size_t count, uint64_t seed, struct knee *knee,
                    struct error *error)
{
    struct levels throughput, response_ns;
    int code;

    if (load_point_concurrencies(points, count) < 2)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "a knee needs points of at least 2 concurrencies");
    code = load_point_levels(points, count, seed, &throughput, &response_ns, error);
    if (code)
        return code;
    find_knee(&throughput, &response_ns, knee);
    knee->lower_bound = still_grows(points, levels_row(&throughput, 0), count);
    levels_free(&throughput);
    levels_free(&response_ns);
    return 0;
}

/* What limits the throughput */

const char *const bottleneck_names[] = {
    [BOTTLENECK_UNKNOWN] = "unknown",       [BOTTLENECK_CLIENT_CPU] = "client-cpu",
    [BOTTLENECK_SERVER_CPU] = "server-cpu", [BOTTLENECK_LINK] = "link",
    [BOTTLENECK_LATENCY] = "latency",       [BOTTLENECK_NONE] = "none",
    [BOTTLENECK_LOCKSTEP] = "lockstep",     NULL,
};

/* A side's processor time, relative to its threshold; NAN if unknown. */
static double cpu_use(double cpu, double thread_cpu)
{
    return fmax(cpu / BOTTLENECK_CPU_BUSY, thread_cpu / BOTTLENECK_THREAD_BUSY);
}

static enum bottleneck find_busy(double client, double server, double link)
{
    enum bottleneck busiest = BOTTLENECK_UNKNOWN;
    double most = 1;

    if (client >= most) {
        busiest = BOTTLENECK_CLIENT_CPU;
        most = client;
    }
    if (server >= 1 && (server > most || busiest == BOTTLENECK_UNKNOWN)) {
        busiest = BOTTLENECK_SERVER_CPU;
        most = server;
    }
    if (link >= 1 && (link > most || busiest == BOTTLENECK_UNKNOWN))
        busiest = BOTTLENECK_LINK;
    return busiest;
}

static bool take_turns(const struct bottleneck_evidence *evidence)
{
    return evidence->in_flight > 1 && fabs(evidence->both_cpus - 1) <= BOTTLENECK_TURNS;
}

enum bottleneck bottleneck_find(const struct bottleneck_evidence *evidence)
{
    double client = cpu_use(evidence->client_cpu, evidence->client_thread_cpu);
    double server = cpu_use(evidence->server_cpu, evidence->server_thread_cpu);
    double link = evidence->link / BOTTLENECK_LINK_BUSY;
    enum bottleneck busy = find_busy(client, server, link);

    if (busy != BOTTLENECK_UNKNOWN)
        return busy;
    if (evidence->reached >= BOTTLENECK_RATE_REACHED)
        return BOTTLENECK_NONE;
    if (take_turns(evidence))
        return BOTTLENECK_LOCKSTEP;
    if (evidence->gain >= BOTTLENECK_GAIN)
        return BOTTLENECK_LATENCY;
    if (isnan(evidence->gain) && isnan(evidence->reached) && client < 1 && server < 1)
        return BOTTLENECK_LATENCY;
    return BOTTLENECK_UNKNOWN;
}

double bottleneck_gain(double load_before, double throughput_before, double load, double throughput)
{
    bool follows = load_before > 0 && load > load_before && throughput_before > 0 && throughput > 0;

    return follows ? log(throughput / throughput_before) / log(load / load_before) : NAN;
}
