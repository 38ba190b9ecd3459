#include "measure/statistics/cost_model.h"
#include "simulation.h"

enum { ROUNDS = 400 };

static const struct resampling resampling = {ROUNDS, 1, 7};

/* Series of blocks. A series has a constant level. All blocks of a round have the same drift, and
 * some blocks are disturbed. */
static struct world {
    gsl_rng *rng;
    double drift[ROUNDS];
    struct series series[2 * COST_MODEL_POINTS_MAXIMUM];
    double blocks[2 * COST_MODEL_POINTS_MAXIMUM][ROUNDS];
    size_t count;
} world;

static struct cost_points_by points;
static struct cost_model model;
static struct error error;

static int set_up(void **state)
{
    memset(&world, 0, sizeof world);
    memset(&points, 0, sizeof points);
    world.rng = seeded(11);
    for (size_t i = 0; i < ROUNDS; i++)
        world.drift[i] = 3000 * gsl_rng_uniform(world.rng);
    return 0;
}

static const struct series *add_series(double level)
{
    struct series *series = &world.series[world.count];
    double *blocks = world.blocks[world.count++];

    for (size_t i = 0; i < ROUNDS; i++) {
        blocks[i] = level + world.drift[i] + gsl_ran_gaussian(world.rng, 30);
        if (gsl_rng_uniform(world.rng) < 0.02)
            blocks[i] += 50000;
    }
    series->blocks[BLOCK_TRIMMED_MEAN] = blocks;
    return series;
}

static void add_point(struct cost_points *to, struct cost_lengths lengths, double level)
{
    to->points[to->count++] = (struct cost_point){lengths, add_series(level)};
}

#define CALL_RATE   0.5
#define REPLY_RATE  0.25
#define PAUSE_RATE  0.02
#define PACKET_COST 700.0

static void add_calls(void)
{
    static const double lengths[] = {68, 196, 320};

    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        add_point(&points.call, (struct cost_lengths){lengths[i], 28, 1, 0},
                  9000 + CALL_RATE * lengths[i]);
}

static void add_pauses(double rate)
{
    static const double lengths[] = {0, 5000, 10000};

    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        add_point(&points.pause, (struct cost_lengths){68, 28, 1, lengths[i]},
                  9000 + rate * lengths[i]);
}

/* Add replies of several lengths. A packet (1448 bytes) costs PACKET ns. If PACKET is 0, each reply
 * is one packet. */
static void add_replies(double packet)
{
    static const double lengths[] = {136, 644, 1448, 1452, 2180, 2896, 2900, 4228};

    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        double packets = packet > 0 ? (double)(((size_t)lengths[i] - 1) / 1448 + 1) : 1;

        add_point(&points.reply, (struct cost_lengths){104, lengths[i], packets, 0},
                  9500 + REPLY_RATE * lengths[i] + packet * packets);
    }
}

TEST_CASE_WITH(rates_come_back, set_up, NULL)
{
    add_calls();
    add_replies(0);
    add_pauses(PAUSE_RATE);
    assert_all(
        (cost_model_fit(&model, &points, &resampling, &error), 0),
        (model.call.known && model.reply.known && !model.packet.known),
        (model.call.ns.estimate, CALL_RATE, 0.05), (model.reply.ns.estimate, REPLY_RATE, 0.003),
        (model.reply.ns.low < REPLY_RATE && REPLY_RATE < model.reply.ns.high),
        (model.call_misfit_ns < 500 && model.reply_misfit_ns < 500), (model.reply_longest, 4228, 0),
        (model.pause.known), (model.pause.ns.estimate, PAUSE_RATE, 0.001));
}

TEST_CASE_WITH(packets_are_told_from_bytes, set_up, NULL)
{
    add_calls();
    add_replies(PACKET_COST);
    assert_all((cost_model_fit(&model, &points, &resampling, &error), 0), (model.packet.known),
               (model.packet.ns.estimate, PACKET_COST, 30),
               (model.reply.ns.estimate, REPLY_RATE, 0.02));
}

/* The cost of an op is split correctly. Its call is 36 bytes longer than that of NULL, its reply
 * 4200 bytes longer, and the server works for 2000 ns. */
