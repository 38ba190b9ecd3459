/* Two sides in several launches: the differences within each launch are merged and judged; and
 * figures of cells. tests/golden tests that results are read back as they were written. */
#include "test.h"

#include "simulation.h"
#include "sweep/experiment.h"

enum { LAUNCHES = 5, OPS = 3, TRIALS = 1000 };

static const char *const names[OPS] = {"null", "null_control", "getattr"};

/* A launch of both sides, as read from a file. */
struct launch_of_sides {
    struct experiment_cell cells[2 * OPS];
    struct experiment_contrast contrasts[OPS * QUANTITIES];
    struct experiment_result result;
};

static struct result side = {.validity = {.verdict = VERDICT_OK}};
static struct variant variants[2] = {{.other = "A"}, {.other = "B"}};
static const struct experiment_plan plan = {
    .preset = PRESET_VERSUS, .variants = variants, .count = 2};

static void set(struct comparison *comparison, double first, double difference, double half_width)
{
    comparison->first = (struct interval){first, first, first};
    comparison->second = (struct interval){first + difference, first, first};
    comparison->difference =
        (struct interval){difference, difference - half_width, difference + half_width};
}

/* Return whether QUANTITY of OP is known: null has only a round trip, its control only costs. */
static bool is_known(size_t op, enum quantity quantity)
{
    return op == 0   ? quantity == QUANTITY_ROUND_TRIP
           : op == 1 ? quantity == QUANTITY_ABOVE_NULL || quantity == QUANTITY_MEAN
                     : quantity <= QUANTITY_ABOVE_NULL || quantity == QUANTITY_MEAN;
}

/* Make LAUNCH, in which GETATTR costs FIRST ns in A, and DIFFERENCE more in B. */
static void make_launch(struct launch_of_sides *launch, double first, double difference)
{
    struct experiment_result *result = &launch->result;

    *launch = (struct launch_of_sides){.result = {.preset = PRESET_VERSUS,
                                                  .cells = launch->cells,
                                                  .cell_count = 2 * OPS,
                                                  .contrasts = launch->contrasts}};
    for (size_t i = 0; i < 2 * OPS; i++)
        launch->cells[i] =
            (struct experiment_cell){.op = names[i % OPS],
                                     .variant = variants[i / OPS].other,
                                     .setting = {.clients = 1, .connections = 1, .depth = 1},
                                     .units = 1};
    for (size_t i = 0; i < OPS; i++)
        for (enum quantity q = 0; q < QUANTITIES; q++) {
            struct experiment_contrast *contrast = &launch->contrasts[result->contrast_count];

            if (!is_known(i, q))
                continue;
            *contrast = (struct experiment_contrast){.first = i, .second = OPS + i, .quantity = q};
            set(&contrast->comparison, i == 2 ? first : 1000, i == 2 ? difference : 0,
                i == 1 ? 1 : 2);
            result->contrast_count++;
        }
}

static void merge_launches(struct experiment_run *run,
                           const struct launch_of_sides launches[LAUNCHES])
{
    const struct experiment_result *results[LAUNCHES];
    struct error error;

    *run = (struct experiment_run){.result = {.first = &side, .second = &side}};
    for (size_t i = 0; i < LAUNCHES; i++)
        results[i] = &launches[i].result;
    assert_int_equal(experiment_merge(run, &plan, results, LAUNCHES, &error), 0);
}

static const struct experiment_contrast *of_getattr(const struct experiment_run *run,
                                                    enum quantity quantity)
{
    for (size_t i = 0; i < run->result.contrast_count; i++)
        if (run->result.contrasts[i].quantity == quantity &&
            run->result.contrasts[i].second == 2 * OPS - 1)
            return &run->result.contrasts[i];
    return NULL;
}

/* Values calculated by hand: differences of 90 to 110, while costs vary from 1000 to 2000. */
TEST_CASE(differences_are_taken_within_launches)
{
    static const double firsts[LAUNCHES] = {1000, 2000, 1500, 1100, 1900};
    static const double differences[LAUNCHES] = {90, 110, 100, 95, 105};
    const double error = sqrt(62.5 / LAUNCHES),
                 student = 2.7764451; /* 97.5 % quantile of Student's t, four degrees of freedom */
    static struct launch_of_sides launches[LAUNCHES];
    static struct experiment_run run;
    const struct experiment_contrast *cost;

    for (size_t i = 0; i < LAUNCHES; i++)
        make_launch(&launches[i], firsts[i], differences[i]);
    merge_launches(&run, launches);
    cost = of_getattr(&run, QUANTITY_ABOVE_NULL);
    assert_all((cost->comparison.first.estimate, 1500, 1e-9),
               (cost->comparison.second.estimate, 1600, 1e-9),
               (cost->comparison.difference.estimate, 100, 1e-9),
               (cost->comparison.difference.high - 100, student * error, 1e-4),
               (cost->comparison.p < 1e-4), (cost->word, COMPARISON_SLOWER),
               (cost->differences[1], 110, 0), (of_getattr(&run, QUANTITY_MEAN)->judged),
               (!of_getattr(&run, QUANTITY_NETWORK)->judged));
    assert_all((!of_getattr(&run, QUANTITY_SERVER)), (run.result.contrasts[0].judged),
               (run.result.contrasts[0].word, COMPARISON_SAME),
               (run.result.cells[0].units, LAUNCHES));
    /* Both sides vary together, so the ratio is precise although neither side is. */
    assert_near(cost->ratio.estimate, 1600.0 / 1500, 1e-9);
    assert_true(cost->ratio.low > 1 && cost->ratio.high < 1.2);
    experiment_run_free(&run);
}

