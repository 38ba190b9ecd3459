/* The verdict on an experiment: its reasons near their thresholds; and the effect of delay. */
#include "test.h"

#include "common/random.h"
#include "sweep/experiment.h"

enum { POINTS = 4, REPEATS = 5 };

static struct experiment_cell points[POINTS];
static struct experiment_result sweep;
static struct experiment_doubts doubts;

/* Set up a sweep without doubts: 20 trials, in several passes over the points. */
static int set_up(void **state)
{
    memset(points, 0, sizeof points);
    sweep = (struct experiment_result){.cells = points, .cell_count = POINTS};
    doubts = (struct experiment_doubts){.all = 0};
    for (size_t i = 0; i < POINTS; i++) {
        points[i].setting = (struct cell_setting){1, 1, 1u << i, 4096, 0};
        points[i].units = REPEATS;
        points[i].intervals[CELL_NULL].estimate = 10000;
        for (size_t k = 0; k < REPEATS; k++) {
            points[i].order[k] = k * POINTS + i;
            points[i].figures[CELL_NULL][k] = 10000;
        }
    }
    for (size_t i = 0; i < (size_t)POINTS * REPEATS; i++)
        experiment_note_verdict(&doubts, &(struct validity){.verdict = VERDICT_OK});
    return 0;
}

static void set_up_search(void)
{
    sweep.objective_text = "p99<1ms";
    sweep.objective = (struct objective_result){.outcome = OBJECTIVE_FOUND, .probes = 20};
    sweep.probes = (struct experiment_probes){.calls_wanted = 1000, .calls_least = 1000};
    for (size_t i = 0; i < POINTS; i++)
        points[i].units = 1;
}

/* Expect VERDICT and only the reason NAME (NULL: none), whose text contains WORDS. */
static void expect(enum verdict verdict, const char *name, const char *words)
{
    const struct validity_reason *reason = sweep.validity.reasons;

    experiment_judge(&sweep, &doubts);
    assert_all((sweep.validity.verdict, verdict), (sweep.validity.count, name ? 1 : 0));
    if (!name)
        return;
    assert_all((reason->name, name), (reason->verdict, verdict));
    if (!strstr(reason->text, words))
        fail_msg("'%s'", reason->text);
}

static void expect_none(void)
{
    expect(VERDICT_OK, NULL, NULL);
}

/* Replace COUNT trials without doubts by trials with REASON. */
static void note(enum reason reason, size_t count)
{
    struct validity validity = {.verdict = VERDICT_SUSPECT, .count = 1};

    validity.reasons[0] =
        (struct validity_reason){reason, reason_name(reason), VERDICT_SUSPECT, "why"};
    for (size_t i = 0; i < count; i++) {
        doubts.all--; /* replaces a trial */
        experiment_note_verdict(&doubts, &validity);
    }
}

TEST_CASE_WITH(reasons_of_trials, set_up, NULL)
{
    expect_none();
    note(REASON_TOO_FEW_ROUNDS, 20); /* four reasons of single trials, which do not count */
    note(REASON_NOISE_FLOOR_TOO_HIGH, 20);
    note(REASON_CLIENT_CPU_BOUND, 20);
    note(REASON_RATE_NOT_REACHED, 20);
    note(REASON_PREEMPTED, 5);
    expect_none();
    note(REASON_PREEMPTED, 1);
    expect(VERDICT_SUSPECT, "preempted", "6 of 20 trials; first: why");
}

TEST_CASE_WITH(invalid_trials, set_up, NULL)
{
    points[1].invalid = 1;
    expect(VERDICT_SUSPECT, "invalid-trials", "1 of 20 trials");
    points[1].invalid = 3;
    expect(VERDICT_INVALID, "invalid-trials", "at 1 point, most");
    set_up_search(); /* a search has already repeated invalid trials */
    expect_none();
}

TEST_CASE_WITH(few_repeats, set_up, NULL)
{
    points[2].units = 3;
    expect_none();
    points[2].units = 2;
    expect(VERDICT_SUSPECT, "too-few-repeats", "2 trials per point");
    points[2].units = 0;
    points[2].out_of_reach = true;
    expect_none();
}

/* Set the time of null calls in the last two passes to NS. */
static void set_last_level(double ns)
{
    for (size_t i = 0; i < POINTS; i++)
        points[i].figures[CELL_NULL][REPEATS - 1] = points[i].figures[CELL_NULL][REPEATS - 2] = ns;
}

TEST_CASE_WITH(drift, set_up, NULL)
{
    set_last_level(10900);
    expect_none();
    set_last_level(11100);
    expect(VERDICT_SUSPECT, "drift", "+11 %");
    for (size_t i = 0; i < POINTS; i++) /* no null calls, no reference: not judged */
        points[i].intervals[CELL_NULL].estimate = NAN;
    expect_none();
}

TEST_CASE_WITH(little, set_up, NULL)
{
    points[3].has_little = true;
    points[3].little = (struct little){{0.01, 0, 0.02}, LITTLE_HOLDS};
    expect_none();
    points[3].little = (struct little){{0.05, 0.04, 0.06}, LITTLE_ABOVE};
    expect(VERDICT_SUSPECT, "little", "depth 8");
    points[3].little = (struct little){{-0.05, -0.06, -0.04}, LITTLE_BELOW};
    expect(VERDICT_SUSPECT, "little", "depth 8");
    /* without turn-around, calls may have waited for the client */
    points[3].intervals[CELL_TURN_AROUND].estimate = NAN;
    expect_none();
}

