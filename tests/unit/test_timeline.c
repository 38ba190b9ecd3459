/* The timeline of a run: each call counts in the tenth of a second in which it ended. Heat maps. */
#include "test.h"

#include "common/random.h"
#include "measure/timeline.h"

static const uint64_t step_ns = TIMELINE_STEP_NS;

static struct timeline timeline;

FIXTURE(set_up, memset(&timeline, 0, sizeof timeline), 0)

FIXTURE(tear_down, timeline_free(&timeline), 0)

TEST_CASE_WITH(empty, set_up, tear_down)
{
    assert_all((timeline_end(&timeline), 0), (timeline.count, 0));
}

TEST_CASE_WITH(within_a_step, set_up, tear_down)
{
    const double done[] = {10e6, 30e6, 20e6}, ns[] = {1000, 3000, 2000};

    assert_int_equal(timeline_add(&timeline, 5000000, 35000000, done, ns, 3), 0);
    /* the step is not complete, because more calls may end in it */
    assert_int_equal(timeline.count, 0);
    assert_all((timeline_end(&timeline), 0), (timeline.count, 1), (timeline.points[0].step, 0),
               (timeline.points[0].calls, 3), (timeline.points[0].active_ns, 30000000),
               (timeline.points[0].p50, 2000, 30), (timeline.points[0].p99, 3000, 50));
}

TEST_CASE_WITH(across_steps, set_up, tear_down)
{
    const double done[] = {150e6, 90e6, 250e6, 210e6, 160e6}, ns[] = {1, 1, 1, 1, 1};

    assert_all((timeline_add(&timeline, 80000000, 260000000, done, ns, 5), 0),
               (timeline_end(&timeline), 0), (timeline.count, 3), (timeline.points[0].calls, 1),
               (timeline.points[1].calls, 2), (timeline.points[2].calls, 2),
               (timeline.points[0].active_ns, 20000000), (timeline.points[1].active_ns, step_ns),
               (timeline.points[2].active_ns, 60000000));
}

TEST_CASE_WITH(gaps_and_edges, set_up, tear_down)
{
    const double first[] = {99e6}, second[] = {550e6};
    const double ns[] = {1000};

    assert_all((timeline_add(&timeline, 0, step_ns, first, ns, 1), 0),
               (timeline_add(&timeline, 5 * step_ns, 6 * step_ns, second, ns, 1), 0),
               (timeline_end(&timeline), 0), (timeline.count, 2), (timeline.points[0].step, 0),
               (timeline.points[0].active_ns, step_ns), (timeline.points[1].step, 5),
               (timeline.points[1].calls, 1));
}

/* While a server is stopped, time passes in which no call ends. */
TEST_CASE_WITH(standstill, set_up, tear_down)
{
    const double done[] = {10e6, 450e6}, ns[] = {1000, 440e6};

    assert_all((timeline_add(&timeline, 0, 460000000, done, ns, 2), 0),
               (timeline_end(&timeline), 0), (timeline.count, 5));
    for (size_t i = 1; i < 4; i++)
        assert_all((timeline.points[i].calls, 0), (timeline.points[i].active_ns, step_ns));
    assert_near(timeline.points[4].p50, 440e6, 1e7);
}

/* For any blocks, no call or time is lost or counted twice, and the numbers of steps increase. */
TEST_CASE_WITH(sums, set_up, tear_down)
{
    enum { BLOCKS = 300, CALLS = 40 };
    struct random random;
    uint64_t now = 0, active = 0, calls = 0;

    random_seed(&random, 1);
    for (size_t block = 0; block < BLOCKS; block++) {
        uint32_t length = random_below(&random, 250000000) + 1;
        double done[CALLS], ns[CALLS];

        for (size_t i = 0; i < CALLS; i++) {
            done[i] = (double)(now + random_below(&random, length));
            ns[i] = 1000;
        }
        assert_int_equal(timeline_add(&timeline, now, now + length, done, ns, CALLS), 0);
        active += length;
        now += length + random_below(&random, 120000000);
    }
    assert_int_equal(timeline_end(&timeline), 0);
    for (size_t i = 0; i < timeline.count; i++) {
        calls += timeline.points[i].calls;
        active -= timeline.points[i].active_ns;
        assert_true(timeline.points[i].active_ns <= step_ns);
        assert_true(i == 0 || timeline.points[i].step > timeline.points[i - 1].step);
    }
    assert_all((calls, BLOCKS * CALLS), (active, 0));
}

/* Latencies over time: every call is in one cell of the heat map, also after merging. */

static uint64_t calls_in(const struct heat_map *map)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < HEAT_COLUMNS; i++)
        for (size_t row = 0; row < HEAT_ROWS; row++)
            sum += i < map->columns ? map->counts[i][row] : 0;
    return sum;
}

TEST_CASE(rows)
{
    assert_all((heat_map_row(0), 0), (heat_map_row(1e300), HEAT_ROWS - 1));
    for (size_t row = 0; row < HEAT_ROWS; row++)
        assert_int_equal(heat_map_row(heat_map_low(row)), row);
}

TEST_CASE(intervals)
{
    static const size_t counts[] = {1, HEAT_COLUMNS, HEAT_COLUMNS + 1, 1000};
    struct heat_map *map = calloc(1, sizeof *map);
    struct histogram *part = calloc(1, sizeof *part);

    assert_all((map), (part));
    part->count = part->buckets[histogram_bucket(1000)] = 3;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        *map = (struct heat_map){.columns = 0};
        for (size_t at = 0; at < counts[i]; at++)
            heat_map_add(map, (double)at, (double)at + 1, part);
        assert_all((calls_in(map), 3 * counts[i]), (map->ended_s == (double)counts[i]));
        assert_in_range(map->columns, (counts[i] + map->merged - 1) / map->merged, HEAT_COLUMNS);
        for (size_t column = 0; column < map->columns; column++)
            assert_all((map->began_s[column] == (double)(column * map->merged)),
                       (map->counts[column][heat_map_row(1000)] > 0));
    }
    free(part);
    free(map);
}
