#include "measure/heat_map.h"

#include <math.h>

size_t heat_map_row(double ns)
{
    double row = floor(log2(fmax(ns, 1)) * HEAT_ROWS_IN_OCTAVE + 1e-6);

    return row < HEAT_ROWS ? (size_t)row : HEAT_ROWS - 1;
}

double heat_map_low(size_t row)
{
    return exp2((double)row / HEAT_ROWS_IN_OCTAVE);
}

/* Merge each two columns. */
static void merge(struct heat_map *map)
{
    for (size_t i = 0; i < HEAT_COLUMNS; i++) {
        if (i % 2 == 0)
            map->began_s[i / 2] = map->began_s[i];
        for (size_t row = 0; row < HEAT_ROWS; row++) {
            uint64_t count = map->counts[i][row];

            map->counts[i][row] = 0;
            map->counts[i / 2][row] += count;
        }
    }
    map->columns = (map->columns + 1) / 2;
    map->merged *= 2;
}

void heat_map_add(struct heat_map *map, double began, double ended, const struct histogram *part)
{
    size_t column;

    map->merged = map->merged ? map->merged : 1;
    if (map->intervals / map->merged == HEAT_COLUMNS)
        merge(map);
    column = map->intervals++ / map->merged;
    if (column == map->columns)
        map->began_s[map->columns++] = began;
    map->ended_s = ended;
    for (size_t i = histogram_next(part, 0); i < HISTOGRAM_BUCKETS; i = histogram_next(part, i + 1))
        map->counts[column][heat_map_row((histogram_bucket_low(i) + histogram_bucket_high(i)) /
                                         2)] += part->buckets[i];
}
