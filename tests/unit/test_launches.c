/* Measurements with several launches: intervals, plans, two latency levels, comparison. */
#include "test.h"

#include "measure/statistics/contrast.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/precision.h"
#include "simulation.h"

enum { MOST = 64, TRIALS = 2000 };

/* A simulated distribution of launches. Times are in ns. */
struct world {
    const char *name;
    unsigned per_server; /* launches on one server; 0: all launches */
    /* MEAN: mean time without the further terms. SERVERS, LAUNCHES: standard deviation between
     * servers, and between launches on one server. */
    double mean, servers, launches;
    /* half the distance between two equally likely levels of a launch; 0: one level */
    double levels;
    /* Further terms of a launch's time; 0: none. HEAVY: scale of Student's t with 3 degrees of
     * freedom. EXPONENTIAL: mean of an exponential distribution. DISTURBED: additional time of a
     * tenth of the launches. */
    double heavy, exponential, disturbed;
    /* standard error that a launch reports, caused by its rounds; draw() adds no noise for it */
    double rounds;
};

static const struct world one_level = {"one level", .launches = 5, .rounds = 5};
static const struct world two_levels = {"two levels", 2, .servers = 300, .launches = 30.4,
                                        .rounds = 5};
static const struct world bimodal = {"bimodal", 1, .launches = 30, .levels = 300, .rounds = 20};
static const struct world heavy_tails = {"heavy tails", 1, .heavy = 20, .rounds = 5};
static const struct world disturbed = {"disturbed",      1,          .mean = -18, .launches = 20,
                                       .disturbed = 180, .rounds = 5};
static const struct world exponential = {"exponential", 1, .exponential = 50, .rounds = 5};
static const struct world normal = {"normal", 1, .mean = 1000, .launches = 50, .rounds = 5};

static void draw(gsl_rng *rng, const struct world *world, struct launch *launches, size_t n)
{
    double server = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned number = world->per_server ? (unsigned)i / world->per_server : 0;

        if (world->servers > 0 && (i == 0 || number != launches[i - 1].server))
            server = gsl_ran_gaussian(rng, world->servers);
        launches[i] = (struct launch){
            number, world->mean + server + gsl_ran_gaussian(rng, world->launches), world->rounds};
        if (world->levels > 0)
            launches[i].estimate += gsl_ran_bernoulli(rng, 0.5) ? world->levels : -world->levels;
        if (world->heavy > 0)
            launches[i].estimate += world->heavy * gsl_ran_tdist(rng, 3);
        if (world->exponential > 0)
            launches[i].estimate += gsl_ran_exponential(rng, world->exponential);
        if (world->disturbed > 0)
            launches[i].estimate += gsl_ran_bernoulli(rng, 0.1) ? world->disturbed : 0;
    }
}

static double coverage(const struct world *world, size_t n)
{
    gsl_rng *rng = seeded(11);
    struct launch launches[MOST];
    int covered = 0;

    for (int i = 0; i < TRIALS; i++) {
        struct interval interval;

        draw(rng, world, launches, n);
        launches_estimate(launches, n, &interval);
        covered += covers(&interval, 0);
    }
    return (double)covered / TRIALS;
}

/* Tolerance: four standard deviations of 2000 trials at 95 % are 2 points. If there are two levels,
 * 3 launches have the same level in a quarter of the trials; no interval then includes the mean. */
TEST_CASE(coverage)
{
    static const struct {
        const struct world *world;
        size_t per_unit;
        double least[3], most;
    } cases[] = {
        {&one_level, 1, {0.93, 0.93, 0.93}, 0.99}, {&two_levels, 2, {0.93, 0.93, 0.93}, 0.97},
        {&bimodal, 1, {0.70, 0.90, 0.93}, 0.97},   {&heavy_tails, 1, {0.93, 0.93, 0.93}, 0.99},
        {&disturbed, 1, {0.80, 0.70, 0.70}, 0.99},
    };
    static const size_t units[] = {3, 5, 10};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t j = 0; j < COUNT_OF(units); j++) {
            double covered = coverage(cases[i].world, units[j] * cases[i].per_unit);

            print_message("%s, %zu launches: coverage %.3f\n", cases[i].world->name, units[j],
                          covered);
            assert_all((covered >= cases[i].least[j]), (covered <= cases[i].most));
        }
    }
}