TEST_CASE_WITH(search, set_up, NULL)
{
    set_up_search();
    expect_none();
    sweep.probes.without_answer = 6;
    expect(VERDICT_SUSPECT, "probes-without-answer", "6 of 20 probes");
    sweep.probes.without_answer = 11;
    expect(VERDICT_INVALID, "probes-without-answer", "11 of 20 probes");
    sweep.probes.without_answer = 0;
    sweep.probes.calls_least = 46;
    expect(VERDICT_SUSPECT, "too-few-calls", "46 calls");
    sweep.probes.calls_least = 1000;
    sweep.objective.outcome = OBJECTIVE_UNCLEAR;
    expect(VERDICT_SUSPECT, "not-narrow", "20 probes");
}

/* Every reason counts, even an unknown one, unless it concerns only a single trial. A verdict has
 * space for all these reasons and for two reasons of the experiment. */
TEST_CASE_WITH(room, set_up, NULL)
{
    size_t counted = 0;

    for (enum reason reason = 0; reason <= REASONS; reason++) {
        struct validity one = {.count = 1, .reasons = {{reason, "a-name", VERDICT_SUSPECT, "why"}}};

        counted += !reason_has(reason, REASON_OF_UNIT);
        for (size_t i = 0; i < 8; i++)
            experiment_note_verdict(&doubts, &one);
        doubts.all = 20;
    }
    points[0].invalid = 5;
    points[1].units = 1;
    experiment_judge(&sweep, &doubts);
    assert_all((sweep.validity.count, counted + 2), (sweep.validity.verdict, VERDICT_INVALID));
}

/* Two ops over links with four delays; the second op needs two round trips. */
TEST_CASE_WITH(delays, set_up, NULL)
{
    struct experiment_cell cells[2 * POINTS];

    for (size_t i = 0; i < 2 * POINTS; i++) {
        struct experiment_cell *cell = &cells[i];

        *cell = points[0];
        cell->op = i < POINTS ? "getattr" : "walk";
        cell->has_link = true;
        cell->link.latency_ns = (double)(i % POINTS) * 50000;
        for (size_t unit = 0; unit < REPEATS; unit++) {
            cell->figures[CELL_TYPICAL][unit] =
                20000 + cell->link.latency_ns * (i < POINTS ? 2 : 4);
            cell->figures[CELL_TYPICAL_RATE][unit] = 1e9 / cell->figures[CELL_TYPICAL][unit];
        }
    }
    sweep.cells = cells;
    sweep.cell_count = 2 * POINTS;
    experiment_analyse(&sweep);
    assert_int_equal(sweep.delay_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_all((sweep.delays[i].op, i ? "walk" : "getattr"),
                   (sweep.delays[i].effect.round_trips.estimate, i ? 2 : 1, 1e-9),
                   (sweep.delays[i].effect.half_ns.estimate, i ? 5000 : 10000, 1e-6));
    /* no effect is reported if cells have the same delay; a cell whose link has another rate than
     * the other cells' links is ignored */
    sweep.delay_count = 0;
    for (size_t i = 0; i < 2 * POINTS; i++)
        cells[i].op = "getattr";
    experiment_analyse(&sweep);
    assert_int_equal(sweep.delay_count, 0);
    sweep.cell_count = POINTS;
    cells[0].link.rate = 1e8;
    experiment_analyse(&sweep);
    assert_all((sweep.delay_count, 1), (sweep.delays[0].effect.least_ns, 50000, 0));
}

/* Judge PASSES passes with two ratios each. PERCENTS: the mean change in each pass, percent. */
static struct validity judge_interference(const double *percents, size_t passes)
{
    struct experiment_interference interference = {.sums = {0}};
    struct validity validity = {.count = 0};

    for (size_t i = 0; i < passes; i++) {
        interference.sums[i] = 2 * log1p(percents[i] / 100);
        interference.ratios[i] = 2;
    }
    experiment_judge_interference(&validity, &interference);
    return validity;
}

TEST_CASE(interference)
{
    const double small[] = {2.8, 2.9, 2.9, 2.8, 2.9}, wide[] = {-20, 45, 30, -15, 10},
                 clear[] = {9, 10, 11, 10, 10}, faster[] = {-9, -10, -11};
    struct validity validity = judge_interference(clear, 5);

    assert_all((validity.count, 1), (validity.verdict, VERDICT_SUSPECT),
               (validity.reasons[0].name, "interference"));
    if (!strstr(validity.reasons[0].text, "+10.0 %") ||
        !strstr(validity.reasons[0].text, "5 passes") ||
        !strstr(validity.reasons[0].text, "use --group 1"))
        fail_msg("'%s'", validity.reasons[0].text);
    assert_all((judge_interference(faster, 3).count, 1), (judge_interference(clear, 2).count, 0),
               (judge_interference(small, 5).count, 0), (judge_interference(wide, 5).count, 0),
               (judge_interference(NULL, 0).count, 0));
}

/* If passes vary by 5 %: at most 5 % false alarms; an effect of 10 % is found in half or more. */
TEST_CASE(interference_of_passes_that_differ)
{
    enum { EXPERIMENTS = 2000, PASSES = 5 };
    const double effects[] = {0, 10};
    size_t alarms[2] = {0};
    struct random random;

    random_seed(&random, 20261);
    for (size_t i = 0; i < 2 * EXPERIMENTS; i++) {
        double percents[PASSES];

        for (size_t j = 0; j < PASSES; j++)
            percents[j] = effects[i % 2] + 5 * random_normal(&random);
        alarms[i % 2] += judge_interference(percents, PASSES).count;
    }
    print_message("of %d experiments: %zu false alarms, %zu found\n", EXPERIMENTS, alarms[0],
                  alarms[1]);
    if (alarms[0] > EXPERIMENTS / 20 || alarms[1] < EXPERIMENTS / 2)
        fail_msg("false alarms in %zu, found in %zu", alarms[0], alarms[1]);
}
