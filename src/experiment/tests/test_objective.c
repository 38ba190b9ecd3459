/* Objectives, and the search for the highest rate that meets one, on simulated servers. */
#include "test.h"

#include "experiment/laws/objective.h"
#include "measure/arrivals.h"
#include "simulation.h"

static struct error error;

TEST_CASE(parse)
{
    static const struct {
        const char *text;
        enum objective_figure figure;
        double quantile;
        /* CALLS: number of calls that a probe needs */
        uint64_t limit_ns, calls;
    } good[] = {
        {"p99<1ms", OBJECTIVE_QUANTILE, 0.99, 1000000, 1000},
        {"p50<200us", OBJECTIVE_QUANTILE, 0.5, 200000, 1000},
        {"p90 < 1.5ms", OBJECTIVE_QUANTILE, 0.9, 1500000, 1000},
        {"p999<10ms", OBJECTIVE_QUANTILE, 0.999, 10000000, 10000},
        {"p99.9<10ms", OBJECTIVE_QUANTILE, 0.999, 10000000, 10000},
        {"p9999<1s", OBJECTIVE_QUANTILE, 0.9999, 1000000000, 100000},
        {"p99.99<1s", OBJECTIVE_QUANTILE, 0.9999, 1000000000, 100000},
        {"mean<300ns", OBJECTIVE_MEAN, 0, 300, 1000},
        {"max<2s", OBJECTIVE_MAXIMUM, 0, 2000000000, 1000},
    };
    static const char *const bad[] = {"",        "p99",      "p99<",     "<1ms",     "p99<1",
                                      "p95<1ms", "p99<0",    "p99<0ms",  "p99>1ms",  "p99<-1ms",
                                      "p99=1ms", "p99<1msx", "P99<1ms",  "mean<1 s", "p99<<1ms",
                                      "p9<1ms",  "p<1ms",    "p99<=1ms", " p99<1ms", "p99<1ms "};
    struct objective objective;

    for (size_t i = 0; i < COUNT_OF(good); i++)
        assert_all((objective_parse(good[i].text, &objective, &error), 0),
                   (objective.figure, good[i].figure), (objective.quantile, good[i].quantile, 0),
                   (objective.limit_ns, good[i].limit_ns),
                   (objective_calls(&objective), good[i].calls));
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_all((objective_parse(bad[i], &objective, &error), -EINVAL),
                   (error.kind, ERROR_USAGE));
    assert_int_equal(objective_parse("p99<99999999999s", &objective, &error), -ERANGE);
}

TEST_CASE(held)
{
    struct objective objective;

    assert_all((objective_parse("p99<1ms", &objective, &error), 0),
               (objective_held(&objective, 999999, 1)), (!objective_held(&objective, 1000000, 1)));
    assert_false(objective_held(&objective, 500000, 0.9)); /* a tenth of the calls is missing */
    assert_all((!objective_held(&objective, NAN, 1)), (!objective_held(&objective, 500000, NAN)));
}

TEST_CASE(what_is_refused)
{
    static const struct objective_range bad[] = {
        {0, 100, 0.02, 10},   {100, 100, 0.02, 10}, {200, 100, 0.02, 10},
        {1, 100, 0, 10},      {1, 100, NAN, 10},    {1, 100, 0.02, 0},
        {NAN, 100, 0.02, 10}, {1, NAN, 0.02, 10},   {1, INFINITY, 0.02, 10},
    };
    static struct objective_search search;

    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(objective_begin(&search, &bad[i], &error), -EINVAL);
}

/* A simulated server. LATENCY_NS returns the latency figure at RATE, without noise. */

struct server {
    double (*latency_ns)(double rate);
    double noise;     /* standard deviation of the logarithm of a run's figure */
    double disturbed; /* share of runs whose figure is ten times too high */
    double lucky;     /* share of runs whose figure is a tenth of its true value */
};

/* p99 of a station that serves 100,000/s. It is 1 ms at 100,000 - ln(100) / 1 ms = 95,395/s. */
CURVE(queue_p99, rate, rate < 100000 ? log(100) / (100000 - rate) * 1e9 : 1e12)

#define QUEUE_ANSWER (100000 - 4.605170185988092 / 1e-3) /* ln(100) */