/* Return how many launches to add to the first N of LAUNCHES: if PLANNED, as many as a plan for
 * HALF_WIDTH chooses; else as many as without a plan. */
static size_t count_further_launches(const struct launch *launches, size_t n, double half_width,
                                     bool planned)
{
    static const struct launches_times times = {0.001, 0.3, 0.1};
    struct launches_spread spread;
    struct launches_plan plan;

    if (!planned)
        return launches_further(n, NULL);
    launches_spread(launches, n, &spread);
    launches_plan(&spread, 100, &times, half_width, &plan);
    return launches_further(n, &plan);
}

/* Begin with 5 launches. Add launches until an interval's half-width is at most HALF_WIDTH, then
 * add once more, whatever the next interval is. There are at most MOST launches. Increment *COVERED
 * if the final interval covers the true mean, 0. Returns the number of launches. */
static size_t make_until_narrow(gsl_rng *rng, const struct world *world, double half_width,
                                bool planned, int *covered)
{
    struct launch launches[MOST];
    const struct precision precision = {.ns = 2 * half_width};
    struct interval interval;
    bool was_narrow = false;
    size_t n = 5, more;

    draw(rng, world, launches, MOST);
    launches_estimate(launches, n, &interval);
    while (!precision_ends(&was_narrow, precision_reached(&precision, &interval)) && n < MOST) {
        more = count_further_launches(launches, n, half_width, planned);
        n = n + more < MOST ? n + more : MOST;
        launches_estimate(launches, n, &interval);
    }
    *covered += covers(&interval, 0);
    return n;
}

/* A run that stops at a narrow interval favours launches that agree by chance, so coverage is
 * lower. */
TEST_CASE(coverage_of_a_stopped_run)
{
    static const struct {
        const struct world *world;
        double half_widths[3]; /* half-widths that are reached soon, later and late */
        double least;
    } cases[] = {
        {&one_level, {6, 3.5, 2.3}, 0.93},
        {&heavy_tails, {40, 24, 16}, 0.92},
        {&bimodal, {370, 215, 140}, 0.89},
    };
    gsl_rng *rng = seeded(17);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t j = 0; j < 6; j++) {
            const double half_width = cases[i].half_widths[j / 2];
            const bool planned = j % 2;
            const int trials = planned ? TRIALS / 4 : TRIALS; /* planning takes milliseconds */
            int covered = 0;
            size_t made = 0;

            for (int trial = 0; trial < trials; trial++)
                made += make_until_narrow(rng, cases[i].world, half_width, planned, &covered);
            print_message("%s, to +-%g%s: %.1f launches, coverage %.3f\n", cases[i].world->name,
                          half_width, planned ? ", by plan" : "", (double)made / trials,
                          (double)covered / trials);
            assert_true(covered >= (cases[i].least - (planned ? 0.02 : 0)) * trials);
        }
    }
}

TEST_CASE(rounds_decide)
{
    static const struct launch alike[] = {{1, 100, 8}, {2, 100, 8}, {3, 100, 8}, {4, 100, 8}};
    struct interval interval;

    launches_estimate(alike, 1, &interval);
    assert_near(interval.high - 100, 1.96 * 8, 0.01);
    launches_estimate(alike, 4, &interval);
    assert_all((interval.estimate, 100, 0), (100 - interval.low, 1.96 * 8 / 2, 0.01),
               (launches_scope(alike, 1), LAUNCHES_CONNECTION),
               (launches_scope(alike, 2), LAUNCHES_PROGRAM));
}

/* Computed by hand: the means of the two server processes are 20 and 40, and count alike although
 * their numbers of launches differ. */
TEST_CASE(units_are_servers)
{
    static const struct launch launches[] = {{7, 10, 0}, {3, 40, 0}, {7, 30, 0}, {7, 20, 0}};
    static const struct launch one_server[] = {{7, 10, 0}, {7, 30, 0}, {7, 20, 0}};
    struct interval interval;

    launches_estimate(launches, 4, &interval);
    assert_near(interval.estimate, 30, 1e-9);
    assert_near(interval.high - 30, 12.7062 * sqrt(200) / sqrt(2), 0.01);
    launches_estimate(one_server, 3, &interval);
    assert_near(interval.high - 20, 4.30265 * 10 / sqrt(3), 0.001);
    assert_int_equal(launches_scope(one_server, 3), LAUNCHES_SERVER);
}

