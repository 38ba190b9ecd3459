/* Two sides in several launches: the differences within each launch are merged and judged. That
 * they are read back as they were written: tests/golden. */
#include "test.h"

#include "output/versus.h"
#include "simulation.h"

enum { LAUNCHES = 5, OPS = 3, ROUNDS = 2, TRIALS = 1000 };

static const char *const names[OPS] = {"null", "null_control", "getattr"};
static const enum result_role roles[OPS] = {RESULT_NULL, RESULT_NULL_CONTROL, RESULT_OP};

/* A side: its ops, and its launches with a server each. */
struct side {
    double blocks[ROUNDS];
    struct result_op ops[OPS];
    struct result_launch launches[LAUNCHES];
    struct result result;
};

static struct side sides[2];

static void make_side(struct side *side)
{
    *side = (struct side){.blocks = {1000, 1000}};
    for (size_t i = 0; i < OPS; i++)
        side->ops[i] = (struct result_op){.op = names[i],
                                          .role = roles[i],
                                          .baseline = i ? side->ops : NULL,
                                          .blocks = side->blocks,
                                          .has_above_null = i > 0,
                                          .above_null.cost = {1, 0, 2}};
    for (unsigned i = 0; i < LAUNCHES; i++)
        side->launches[i] = (struct result_launch){.server = i, .rounds = ROUNDS};
    side->result = (struct result){.ops = side->ops,
                                   .op_count = OPS,
                                   .null_calls = &side->ops[0],
                                   .null_control = &side->ops[1],
                                   .rounds = {.done = ROUNDS, .planned = ROUNDS},
                                   .launches = side->launches,
                                   .launch_count = LAUNCHES,
                                   .launches_planned = LAUNCHES};
}

static void set(struct comparison *comparison, double first, double difference, double half_width)
{
    comparison->first = (struct interval){first, NAN, NAN};
    comparison->second = (struct interval){first + difference, NAN, NAN};
    comparison->difference =
        (struct interval){difference, difference - half_width, difference + half_width};
}

/* A launch of both sides: GETATTR costs FIRST in A, and DIFFERENCE more in B. */
static void make_launch(struct versus_result *launch, double first, double difference)
{
    struct error error;

    *launch = (struct versus_result){
        .first = &sides[0].result, .second = &sides[1].result, .has_control = true};
    assert_int_equal(versus_pair_up(launch, &error), 0);
    set(&launch->null_control, 0, 0, 1);
    set(&launch->null_control_mean, 0, 0, 1);
    for (size_t i = 0; i < launch->count; i++)
        for (enum versus_quantity j = 0; j < VERSUS_QUANTITIES; j++) {
            struct versus_part *part = &launch->rows[i].parts[j];

            part->known =
                j == VERSUS_ROUND_TRIP ||
                (i > 0 && (j == VERSUS_NETWORK || j == VERSUS_ABOVE_NULL || j == VERSUS_MEAN));
            set(&part->comparison, i > 0 ? first : 1000, i > 0 ? difference : 0, 2);
        }
}

static void merge(struct versus_result *merged, struct versus_result launches[LAUNCHES])
{
    struct error error;

    assert_int_equal(
        versus_merge(merged, launches, LAUNCHES, &sides[0].result, &sides[1].result, &error), 0);
    for (size_t i = 0; i < LAUNCHES; i++)
        versus_free(&launches[i]);
}

FIXTURE(set_up, make_side(&sides[0]), make_side(&sides[1]), 0)

/* By hand: differences of 90 to 110 while costs vary from 1000 to 2000. */
TEST_CASE_WITH(differences_are_taken_within_launches, set_up, NULL)
{
    static const double firsts[LAUNCHES] = {1000, 2000, 1500, 1100, 1900};
    static const double differences[LAUNCHES] = {90, 110, 100, 95, 105};
    const double error = sqrt(62.5 / LAUNCHES), student = 2.7764451; /* four degrees of freedom */
    struct versus_result launches[LAUNCHES], merged;
    const struct versus_part *part;

    for (size_t i = 0; i < LAUNCHES; i++)
        make_launch(&launches[i], firsts[i], differences[i]);
    merge(&merged, launches);
    part = &merged.rows[1].parts[VERSUS_ABOVE_NULL];
    assert_all((merged.rows[1].first->op, "getattr"), (part->comparison.first.estimate, 1500, 1e-9),
               (part->comparison.second.estimate, 1600, 1e-9),
               (part->comparison.difference.estimate, 100, 1e-9),
               (part->comparison.difference.high - 100, student * error, 1e-4),
               (part->comparison.p < 1e-4), (part->word, COMPARISON_SLOWER),
               (part->launches[1].estimate, 110, 0), (merged.rows[1].parts[VERSUS_MEAN].judged),
               (!merged.rows[1].parts[VERSUS_SERVER].known),
               (merged.rows[0].parts[VERSUS_ROUND_TRIP].word, COMPARISON_SAME));
    /* The sides vary together: the ratio is known, although neither side is. */
    assert_near(part->ratio.estimate, 1600.0 / 1500, 1e-9);
    assert_true(part->ratio.low > 1 && part->ratio.high < 1.2);
    versus_free(&merged);
}

/* How often GETATTR is called different, in any way, if launches vary by 300 ns on both sides
 * alike, their differences by 30, and B takes SHIFT more. */
static double called_different(double shift)
{
    gsl_rng *rng = seeded(23);
    int called = 0;

    for (int i = 0; i < TRIALS; i++) {
        struct versus_result launches[LAUNCHES], merged;
        bool any = false;

        for (size_t j = 0; j < LAUNCHES; j++)
            make_launch(&launches[j], 1500 + gsl_ran_gaussian(rng, 300),
                        shift + gsl_ran_gaussian(rng, 30));
        merge(&merged, launches);
        for (size_t j = 0; j < merged.count; j++)
            for (enum versus_quantity k = 0; k < VERSUS_QUANTITIES; k++)
                any = any || (merged.rows[j].parts[k].judged &&
                              merged.rows[j].parts[k].word != COMPARISON_SAME);
        called += any;
        versus_free(&merged);
    }
    return (double)called / TRIALS;
}

/* Four standard deviations of 1000 trials at 5 % are 3 points. */
TEST_CASE_WITH(false_alarms_and_power, set_up, NULL)
{
    double same = called_different(0), slower = called_different(100);

    print_message("identical: called different %.3f; 100 ns in 1500 +- 300: %.3f\n", same, slower);
    assert_all((same <= 0.08), (slower >= 0.8));
}
