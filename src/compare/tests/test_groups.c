/* Comparing groups of files, which are replicates: how often equal groups are reported as
 * different, how often a difference is found, and which results a group needs. */
#include "test.h"

#include "compare/compare.h"
#include "simulation.h"

enum { OPS = 4, FILES = 5, LAUNCHES = 2, ROUNDS = 1, TRIALS = 800 };

static const char *const names[OPS] = {"null", "null_control", "getattr", "read"};
static const enum result_role roles[OPS] = {RESULT_NULL, RESULT_NULL_CONTROL, RESULT_OP, RESULT_OP};

/* A file with launches, each with its own server. */
struct file {
    double blocks[ROUNDS];
    struct result_op ops[OPS];
    struct result_op launch_ops[LAUNCHES][OPS];
    struct result_launch launches[LAUNCHES];
};

static struct file files[2][FILES];
static struct result results[2][FILES];

static void make_file(struct file *file, struct result *result)
{
    *file = (struct file){.blocks = {10000}};
    for (size_t i = 0; i < OPS; i++)
        file->ops[i] = (struct result_op){.op = names[i],
                                          .role = roles[i],
                                          .baseline = i ? file->ops : NULL,
                                          .blocks = file->blocks,
                                          .has_above_null = i > 0,
                                          .has_mean_cost = i > 0,
                                          .has_p99_cost = i > 0,
                                          .p99_cost = {0, -50, 50},
                                          .latency = {.p99 = 15000}};
    for (unsigned i = 0; i < LAUNCHES; i++)
        file->launches[i] = (struct result_launch){
            .server = i, .rounds = ROUNDS, .ops = file->launch_ops[i], .op_count = OPS};
    *result = (struct result){.path = "a.json",
                              .target = {.text = "self:", .transport = "TCP"},
                              .config = {.engine = "wire", .baseline = true},
                              .clock = {.name = "tsc"},
                              .rounds = {.done = ROUNDS, .planned = ROUNDS},
                              .ops = file->ops,
                              .op_count = OPS,
                              .null_calls = &file->ops[0],
                              .null_control = &file->ops[1],
                              .launches = file->launches,
                              .launch_count = LAUNCHES};
}

static struct interval about(double estimate)
{
    return (struct interval){estimate, estimate - 10, estimate + 10};
}

/* Distribution of a launch's typical costs (GETATTR, READ). Mean costs are larger and vary more. */
struct world {
    double deviation;  /* standard deviation of a launch's cost, ns */
    double two_levels; /* distance in ns of two equally likely levels of cost; 0 for one level */
    /* standard deviation of the part of the cost that all launches of a file share, ns */
    double drift;
    /* How much slower GETATTR is in the second group, ns: its typical cost by SHIFT, its mean cost
     * by SHIFT + MEAN, its p99 by SHIFT + P99. */
    double shift, mean, p99;
};

static void draw_launch(gsl_rng *rng, const struct world *world, bool second, double drift,
                        struct result_op ops[OPS])
{
    for (size_t i = 0; i < OPS; i++) {
        double level = drift + (gsl_ran_bernoulli(rng, 0.5) ? world->two_levels : 0);
        double cost = 1000 + level + gsl_ran_gaussian(rng, world->deviation);
        double rare = 300 + gsl_ran_gaussian(rng, 2 * world->deviation);
        double tail = 2000 + gsl_ran_gaussian(rng, 4 * world->deviation);
        bool shifted = second && i == 2;

        ops[i] = (struct result_op){
            .op = names[i],
            .has_above_null = i > 0,
            .has_mean_cost = i > 0,
            .has_p99_cost = i > 0,
            .p99_cost = {cost + tail + (shifted ? world->shift + world->p99 : 0), NAN, NAN},
            .above_null.cost = about(cost + (shifted ? world->shift : 0)),
            .mean_cost.cost = about(cost + rare + (shifted ? world->shift + world->mean : 0)),
            .round_trip = about(10000 + gsl_ran_gaussian(rng, world->deviation))};
    }
}

/* Each member is the share of all comparisons, 0 to 1, in which this was reported. */
struct found {
    double any;         /* any figure was judged different */
    double slower;      /* GETATTR's typical cost was judged larger */
    double mean_slower; /* GETATTR's mean cost was judged larger */
    double p99_slower;  /* GETATTR's p99 was judged larger */
    double failed;      /* the gate of 5 % and 50 ns failed */
};