/* Launches of two servers, whose mean differences are 100 and 200 ns, are two units. */
TEST_CASE(servers_are_the_units)
{
    enum { CLIENTS = 4 };
    static const double differences[CLIENTS] = {90, 110, 190, 210};
    static struct result sides[CLIENTS];
    static struct result_launch of[CLIENTS];
    static struct launch_of_sides launches[CLIENTS];
    static struct experiment_run run;
    const struct experiment_result *results[CLIENTS];
    const double student = 12.7062047; /* 97.5 % quantile of Student's t, one degree of freedom */
    struct error error;

    for (size_t i = 0; i < CLIENTS; i++) {
        of[i] = (struct result_launch){.server = (unsigned)i / 2};
        sides[i] = (struct result){.launches = &of[i], .launch_count = 1};
        make_launch(&launches[i], 1500, differences[i]);
        launches[i].result.first = launches[i].result.second = &sides[i];
        launches[i].cells[2].intervals[CELL_TYPICAL].estimate = 1000 + differences[i];
        results[i] = &launches[i].result;
    }
    run = (struct experiment_run){.result = {.first = &side, .second = &side}};
    assert_int_equal(experiment_merge(&run, &plan, results, CLIENTS, &error), 0);
    assert_near(of_getattr(&run, QUANTITY_ABOVE_NULL)->comparison.difference.high - 150,
                student * 50, 1e-3);
    assert_all((of_getattr(&run, QUANTITY_ABOVE_NULL)->units, CLIENTS),
               (run.result.cells[2].units, 2),
               (run.result.cells[2].figures[CELL_TYPICAL][0], 1100, 1e-9),
               (run.result.cells[2].figures[CELL_TYPICAL][1], 1200, 1e-9));
    experiment_run_free(&run);

    /* If the second server's first launch did not measure a cell, the server's unit has the figures
     * of its other launch. */
    launches[2].cells[2].units = 0;
    run = (struct experiment_run){.result = {.first = &side, .second = &side}};
    assert_int_equal(experiment_merge(&run, &plan, results, CLIENTS, &error), 0);
    assert_all((run.result.cells[2].units, 2),
               (run.result.cells[2].figures[CELL_TYPICAL][0], 1100, 1e-9),
               (run.result.cells[2].figures[CELL_TYPICAL][1], 1210, 1e-9));
    experiment_run_free(&run);
}

/* A cell whose rate is out of reach in every launch stays in the result. */
TEST_CASE(out_of_reach)
{
    static struct launch_of_sides launches[LAUNCHES];
    static struct experiment_run run;

    for (size_t i = 0; i < LAUNCHES; i++) {
        make_launch(&launches[i], 1500, 0);
        launches[i].result.contrast_count = 0;
        launches[i].cells[2].units = 0;
        launches[i].cells[2].out_of_reach = true;
        launches[i].cells[3].units = 0;
    }
    merge_launches(&run, launches);
    assert_all((run.result.cell_count, 2 * OPS - 1), (run.result.cells[2].out_of_reach));
    experiment_run_free(&run);
}

/* A cell that only one launch measured keeps that launch's interval. */
TEST_CASE(one_launch_gives_its_interval)
{
    static struct launch_of_sides launches[LAUNCHES];
    static struct experiment_run run;

    for (size_t i = 0; i < LAUNCHES; i++) {
        make_launch(&launches[i], 1500, 0);
        if (i > 0)
            launches[i].cells[2].units = 0;
    }
    launches[0].cells[2].intervals[CELL_TYPICAL] = (struct interval){1000, 950, 1060};
    merge_launches(&run, launches);
    assert_all((run.result.cells[2].units, 1),
               (run.result.cells[2].intervals[CELL_TYPICAL].estimate, 1000, 0),
               (run.result.cells[2].intervals[CELL_TYPICAL].low, 950, 0),
               (run.result.cells[2].intervals[CELL_TYPICAL].high, 1060, 0));
    experiment_run_free(&run);
}