CURVE(step_p99, rate, rate <= 50000 ? 200e3 : 50e6)
CURVE(quick_p99, rate, 1000 + 0 * rate)
CURVE(slow_p99, rate, 5e6 + 0 * rate)

static double simulate_run(const struct server *server, double rate, gsl_rng *rng)
{
    double value = server->latency_ns(rate) * exp(gsl_ran_gaussian(rng, server->noise));
    double chance = gsl_rng_uniform(rng);

    if (chance < server->disturbed)
        return 10 * value;
    return chance < server->disturbed + server->lucky ? value / 10 : value;
}

static const struct objective below_1ms = {OBJECTIVE_QUANTILE, 0.99, 1000000};

/* A function that returns the answer of a probe at RATE, after COUNT earlier probes. */
enum answer { FAILED, HELD, NONE };
typedef enum answer probe_type(const void *context, double rate, size_t count);

static struct objective_result search_by(probe_type *probe, const void *context,
                                         struct objective_range range)
{
    static struct objective_search search;
    struct objective_result result;

    assert_int_equal(objective_begin(&search, &range, &error), 0);
    for (size_t count = 0; !objective_done(&search); count++) {
        double rate = objective_next(&search);
        enum answer answer = probe(context, rate, count);

        assert_true(rate >= range.lowest && rate <= range.highest);
        if (answer == NONE)
            objective_skip(&search);
        else
            objective_report(&search, rate, answer == HELD);
    }
    objective_result(&search, &result);
    assert_true(result.probes <= range.probes);
    return result;
}

static gsl_rng *noise; /* random numbers for the probes */

static enum answer probe_server(const void *server, double rate, size_t count)
{
    return objective_held(&below_1ms, simulate_run(server, rate, noise), 1);
}

static const struct objective_range range = {1000, 150000, 0.02, 200};

TEST_CASE(outcomes)
{
    static const struct {
        struct server server;
        size_t probes; /* maximum number of probes */
        enum objective_outcome outcome;
        double rate;
    } cases[] = {
        {{step_p99, 0, 0, 0}, 200, OBJECTIVE_FOUND, 50000},
        {{queue_p99, 0, 0, 0}, 200, OBJECTIVE_FOUND, QUEUE_ANSWER},
        {{quick_p99, 0.1, 0.05, 0}, 200, OBJECTIVE_ALL_HELD, INFINITY},
        {{slow_p99, 0.1, 0, 0.05}, 200, OBJECTIVE_ALL_FAILED, 0},
        {{step_p99, 0, 0, 0}, 6, OBJECTIVE_UNCLEAR, 50000},
    };
    noise = seeded(0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct objective_range bounded = range;
        struct objective_result result;

        bounded.probes = cases[i].probes;
        result = search_by(probe_server, &cases[i].server, bounded);
        assert_all((result.outcome, cases[i].outcome), (covers(&result.rate, cases[i].rate)),
                   (result.probes <= 30));
        if (cases[i].outcome == OBJECTIVE_FOUND)
            assert_all((result.rate.estimate / cases[i].rate, 1, 0.01),
                       (result.rate.high <= 1.02 * result.rate.low));
        if (cases[i].outcome == OBJECTIVE_ALL_HELD)
            assert_true(isinf(result.rate.low));
        if (cases[i].outcome == OBJECTIVE_ALL_FAILED)
            assert_near(result.rate.high, 0, 0);
    }
}

/* Answer "failed" three times, then correctly. A bisection that trusted the wrong answers would end
 * below 50,000 calls/s. */
static enum answer wrong_at_first(const void *context, double rate, size_t count)
{
    return count >= 3 && step_p99(rate) < 1e6 ? HELD : FAILED;
}

/* Give no answer to every third probe. The search continues at other rates. */
static enum answer often_none(const void *context, double rate, size_t count)
{
    if (count % 3 == 1)
        return NONE;
    return step_p99(rate) < 1e6 ? HELD : FAILED;
}

static enum answer always_none(const void *probes, double rate, size_t count)
{
    *(size_t *)(uintptr_t)probes = count + 1;
    return NONE;
}

TEST_CASE(wrong_answers_and_none)
{
    struct objective_result result = search_by(wrong_at_first, NULL, range);
    size_t probes = 0;

    assert_all((result.outcome, OBJECTIVE_FOUND), (result.rate.estimate, 50000, 1000));
    result = search_by(often_none, NULL, range);
    assert_all((result.outcome, OBJECTIVE_FOUND), (result.rate.estimate, 50000, 1000));
    result = search_by(always_none, &probes, range);
    assert_all((probes, range.probes), (result.outcome, OBJECTIVE_UNCLEAR));
}