static void count(const struct compare_pair *pair, struct found *found)
{
    const double one = 1.0 / TRIALS;
    bool any = false, failed = false;

    for (size_t i = 0; i < pair->row_count; i++) {
        any = any || pair->rows[i].word != COMPARISON_SAME;
        failed = failed || pair->rows[i].regression;
    }
    found->any += any ? one : 0;
    found->failed += failed ? one : 0;
    found->slower += pair->rows[1].word == COMPARISON_SLOWER ? one : 0;
    found->mean_slower += pair->rows[1].further[0]->word == COMPARISON_SLOWER ? one : 0;
    found->p99_slower += pair->rows[1].further[1]->word == COMPARISON_SLOWER ? one : 0;
}

static struct found compare_often(const struct world *world, size_t file_count)
{
    static const struct compare_threshold threshold = {.share = 0.05, .ns = 50};
    gsl_rng *rng = seeded(41);
    struct found found = {0};

    for (int trial = 0; trial < TRIALS; trial++) {
        struct compare_pair pair = {.first = results[0],
                                    .second = results[1],
                                    .first_count = file_count,
                                    .second_count = file_count};
        struct error error;

        for (size_t side = 0; side < 2; side++)
            for (size_t i = 0; i < file_count; i++) {
                const double drift = gsl_ran_gaussian(rng, world->drift);

                for (size_t j = 0; j < LAUNCHES; j++)
                    draw_launch(rng, world, side == 1, drift, files[side][i].launch_ops[j]);
            }
        assert_all((pair_compare(&pair, &threshold, NULL, &error), 0), (pair.count, 3),
                   (pair.rows[1].first->op, "getattr"),
                   (pair.rows[1].launches[0], file_count * LAUNCHES));
        count(&pair, &found);
        free(pair.rows);
    }
    return found;
}

static int set_up(void **state)
{
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < FILES; i++)
            make_file(&files[side][i], &results[side][i]);
    return 0;
}

/* At most 7 % of 800 comparisons may find a difference in null's test or in the family of six tests
 * (typical cost, mean cost and p99 of each op) at 5 %. With two levels, differences are not
 * checked, but at most 7 % of the gates may fail. */
TEST_CASE_WITH(false_alarms, set_up, NULL)
{
    static const struct world same = {.deviation = 50},
                              levels = {.deviation = 20, .two_levels = 600},
                              drifts = {.deviation = 50, .drift = 150};
    static const size_t counts[] = {COMPARE_REPLICATES_LEAST, FILES};

    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        struct found found = compare_often(&same, counts[i]);
        struct found bimodal = compare_often(&levels, counts[i]);
        struct found drifting = compare_often(&drifts, counts[i]);

        print_message("%zu files of %d launches: called different %.3f, on two levels %.3f, with a "
                      "drift %.3f; gates failed %.3f, %.3f, %.3f\n",
                      counts[i], LAUNCHES, found.any, bimodal.any, drifting.any, found.failed,
                      bimodal.failed, drifting.failed);
        assert_all((found.any <= 0.07), (found.failed <= found.any), (bimodal.failed <= 0.07),
                   (drifting.any <= 0.07), (drifting.failed <= 0.07));
    }
}

/* A difference of 200 ns with a deviation of 50 ns is nearly always found with 5 files per side and
 * usually with 3. If only the mean cost or the p99 is larger, the typical cost is not reported. */
TEST_CASE_WITH(power, set_up, NULL)
{
    static const struct world slower = {.deviation = 50, .shift = 200};
    static const struct world in_the_mean = {.deviation = 50, .mean = 600};
    static const struct world at_p99 = {.deviation = 50, .p99 = 1500};
    struct found typical = compare_often(&slower, FILES), mean = compare_often(&in_the_mean, FILES),
                 p99 = compare_often(&at_p99, FILES),
                 fewer = compare_often(&slower, COMPARE_REPLICATES_LEAST);

    print_message("200 ns more: typical %.3f, with 3 files %.3f, gate %.3f; 600 ns in the mean "
                  "alone: %.3f, gate %.3f, "
                  "typical %.3f; 1500 ns at p99 alone: %.3f, gate %.3f, typical %.3f\n",
                  typical.slower, fewer.slower, typical.failed, mean.mean_slower, mean.failed,
                  mean.slower, p99.p99_slower, p99.failed, p99.slower);
    assert_all((p99.p99_slower >= 0.9), (p99.failed >= 0.9), (p99.slower <= 0.02),
               (typical.slower >= 0.95), (fewer.slower >= 0.5), (typical.failed >= 0.95),
               (mean.mean_slower >= 0.9), (mean.failed >= 0.9), (mean.slower <= 0.02));
}