/* A difference as large as the null control's is not reported. Reasons of both sides are kept. */
TEST_CASE(null_control_is_the_floor)
{
    static struct launch_of_sides launches[LAUNCHES];
    static struct experiment_run run;

    side.validity = (struct validity){.verdict = VERDICT_OK};
    validity_add_reason(&side.validity, VERDICT_SUSPECT, REASON_DRIFT, "it drifts");
    for (size_t i = 0; i < LAUNCHES; i++) {
        make_launch(&launches[i], 1500, 100 + (double)i);
        for (size_t j = 0; j < launches[i].result.contrast_count; j++)
            if (launches[i].contrasts[j].second == OPS + 1)
                set(&launches[i].contrasts[j].comparison, 0, i % 2 ? 200 : -180, 1);
    }
    merge_launches(&run, launches);
    assert_all((of_getattr(&run, QUANTITY_ABOVE_NULL)->floor > 110),
               (of_getattr(&run, QUANTITY_ABOVE_NULL)->word, COMPARISON_SAME),
               (run.result.validity.verdict, VERDICT_SUSPECT), (run.result.validity.count, 2));
    assert_all((run.result.validity.reasons[1].text, "B: it drifts"),
               (run.result.validity.reasons[0].variant, "A"),
               (run.result.validity.reasons[1].variant, "B"));
    experiment_run_free(&run);
    side.validity = (struct validity){.verdict = VERDICT_OK};
}

/* Return the share of trials in which a judged difference is reported. B takes SHIFT ns more than
 * A. Standard deviation between launches: 300 ns, the same on both sides; 30 ns of B - A. */
static double called_different(double shift)
{
    gsl_rng *rng = seeded(23);
    int called = 0;

    for (int i = 0; i < TRIALS; i++) {
        static struct launch_of_sides launches[LAUNCHES];
        static struct experiment_run run;
        bool any = false;

        for (size_t j = 0; j < LAUNCHES; j++)
            make_launch(&launches[j], 1500 + gsl_ran_gaussian(rng, 300),
                        shift + gsl_ran_gaussian(rng, 30));
        merge_launches(&run, launches);
        for (size_t j = 0; j < run.result.contrast_count; j++)
            any |=
                run.result.contrasts[j].judged && run.result.contrasts[j].word != COMPARISON_SAME;
        called += any;
        experiment_run_free(&run);
    }
    return (double)called / TRIALS;
}

/* False alarms: at most 5 % plus four standard deviations (3 %). 100 ns: found in 80 % or more. */
TEST_CASE(false_alarms_and_power)
{
    double same = called_different(0), slower = called_different(100);

    print_message("identical: called different %.3f; 100 ns in 1500 +- 300: %.3f\n", same, slower);
    assert_all((same <= 0.08), (slower >= 0.8));
}

/* The rate has no interval if the interval of the mean reaches 0, because rounds vary much. */
TEST_CASE(rates_of_unsteady_rounds_have_no_interval)
{
    static const double steady[] = {10, 11, 10, 11, 10, 11}, unsteady[] = {10, 11, 10, 400, 10, 11};
    struct result_op op = {.rate_per_s = 1000, .latency.mean = 10.5, .round_trip = {10, 9, 11}};
    struct interval within[CELL_FIGURES];
    double figures[CELL_FIGURES];

    side.rounds.done = 6;
    op.blocks = op.block_means = steady;
    cell_fill_latencies(figures, within, &side, &op);
    assert_true(within[CELL_RATE].low < 1000 && within[CELL_RATE].high > 1000);
    op.block_means = unsteady;
    cell_fill_latencies(figures, within, &side, &op);
    assert_true(within[CELL_MEAN].low < 0 && within[CELL_MEAN].high > 10.5);
    assert_all((within[CELL_RATE].estimate, 1000, 0), (isnan(within[CELL_RATE].low)),
               (isnan(within[CELL_RATE].high)));
    side.rounds.done = 0;
}

/* Return FIGURE of OP's cell, in a result of six rounds. */
static double figure_of(struct result_op *op, enum cell_figure figure)
{
    static const double blocks[] = {10, 11, 10, 11, 10, 11};
    struct interval within[CELL_FIGURES];
    double figures[CELL_FIGURES];

    side.rounds.done = COUNT_OF(blocks);
    op->blocks = op->block_means = blocks;
    cell_fill_latencies(figures, within, &side, op);
    side.rounds.done = 0;
    return figures[figure];
}

/* Over TCP the share is unknown, because the kernel retransmits, and calls repeated after a
 * reconnection were not lost. */
TEST_CASE(calls_sent_again_are_a_share_over_udp)
{
    struct result_op op = {.calls = 200, .retransmissions = 3, .retransmissions_known = true};

    assert_true(isnan(figure_of(&op, CELL_RESENT)));
    side.target.transport = "UDP";
    assert_near(figure_of(&op, CELL_RESENT), 0.015, 1e-9);
    op.retransmissions_known = false;
    assert_true(isnan(figure_of(&op, CELL_RESENT)));
    side.target.transport = NULL;
}

/* The number of waiting calls is known only if the mount's statistics have connections. */
TEST_CASE(calls_that_wait_for_a_slot_are_known_on_mounts)
{
    struct result_mounted mounted = {.connections = 1, .slots = 2, .backlog = 6.5};
    struct result_op op = {.mounted = &mounted};

    assert_near(figure_of(&op, CELL_SLOTS_WAITING), 6.5, 1e-9);
    mounted.connections = 0;
    assert_true(isnan(figure_of(&op, CELL_SLOTS_WAITING)));
    op.mounted = NULL;
    assert_true(isnan(figure_of(&op, CELL_SLOTS_WAITING)));
}
