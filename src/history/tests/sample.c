/* A history for the tests of all forms. */
#include "figures.h"
#include "history/history.h"
#include "unit_sample.h"

enum { RESULTS = 3 };

static struct history history;
static struct history_result results[RESULTS];
static struct history_point points[RESULTS], changed_points[RESULTS];
static struct history_change change;
static struct history_left_out left_out;

static void fill_history(void)
{
    results[0] = (struct history_result){
        .path = "a.json", .start = "2026-01-02T03:04:05+00:00", .target = "self:"};
    points[0] = (struct history_point){.result = results, .value = {5, 4, 6}};
    history = (struct history){.results = results,
                               .result_count = 1,
                               .series = {{.op = "getattr",
                                           .settings = "self:",
                                           .size = "",
                                           .enough = true,
                                           .points = points,
                                           .count = 1}},
                               .series_count = 1};
}

static void fill_more(void)
{
    static const char *const starts[RESULTS] = {
        "2026-01-02T03:04:05+00:00", "2026-01-03T03:04:05+00:00", "2026-01-04T03:04:05+00:00"};
    static const char *const paths[RESULTS] = {"a.json", "b.json", "c.json"};
    struct history_series *series = history.series;

    for (size_t i = 0; i < RESULTS; i++) {
        results[i] = (struct history_result){.path = paths[i],
                                             .start = starts[i],
                                             .target = "self:",
                                             .verdict = i == 1 ? VERDICT_SUSPECT : VERDICT_OK};
        points[i] = (struct history_point){.result = &results[i]};
    }
    left_out = (struct history_left_out){"d.json", "its verdict is invalid"};
    history.results = results;
    history.result_count = RESULTS;
    history.left_out = &left_out;
    history.left_out_count = 1;
    history.significance = 0.0125;
    history.enough = 3;
    history.last = 2;
    for (size_t i = 0; i < 3; i++)
        series[i] = (struct history_series){.op = i < 2 ? "read" : "null",
                                            .settings = i < 2 ? "self: over TCP" : "depth 8",
                                            .size = i < 2 ? "4096 bytes" : "",
                                            .quantity = i == 0   ? RESULT_COST
                                                        : i == 1 ? RESULT_MEAN_COST
                                                                 : RESULT_ROUND_TRIP,
                                            .judged = i < 2,
                                            .enough = i < 2,
                                            .points = points,
                                            .count = i < 2 ? RESULTS : 2};
    history.series_count = 3;
    history.changed = true;
    change = (struct history_change){
        .change = {.at = 2, .p = 0.004}, .result = &results[2], .recent = true};
    series[0].changes = &change;
    series[0].change_count = 1;
    changed_points[0] = points[0];
    changed_points[1] = points[1];
    changed_points[2] = points[2];
    changed_points[2].change = &change;
    series[0].points = changed_points;
}

const void *sample_HISTORY(bool full)
{
    fill_history();
    if (full) {
        fill_more();
        figures_set_missing(view_history.fields, &history);
    }
    return &history;
}