/* Set GETATTR's cost in launch I of file NUMBER of SIDE to COST + I, without noise. */
static void set_cost(size_t side, size_t number, double cost)
{
    for (size_t i = 0; i < LAUNCHES; i++)
        for (size_t j = 0; j < OPS; j++)
            files[side][number].launch_ops[i][j] =
                (struct result_op){.op = names[j],
                                   .has_above_null = j > 0,
                                   .above_null.cost = {j == 2 ? cost + (double)i : 500, NAN, NAN},
                                   .round_trip = {10000, NAN, NAN}};
}

/* Compare in PAIR the first COMPARE_REPLICATES_LEAST results of each side. COSTS has the cost of
 * GETATTR in each of them. */
static void compare_costs(const double costs[2][COMPARE_REPLICATES_LEAST],
                          struct compare_pair *pair)
{
    struct error error;

    *pair = (struct compare_pair){.first = results[0],
                                  .second = results[1],
                                  .first_count = COMPARE_REPLICATES_LEAST,
                                  .second_count = COMPARE_REPLICATES_LEAST};
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < COMPARE_REPLICATES_LEAST; i++)
            set_cost(side, i, costs[side][i]);
    assert_all((pair_compare(pair, NULL, NULL, &error), 0));
}

/* The units of the test are results, even if the launches of each result differ little. */
TEST_CASE_WITH(results_are_units, set_up, NULL)
{
    static const double same[2][COMPARE_REPLICATES_LEAST] = {{1000, 1200, 1400},
                                                             {1250, 1450, 1650}};
    static const double slower[2][COMPARE_REPLICATES_LEAST] = {{1000, 1010, 1020},
                                                               {1250, 1260, 1270}};
    struct compare_pair pair;
    struct interval *difference;

    compare_costs(same, &pair);
    difference = &pair.rows[1].comparison.difference;
    assert_all((pair.rows[1].word, COMPARISON_SAME), (difference->estimate, 250, 1e-6),
               /* 2.776 is t for 4 degrees of freedom; 200 sqrt(2 / 3) is the standard error */
               (difference->high - difference->estimate, 453.4, 0.1));
    free(pair.rows);
    compare_costs(slower, &pair);
    assert_all((pair.rows[1].word, COMPARISON_SLOWER),
               (pair.rows[1].launches[0], COMPARE_REPLICATES_LEAST * LAUNCHES));
    free(pair.rows);
}

/* If one result of a group lacks the cost of an op, that op is not compared. */
TEST_CASE_WITH(incomplete, set_up, NULL)
{
    static const double costs[2][COMPARE_REPLICATES_LEAST] = {{1000, NAN, 1400},
                                                              {1250, 1450, 1650}};
    struct compare_pair pair;

    compare_costs(costs, &pair);
    assert_all((pair.rows[1].word, COMPARISON_NOT_COMPARABLE), (pair.rows[2].word, COMPARISON_SAME),
               (pair.rows[1].reason, "not every result has it in its launches"));
    free(pair.rows);
}

TEST_CASE(fewer_are_refused)
{
    struct error error;

    assert_all((replicates_check(3, 4, &error), 0), (replicates_check(2, 3, &error), -EINVAL),
               (strstr(error.text, "A has 2 and B has 3:") != NULL),
               (replicates_check(5, 1, &error), -EINVAL), (error.kind, ERROR_USAGE));
}

/* Settings that differ within a side are noted once. */
TEST_CASE_WITH(notes_within_a_side, set_up, NULL)
{
    static const double costs[2][COMPARE_REPLICATES_LEAST] = {{1, 2, 3}, {1, 2, 3}};
    struct compare_pair pair;

    results[1][1].host.kernel = results[1][2].host.kernel = "Linux 6";
    results[1][0].host.kernel = results[0][0].host.kernel = "Linux 5";
    compare_costs(costs, &pair);
    assert_all((pair.note_count, 1),
               (pair.notes[0], "within B: the client's kernel Linux 5 against Linux 6"));
    free(pair.rows);
}
