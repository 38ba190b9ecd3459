#include "measure/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

static int close_point(struct timeline *timeline)
{
    struct timeline_point *open = &timeline->open;

    if (open->active_ns == 0 && open->calls == 0)
        return 0;
    open->p50 = histogram_quantile(&timeline->histogram, 0.5);
    open->p99 = histogram_quantile(&timeline->histogram, 0.99);
    return array_add(&timeline->points, &timeline->count, &timeline->capacity, open, sizeof *open);
}

static int open_point(struct timeline *timeline, uint64_t step)
{
    int code;

    if (timeline->open.step == step)
        return 0;
    code = close_point(timeline);
    timeline->open = (struct timeline_point){.step = step};
    memset(&timeline->histogram, 0, sizeof timeline->histogram);
    return code;
}

static uint64_t overlap(uint64_t step, uint64_t began_ns, uint64_t ended_ns)
{
    uint64_t from = step * TIMELINE_STEP_NS, until = from + TIMELINE_STEP_NS;

    from = began_ns > from ? began_ns : from;
    until = ended_ns < until ? ended_ns : until;
    return until > from ? until - from : 0;
}

static void record_between(struct timeline *timeline, const double *done_ns, const double *ns,
                           size_t count, double from, double until)
{
    for (size_t i = 0; i < count; i++)
        if (done_ns[i] >= from && done_ns[i] < until) {
            histogram_record(&timeline->histogram, ns[i]);
            timeline->open.calls++;
        }
}

static void record_all(struct timeline *timeline, const double *ns, size_t count)
{
    histogram_record_all(&timeline->histogram, ns, count);
    timeline->open.calls += count;
}

int timeline_add(struct timeline *timeline, uint64_t began_ns, uint64_t ended_ns,
                 const double *done_ns, const double *ns, size_t count)
{
    uint64_t first = began_ns / TIMELINE_STEP_NS, last = ended_ns / TIMELINE_STEP_NS;

    for (uint64_t step = first; step <= last; step++) {
        double from = (double)step * TIMELINE_STEP_NS, until = from + TIMELINE_STEP_NS;
        int code = open_point(timeline, step);

        if (code)
            return code;
        if (first == last)
            record_all(timeline, ns, count);
        else
            record_between(timeline, done_ns, ns, count, step == first ? -INFINITY : from,
                           step == last ? INFINITY : until);
        timeline->open.active_ns += overlap(step, began_ns, ended_ns);
    }
    return 0;
}

int timeline_end(struct timeline *timeline)
{
    int code = close_point(timeline);

    timeline->open = (struct timeline_point){0};
    return code;
}

void timeline_free(struct timeline *timeline)
{
    free(timeline->points);
    memset(timeline, 0, sizeof *timeline);
}

size_t heat_map_row(double ns)
{
    double row = floor(log2(fmax(ns, 1)) * HEAT_ROWS_IN_OCTAVE + 1e-6);

    return row < HEAT_ROWS ? (size_t)row : HEAT_ROWS - 1;
}

double heat_map_low(size_t row)
{
    return exp2((double)row / HEAT_ROWS_IN_OCTAVE);
}

static void merge_columns(struct heat_map *map)
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
        merge_columns(map);
    column = map->intervals++ / map->merged;
    if (column == map->columns)
        map->began_s[map->columns++] = began;
    map->ended_s = ended;
    for (size_t i = histogram_next(part, 0); i < HISTOGRAM_BUCKETS; i = histogram_next(part, i + 1))
        map->counts[column][heat_map_row((histogram_bucket_low(i) + histogram_bucket_high(i)) /
                                         2)] += part->buckets[i];
}
