/* The ladder's estimates: the cost of each step except the socket's is found despite drift, and the
 * printed steps add up to the sum. Which steps are distinguishable from noise. */

#include "measure/statistics/ladder.h"
#include "simulation.h"

enum { ROUNDS = 200, TRIALS = 300 };

/* The true costs of the steps, in ns. */
static const double truth[LADDER_RUNGS] = {
    [LADDER_TIMER] = 14, [LADDER_XDR] = 170,    [LADDER_ECHO] = 9000,
    [LADDER_NULL] = 700, [LADDER_ECHO_OP] = 40, [LADDER_OP] = 90,
};

struct rounds_of_rungs {
    double blocks[LADDER_RUNGS + 1][ROUNDS]; /* the last item is the control */
    struct series series[LADDER_RUNGS + 1];
    const struct series *by_rung[LADDER_RUNGS];
};

static double level_of(enum ladder_rung rung)
{
    double level = truth[rung];

    if (rung == LADDER_OP)
        level += truth[LADDER_ECHO_OP];
    for (; rung != LADDER_TIMER; rung = ladder_rungs[rung].above)
        level += truth[ladder_rungs[rung].above];
    return level;
}

/* Draw all rounds. The costs of all rungs with a socket have the same drift, which is far larger
 * than the small steps. */
static void draw_rungs(gsl_rng *rng, struct rounds_of_rungs *rungs)
{
    double drift = 0;

    for (size_t round = 0; round < ROUNDS; round++) {
        drift += gsl_ran_gaussian(rng, 100);
        for (unsigned i = 0; i <= LADDER_RUNGS; i++) {
            enum ladder_rung rung = i < LADDER_RUNGS ? i : LADDER_NULL;
            bool in_memory = rung == LADDER_TIMER || rung == LADDER_XDR;

            rungs->blocks[i][round] = level_of(rung) + gsl_ran_gaussian(rng, in_memory ? 1 : 30) +
                                      (in_memory ? 0 : drift);
        }
    }
    for (unsigned i = 0; i <= LADDER_RUNGS; i++)
        rungs->series[i].blocks[BLOCK_TRIMMED_MEAN] = rungs->blocks[i];
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        rungs->by_rung[i] = &rungs->series[i];
}

static double sum_of_steps(const struct ladder *ladder, bool with_xdr)
{
    double sum = 0;

    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        if (with_xdr || !ladder_rungs[i].beside)
            sum += ladder->steps[i].estimate;
    return sum;
}

/* Tolerance: five standard deviations of 300 trials at 5 % are 6.3 points. The step of the socket
 * and the level of the echo contain the drift, so they are not counted. */
TEST_CASE(steps_are_found)
{
    static const enum ladder_rung free_of_drift[] = {LADDER_TIMER, LADDER_XDR, LADDER_NULL,
                                                     LADDER_ECHO_OP, LADDER_OP};
    static struct rounds_of_rungs rungs;
    double covered[COUNT_OF(free_of_drift)] = {0}, control = 0;
    gsl_rng *rng = seeded(11);
    struct ladder ladder;
    struct error error;

    for (uint64_t i = 0; i < TRIALS; i++) {
        draw_rungs(rng, &rungs);
        assert_int_equal(
            ladder_estimate(&ladder, rungs.by_rung, &rungs.series[LADDER_RUNGS], ROUNDS, i, &error),
            0);
        for (size_t k = 0; k < COUNT_OF(free_of_drift); k++)
            covered[k] += covers(&ladder.steps[free_of_drift[k]], truth[free_of_drift[k]]);
        control += covers(&ladder.control, 0);
        assert_near(ladder.sum.estimate, sum_of_steps(&ladder, false), 1e-6);
        assert_near(ladder.whole.estimate, sum_of_steps(&ladder, true), 1e-6);
    }
    for (size_t k = 0; k < COUNT_OF(free_of_drift); k++) {
        print_message("%s: covered %.3f\n", ladder_rungs[free_of_drift[k]].step,
                      covered[k] / TRIALS);
        assert_near(covered[k] / TRIALS, 0.95, 0.063);
    }
    assert_near(control / TRIALS, 0.95, 0.063);
}