/* Computed by hand for two servers with two launches each, {0, 2} and {4, 6}: the means are 1 and
 * 5. The mean squares are 16 between servers, and 2 within servers, of which the rounds cause 1.
 * With one launch for each server, the servers' variance is 2 minus that of the rounds. */
TEST_CASE(spread_by_hand)
{
    static const struct launch launches[] = {{0, 0, 1}, {0, 2, 1}, {1, 4, 1}, {1, 6, 1}};
    const struct {
        size_t first, n;
        double clients, servers;
    } cases[] = {{0, 4, 1, sqrt(7)}, {0, 2, 1, NAN}, {1, 2, NAN, 1}, {0, 1, NAN, NAN}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct launches_spread spread;

        launches_spread(&launches[cases[i].first], cases[i].n, &spread);
        assert_near(spread.rounds, 1, 1e-12);
        assert_figure(spread.clients, cases[i].clients, 1e-12);
        assert_figure(spread.servers, cases[i].servers, 1e-12);
    }
}

/* On average, the true standard deviations of 40, 20 and 10 are found, although servers have
 * unequal numbers of launches. If launches explain all variance between servers, the servers'
 * variance is 0. */
TEST_CASE(spread_is_unbiased)
{
    static const size_t numbers[] = {1, 2, 3, 5, 2, 4};
    gsl_rng *rng = seeded(5);
    double rounds = 0, clients = 0, servers = 0;
    struct launches_spread spread;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct launch launches[MOST];
        size_t n = 0;

        for (unsigned i = 0; i < COUNT_OF(numbers); i++) {
            double server = gsl_ran_gaussian(rng, 40);

            for (size_t j = 0; j < numbers[i]; j++)
                launches[n++] = (struct launch){
                    i, server + gsl_ran_gaussian(rng, 20) + gsl_ran_gaussian(rng, 10), 10};
        }
        launches_spread(launches, n, &spread);
        rounds += spread.rounds * spread.rounds / TRIALS;
        clients += spread.clients * spread.clients / TRIALS;
        servers += spread.servers * spread.servers / TRIALS;
    }
    assert_all((sqrt(rounds), 10, 1e-9), (sqrt(clients), 20, 0.6), (sqrt(servers), 40, 1.5));
    launches_spread((const struct launch[]){{0, 0, 0}, {0, 9, 0}, {1, 1, 0}, {1, 8, 0}}, 4,
                    &spread);
    assert_near(spread.servers, 0, 0);
}

/* Return the half-width of a plan, by its definition. DEVIATION: standard deviations between
 * rounds, clients and servers. */
static double half_width(const double deviation[3], size_t servers, size_t clients, size_t rounds)
{
    double variance = pow(deviation[2], 2) + pow(deviation[1], 2) / (double)clients +
                      pow(deviation[0], 2) / (double)(clients * rounds);

    return student_975((double)(servers - 1)) * sqrt(variance / (double)servers);
}

static double seconds(const struct launches_times *times, size_t servers, size_t clients,
                      size_t rounds)
{
    double launch = times->client + (double)rounds * times->round;

    return (double)servers * (times->server + (double)clients * launch);
}

/* A plan takes at most 15 % longer than the quickest of all plans with less than 30 clients, 20000
 * rounds and 200 servers. */
TEST_CASE(plan_is_near_the_best)
{
    static const double deviations[][3] = {{400, 30, 100}, {400, 100, 30}, {2000, 30, 30}};
    static const struct launches_times times = {0.002, 0.1, 0.5};

    for (size_t i = 0; i < COUNT_OF(deviations); i++) {
        const double *deviation = deviations[i];
        struct launches_spread spread = {deviation[0] / 10, deviation[1], deviation[2]};
        struct launches_plan plan;
        double best = INFINITY;

        launches_plan(&spread, 100, &times, 20, &plan);
        assert_true(half_width(deviation, plan.servers, plan.clients, plan.rounds) <= 20);
        assert_near(plan.seconds, seconds(&times, plan.servers, plan.clients, plan.rounds), 1e-6);
        for (size_t clients = 1; clients < 30; clients++)
            for (size_t rounds = LAUNCHES_LEAST_ROUNDS; rounds < 20000; rounds += rounds / 8)
                for (size_t servers = LAUNCHES_LEAST; servers < 200; servers++)
                    if (half_width(deviation, servers, clients, rounds) <= 20) {
                        best = fmin(best, seconds(&times, servers, clients, rounds));
                        break;
                    }
        print_message("planned %zu x %zu x %zu: %.1f s, the best %.1f s\n", plan.servers,
                      plan.clients, plan.rounds, plan.seconds, best);
        assert_true(plan.seconds <= 1.15 * best);
    }
}