/* Return the share of 300 searches whose interval covers ANSWER. Check that 95 % find a rate, that
 * at most 3 % are off by over 5 %, and that the mean number of probes is at most MOST_PROBES. */
static double coverage(const struct server *server, double answer, double most_probes)
{
    double covered = 0, found = 0, probes = 0, far = 0, trials = 300;

    noise = seeded(0);
    for (int i = 0; i < (int)trials; i++) {
        struct objective_result result = search_by(probe_server, server, range);

        covered += covers(&result.rate, answer);
        far += !(fabs(result.rate.estimate / answer - 1) <= 0.05);
        found += result.outcome == OBJECTIVE_FOUND;
        probes += (double)result.probes;
    }
    print_message("noise %.2f, disturbed %.2f, lucky %.2f: coverage %.3f, found %.3f, over 5 %% "
                  "off %.3f, %.0f probes\n",
                  server->noise, server->disturbed, server->lucky, covered / trials, found / trials,
                  far / trials, probes / trials);
    assert_all((found >= 0.95 * trials), (far <= 0.03 * trials), (probes <= most_probes * trials));
    return covered / trials;
}

/* A simulated queue: Poisson arrivals, exponential service, one station, first come first served.
 * The waiting time of each call follows from that of the call before it (Lindley, 1952). */
static enum answer probe_queue(const void *unused, double rate, size_t count)
{
    enum { CALLS = 100000 };
    static double responses[CALLS];
    struct arrivals arrivals, services;
    double before = 0, served = 0, response = 0;

    arrivals_begin(&arrivals, ARRIVALS_POISSON, 1e9 / rate, 0, 2 * count + 3);
    arrivals_begin(&services, ARRIVALS_POISSON, 1e9 / 100000, 0, 2 * count + 4);
    for (size_t i = 0; i < CALLS; i++) {
        double arrival = arrivals_next(&arrivals), service = arrivals_next(&services) - served;

        served += service;
        response = fmax(response - (arrival - before), 0) + service;
        before = arrival;
        responses[i] = response;
    }
    estimate_sort(responses, CALLS);
    return objective_held(&below_1ms, estimate_quantile(responses, CALLS, 0.99), 1);
}

TEST_CASE(simulated_queue)
{
    struct objective_result result =
        search_by(probe_queue, NULL, (struct objective_range){1000, 150000, 0.05, 100});

    print_message("queue: %.0f [%.0f, %.0f] after %zu probes, by theory %.0f\n",
                  result.rate.estimate, result.rate.low, result.rate.high, result.probes,
                  QUEUE_ANSWER);
    assert_all((result.outcome, OBJECTIVE_FOUND), (result.rate.estimate / QUEUE_ANSWER, 1, 0.03));
}

/* A server whose processors sleep between calls: slow at low rates, and above its capacity. */
CURVE(sleepy_p99, rate, rate < 20000 ? 3e6 : queue_p99(rate))

/* A server that meets the objective at only one rate of the scan. */
CURVE(narrow_p99, rate, rate < 50000 ? 3e6 : queue_p99(rate))

TEST_CASE(coverage)
{
    static const struct {
        struct server server;
        double answer, most_probes;
    } cases[] = {
        {{queue_p99, 0.1, 0, 0}, QUEUE_ANSWER, 45},
        {{queue_p99, 0.3, 0.05, 0.02}, QUEUE_ANSWER, 110},
        {{queue_p99, 0.1, 0.1, 0}, QUEUE_ANSWER, 55},
        {{step_p99, 0.2, 0, 0}, 50000, 35},
        {{step_p99, 0.2, 0.05, 0.05}, 50000, 40},
        {{sleepy_p99, 0.1, 0, 0}, QUEUE_ANSWER, 45},
        {{sleepy_p99, 0.1, 0.05, 0}, QUEUE_ANSWER, 55},
        {{narrow_p99, 0.05, 0, 0}, QUEUE_ANSWER, 45},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_true(coverage(&cases[i].server, cases[i].answer, cases[i].most_probes) >= 0.9);
}