/* Medians of three rounds do not add up. The discrepancy is computed by hand. */
TEST_CASE(by_hand)
{
    static double values[LADDER_RUNGS + 1][3] = {
        [LADDER_TIMER] = {1, 1, 1},       [LADDER_XDR] = {5, 6, 7},
        [LADDER_ECHO] = {11, 21, 101},    [LADDER_NULL] = {31, 32, 111},
        [LADDER_ECHO_OP] = {13, 24, 105}, [LADDER_OP] = {41, 62, 141},
        [LADDER_RUNGS] = {30, 33, 115},
    };
    static struct series series[LADDER_RUNGS + 1];
    const struct series *by_rung[LADDER_RUNGS];
    struct ladder ladder;
    struct error error;

    for (unsigned i = 0; i <= LADDER_RUNGS; i++)
        series[i].blocks[BLOCK_TRIMMED_MEAN] = values[i];
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        by_rung[i] = &series[i];
    assert_all(
        (ladder_estimate(&ladder, by_rung, &series[LADDER_RUNGS], 3, 1, &error), 0),
        (ladder.levels[LADDER_OP].estimate, 62, 0), (ladder.steps[LADDER_TIMER].estimate, 1, 0),
        (ladder.steps[LADDER_XDR].estimate, 5, 0), (ladder.steps[LADDER_ECHO].estimate, 20, 0));
    assert_near(ladder.steps[LADDER_NULL].estimate, 11, 0);   /* median of 20, 11, 10 */
    assert_near(ladder.steps[LADDER_ECHO_OP].estimate, 3, 0); /* median of 2, 3, 4 */
    assert_near(ladder.steps[LADDER_OP].estimate, 30 - 3, 0); /* median of 10, 30, 30 */
    assert_near(ladder.control.estimate, 1, 0);               /* median of -1, 1, 4 */
    assert_all((ladder.sum.estimate, 1 + 20 + 11 + 3 + 27, 1e-9), (ladder.whole.estimate, 67, 1e-9),
               (ladder.discrepancy, 0, 1e-9),
               (ladder_share(&ladder, LADDER_ECHO), 20.0 / 62, 1e-9));
    values[LADDER_OP][1] = 42; /* the differences' median is now 10 */
    assert_all((ladder_estimate(&ladder, by_rung, &series[LADDER_RUNGS], 3, 1, &error), 0),
               (ladder.sum.estimate, 1 + 20 + 11 + 10, 1e-9), (ladder.discrepancy, 0, 1e-9));
    /* In the three rounds, the echo is now 30, 20 and 100 above the timer, and NULL is 0, 11 and 10
     * above the echo. */
    values[LADDER_ECHO][0] = 31;
    assert_int_equal(ladder_estimate(&ladder, by_rung, &series[LADDER_RUNGS], 3, 1, &error), 0);
    assert_near(ladder.sum.estimate, 1 + 30 + 10 + 10, 1e-9);
    assert_near(ladder.discrepancy, (42.0 - 51) / 42, 1e-9);
}

TEST_CASE(distinguishable)
{
    static const struct {
        struct interval step;
        bool in_memory, over_socket;
    } cases[] = {{{2, 1, 3}, true, false},    {{6, 4, 8}, true, true},
                 {{-2, -3, -1}, true, false}, {{-6, -9, -1}, true, true},
                 {{6, -1, 8}, false, false},  {{0, 0, 0}, false, false}};
    struct ladder ladder = {.control = {-1, -5, 2}}; /* a noise floor of 5 */

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (unsigned rung = 0; rung < LADDER_RUNGS; rung++) {
            bool in_memory = rung == LADDER_TIMER || rung == LADDER_XDR;

            ladder.steps[rung] = cases[i].step;
            assert_int_equal(ladder_is_distinguishable(&ladder, rung),
                             in_memory ? cases[i].in_memory : cases[i].over_socket);
        }
}