/* If all launches have the same server, the deviation between servers is unknown. If each launch
 * has its own server, the deviation between clients is unknown. */
TEST_CASE(plan_without_a_level)
{
    static const struct launches_times times = {0.002, 0.1, 0.5};
    const struct launches_spread one_server = {10, 50, NAN}, one_client = {10, NAN, 50};
    struct launches_plan plan;

    launches_plan(&one_server, 100, &times, 20, &plan);
    assert_int_equal(plan.servers, 1);
    assert_in_range(plan.clients, 25, 40); /* 2 x 50 / sqrt(n) is 20 */
    assert_near(plan.seconds, 0.5 + (double)plan.clients * (0.1 + (double)plan.rounds * 0.002),
                1e-9);
    launches_plan(&one_client, 100, &times, 20, &plan);
    assert_int_equal(plan.clients, 1);
    assert_in_range(plan.servers, 25, 40);
    launches_plan(&(struct launches_spread){10, 0, 0}, 100, &times, 1, &plan);
    assert_in_range(plan.rounds, 15410, 15420); /* 2.776 x 100 / sqrt(5 x rounds) is 1 */
    assert_int_equal(plan.servers, LAUNCHES_LEAST);
    launches_plan(&(struct launches_spread){0, 0, 0}, 100, &times, 1, &plan);
    assert_int_equal(plan.rounds, LAUNCHES_LEAST_ROUNDS);
}

TEST_CASE(further)
{
    const struct launches_plan few = {.servers = 6, .clients = 1};
    const struct launches_plan many = {.servers = 10, .clients = 4};

    assert_int_equal(launches_further(5, NULL), 2);
    assert_int_equal(launches_further(5, &few), 2); /* half of 5: more than the plan lacks */
    assert_all((launches_further(5, &many), 35), (launches_further(40, &many), 20));
}

TEST_CASE(disturbed)
{
    static const size_t numbers[] = {LAUNCHES_LEAST, 7, 10, 20, 64};

    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const size_t n = numbers[i], most = LAUNCHES_DISTURBED_MOST;
        gsl_rng *rng = seeded(7);
        int covered = 0;

        for (int run = 0; run < 1000; run++) {
            struct launch launches[64];
            struct interval interval;
            double by = gsl_ran_flat(rng, 0, 20);

            for (size_t j = 0; j < n; j++)
                launches[j] =
                    (struct launch){.server = (uint32_t)j,
                                    .estimate = gsl_ran_gaussian(rng, 1) + (j < most ? by : 0)};
            launches_estimate(launches, n, &interval);
            covered += interval.low <= 0 && interval.high >= 0;
        }
        print_message("%zu launches, %zu disturbed: covered %.1f %%\n", n, most, covered / 10.0);
        assert_in_range(covered, 920, 1000);
    }
}

/* Return the share of 300 measurements in which two levels are found. */
static double two_levels_found(const struct world *world, size_t n)
{
    gsl_rng *rng = seeded(3);
    int found = 0;

    for (int i = 0; i < 300; i++) {
        struct launch launches[MOST];
        struct launches_levels levels;
        struct error error;

        draw(rng, world, launches, n);
        assert_int_equal(launches_levels(launches, n, &levels, &error), 0);
        assert_int_equal(levels.members[0] + levels.members[1], n);
        found += levels.groups == 2;
    }
    return found / 300.0;
}

TEST_CASE(levels_found)
{
    static const size_t numbers[] = {5, 10, 20};
    /* for each of NUMBERS, least share in which levels are found that are 20 deviations apart */
    static const double power[] = {0.5, 0.9, 0.99};

    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        double of_normal = two_levels_found(&normal, numbers[i]);
        double of_exponential = two_levels_found(&exponential, numbers[i]);
        double of_two = two_levels_found(&bimodal, numbers[i]);

        print_message("%zu launches: two levels found in %.3f of normal, %.3f of exponential, "
                      "%.3f of bimodal\n",
                      numbers[i], of_normal, of_exponential, of_two);
        assert_all((of_normal <= 0.03), (of_exponential <= 0.09), (of_two >= power[i]));
    }
}