TEST_CASE_WITH(the_split, set_up, NULL)
{
    const double server_ns = 2000;
    const double bytes_ns = 36 * CALL_RATE + 4200 * REPLY_RATE;
    const double cost_ns = bytes_ns + server_ns * (1 + PAUSE_RATE);
    static struct replicates cost;
    const struct cost_lengths null_lengths = {68, 28, 1, 0}, op_lengths = {104, 4228, 1, 0};
    const struct series *null_calls, *op;
    double differences[ROUNDS];
    struct cost_split split;

    add_calls();
    add_replies(0);
    null_calls = add_series(9000);
    add_pauses(PAUSE_RATE);
    op = add_series(9000 + cost_ns);
    for (size_t i = 0; i < ROUNDS; i++)
        differences[i] =
            op->blocks[BLOCK_TRIMMED_MEAN][i] - null_calls->blocks[BLOCK_TRIMMED_MEAN][i];
    assert_all(
        (estimate_median_replicates(differences, &resampling, &cost, &error), 0),
        (cost_model_fit(&model, &points, &resampling, &error), 0),
        (cost_model_split(&model, &cost, &op_lengths, &null_lengths, &split, &error), 0),
        (split.bytes.estimate + split.pause.estimate + split.server.estimate, cost.estimate, 1e-6),
        (split.bytes.estimate, bytes_ns, 15), (split.pause.estimate, PAUSE_RATE * server_ns, 5));
    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++)
        assert_near(split.replicates.bytes.values[i] + split.replicates.pause.values[i] +
                        split.replicates.server.values[i],
                    cost.values[i], 1e-6);
    assert_near(split.server.estimate, server_ns, 20);
    assert_true(split.server.low < server_ns && server_ns < split.server.high);
    assert_true(split.server.high - split.server.low < 60);
    /* The server's work causes a pause. The op's cost may include all, a part or none of the
     * pause's cost. The interval of the server's work covers every case. */
    for (double paid = 0; paid <= 1; paid += 0.1) {
        double server = cost_ns - bytes_ns - paid * PAUSE_RATE * server_ns;

        assert_true(split.server.low < server && server < split.server.high);
    }
}

/* The server's work causes a pause, which costs time of its own. Even if the pause costs much, its
 * cost is not counted as work. */
TEST_CASE_WITH(a_steep_pause, set_up, NULL)
{
    const double server_ns = 8000, rate = 0.15;
    const struct cost_lengths lengths = {68, 28, 1, 0};
    static struct replicates cost;
    double costs[ROUNDS];
    struct cost_split split;

    add_calls();
    add_replies(0);
    add_pauses(rate);
    for (size_t i = 0; i < ROUNDS; i++)
        costs[i] = server_ns * (1 + rate) + gsl_ran_gaussian(world.rng, 30);
    assert_all((estimate_median_replicates(costs, &resampling, &cost, &error), 0),
               (cost_model_fit(&model, &points, &resampling, &error), 0),
               (cost_model_split(&model, &cost, &lengths, &lengths, &split, &error), 0),
               (split.pause.estimate, rate * server_ns, 25),
               (split.server.estimate, server_ns, 25));
}

TEST_CASE_WITH(a_bent_line, set_up, NULL)
{
    static const double lengths[] = {136, 644, 2180, 4228}, levels[] = {9000, 9400, 9450, 10000};
    static struct replicates cost;
    const struct cost_lengths null_lengths = {68, 136, 1, 0};
    static const struct {
        /* BEYOND: bytes above the longest measured length; negative: below the shortest */
        double reply, ns, beyond;
    } cases[] = {{4228, 1000, 0}, {390, 200, 0}, {8228, 1000, 4000}, {36, 0, -100}};
    struct cost_lengths op_lengths = {68, 4228, 1, 0};
    struct cost_split split;

    add_calls();
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        add_point(&points.reply, (struct cost_lengths){68, lengths[i], 1, 0}, levels[i]);
    assert_int_equal(cost_model_fit(&model, &points, &resampling, &error), 0);
    assert_true(model.reply_misfit_ns > 100);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        op_lengths.reply = cases[i].reply;
        assert_all(
            (cost_model_split(&model, &cost, &op_lengths, &null_lengths, &split, &error), 0),
            (split.bytes.estimate, cases[i].ns + cases[i].beyond * model.reply.ns.estimate, 15));
    }
}

TEST_CASE_WITH(what_the_model_can_not_do, set_up, NULL)
{
    add_point(&points.call, (struct cost_lengths){68, 28, 1, 0}, 9000);
    add_point(&points.call, (struct cost_lengths){68, 28, 1, 0}, 9000);
    add_point(&points.reply, (struct cost_lengths){68, 100, 1, 0}, 9000);
    add_point(&points.reply, (struct cost_lengths){68, 1000, 1, 0}, 14000);
    add_point(&points.reply, (struct cost_lengths){68, 1900, 1, 0}, 9000);
    assert_all((cost_model_fit(&model, &points, &resampling, &error), 0), (!model.call.known),
               (model.reply.known), (model.reply_misfit_ns, 5000 * 2 / 3.0, 500));
    points.reply.count = 1;
    assert_all((cost_model_fit(&model, &points, &resampling, &error), 0), (!model.reply.known));
}
