/* Latencies over time: every call is in one cell, whatever is merged. */
#include <stdlib.h>

#include "measure/timeline.h"
#include "test.h"

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
    assert_int_equal(heat_map_row(0), 0);
    assert_int_equal(heat_map_row(1e300), HEAT_ROWS - 1);
    for (size_t row = 0; row < HEAT_ROWS; row++)
        assert_int_equal(heat_map_row(heat_map_low(row)), row);
}

TEST_CASE(intervals)
{
    static const size_t counts[] = {1, HEAT_COLUMNS, HEAT_COLUMNS + 1, 1000};
    struct heat_map *map = calloc(1, sizeof *map);
    struct histogram *part = calloc(1, sizeof *part);

    assert_non_null(map);
    assert_non_null(part);
    part->count = part->buckets[histogram_bucket(1000)] = 3;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        *map = (struct heat_map){.columns = 0};
        for (size_t at = 0; at < counts[i]; at++)
            heat_map_add(map, (double)at, (double)at + 1, part);
        assert_int_equal(calls_in(map), 3 * counts[i]);
        assert_true(map->ended_s == (double)counts[i]);
        assert_in_range(map->columns, (counts[i] + map->merged - 1) / map->merged, HEAT_COLUMNS);
        for (size_t column = 0; column < map->columns; column++) {
            assert_true(map->began_s[column] == (double)(column * map->merged));
            assert_true(map->counts[column][heat_map_row(1000)] > 0);
        }
    }
    free(part);
    free(map);
}