TEST_CASE(levels_by_hand)
{
    static const struct launch launches[] = {{0, 1230, 9}, {1, 1834, 9}, {2, 1221, 9},
                                             {3, 1239, 9}, {4, 1820, 9}, {5, 1235, 9},
                                             {6, 1840, 9}, {7, 1225, 9}};
    struct launches_levels levels;
    struct error error;

    assert_all((launches_levels(launches, 8, &levels, &error), 0), (levels.groups, 2),
               (levels.level[0], 1230, 1e-9), (levels.level[1], 5494.0 / 3, 1e-9),
               (levels.members[0], 5), (levels.members[1], 3), (levels.p < 0.01),
               (launches_levels(launches, 4, &levels, &error), 0), (levels.groups, 1),
               (levels.p, 1, 0));
}

/* Compare N launches, with a standard deviation of 50, with M launches, with one of 100. Set
 * *CALLED to the share of trials in which a difference of SHIFT is significant, and *COVERED to the
 * share of trials whose interval covers SHIFT. */
static void compare_often(size_t n, size_t m, double shift, double *called, double *covered)
{
    gsl_rng *rng = seeded(31);

    *called = *covered = 0;
    for (int i = 0; i < TRIALS; i++) {
        struct launch first[MOST], second[MOST];
        struct comparison comparison;

        draw(rng, &normal, first, n);
        draw(rng, &normal, second, m);
        for (size_t j = 0; j < m; j++)
            second[j].estimate = 2 * second[j].estimate - 1000 + shift;
        assert_true(comparison_of_launches(&comparison, first, n, second, m));
        *called += (comparison.p < 0.05) / (double)TRIALS;
        *covered += covers(&comparison.difference, shift) / (double)TRIALS;
        assert_near(comparison.adjusted_p, comparison.p, 0);
    }
}

/* Tolerance: four standard deviations of 2000 trials at 5 % are 2 points. */
TEST_CASE(comparison)
{
    static const size_t numbers[][2] = {{3, 3}, {5, 5}, {10, 5}, {20, 20}};
    double called, covered;

    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        compare_often(numbers[i][0], numbers[i][1], 0, &called, &covered);
        print_message("%zu and %zu launches: called different %.3f, covered %.3f\n", numbers[i][0],
                      numbers[i][1], called, covered);
        assert_all((called, 0.05, 0.02), (covered, 0.95, 0.02));
    }
    compare_often(20, 20, 150, &called, &covered); /* a shift of 6 standard errors */
    assert_all((called > 0.99), (covered, 0.95, 0.02));
}

/* Computed by hand: the means are 10 and 16, the squared standard errors 1 and 4. So t is 6 /
 * sqrt(5), with 25 / 8.5 degrees of freedom. */
TEST_CASE(comparison_by_hand)
{
    const double s = sqrt(3) / 2, w = sqrt(12) / 2;
    const struct launch a[] = {{0, 10 - 2 * s, 0}, {1, 10, 0}, {2, 10 + 2 * s, 0}};
    const struct launch b[] = {{0, 16 - 2 * w, 0}, {1, 16, 0}, {2, 16 + 2 * w, 0}};
    struct comparison comparison;

    assert_all((comparison_of_launches(&comparison, a, 3, b, 3)),
               (comparison.first.estimate, 10, 1e-9), (comparison.difference.estimate, 6, 1e-9),
               (comparison.p, student_p(6 / sqrt(5), 25 / 8.5), 1e-9),
               (comparison.difference.high - 6, student_975(25 / 8.5) * sqrt(5), 1e-6));
}

/* If one side has a single launch, the deviation of the other side is used. Two sides with one
 * launch each can't be distinguished. */
TEST_CASE(single_launches)
{
    static const struct launch many[] = {{0, 90, 5}, {1, 100, 5}, {2, 110, 5}},
                               one[] = {{0, 160, 5}};
    struct comparison comparison;

    assert_all((comparison_of_launches(&comparison, many, 3, one, 1)),
               (comparison.p, student_p(60 / (10 * sqrt(1 + 1.0 / 3)), 2), 1e-9),
               (!comparison_of_launches(&comparison, many, 1, one, 1)), (comparison.p, 1, 0),
               (comparison.adjusted_p, 1, 0), (comparison.difference.estimate, 70, 1e-9),
               (isinf(comparison.difference.high) && isinf(comparison.difference.low)),
               (comparison.second.high, 160 + 1.96 * 5, 0.01));
}
