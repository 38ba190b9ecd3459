/* A picture of results over time. */
#include <math.h>

#include "history/history.h"
#include "picture/panel.h"

#define DAY 86400 /* seconds in a day */

static double time_of(const struct history_series *series, size_t index)
{
    return (double)series->points[index].result->started;
}

static double farthest(const struct history_series *series)
{
    double largest = 0;

    for (size_t i = 0; i < series->count; i++)
        largest = fmax(largest, panel_farthest(&series->points[i].value));
    return largest;
}

static void draw_points(const struct history_series *series, struct panel *panel)
{
    struct plot_style style = plot_style_of(series->op);
    char start[PANEL_TEXT_SIZE];

    panel_block(panel);
    for (size_t i = 0; i < series->count; i++) {
        plot_text(series->points[i].result->start, start);
        panel_value(panel, time_of(series, i), &series->points[i].value, start);
    }
    panel_draw_values(panel, "results, with 95 % intervals", "pt 7 ps 0.5 lt %d lc rgb '%s'",
                      style.line, style.colour);
}

/* Write a line at the mean of the results FIRST to END - 1. */
static void write_mean(const struct history_series *series, size_t first, size_t end,
                       struct panel *panel)
{
    double mean = 0;

    for (size_t i = first; i < end; i++)
        mean += panel_time(panel, series->points[i].value.estimate) / (double)(end - first);
    panel_row(panel, "%.0f %.8g\n%.0f %.8g\n", time_of(series, first), mean,
              time_of(series, end - 1), mean);
}

static void draw_means(const struct history_series *series, struct panel *panel)
{
    size_t first = 0;

    panel_block(panel);
    for (size_t i = 0; i < series->change_count; i++) {
        write_mean(series, first, series->changes[i].change.at, panel);
        first = series->changes[i].change.at;
    }
    write_mean(series, first, series->count, panel);
    panel_draw(panel, "mean between changes", "using 1:2 with lines lw 2 lt %d lc rgb '#404040'",
               plot_style_of(series->op).line);
}

static void draw_changes(const struct history_series *series, struct panel *panel)
{
    for (size_t i = 0; i < series->change_count; i++) {
        const struct change *change = &series->changes[i].change;
        const double difference = change->means.difference.estimate;
        char text[PANEL_TEXT_SIZE];
        double at = (time_of(series, change->at - 1) + time_of(series, change->at)) / 2;

        panel_set(panel, "arrow from %.1f, graph 0 to %.1f, graph 1 nohead dt 2 lc rgb '#d55e00'",
                  at, at);
        panel_set(panel, "label '%s%s ' at %.1f, graph 0.96 right", difference > 0 ? "+" : "",
                  panel_duration(difference, text), at);
    }
}

static void set_axes(const struct history_series *series, struct panel *panel)
{
    static const char *const names[RESULT_QUANTITIES] = {"round trip", "cost above the null call",
                                                         "mean cost above the null call",
                                                         "p99 above the null call's"};
    double first = time_of(series, 0), span = time_of(series, series->count - 1) - first;
    char name[PANEL_TEXT_SIZE], size[PANEL_TEXT_SIZE];

    panel_set(panel, "title '%s%s%s: %s'", plot_text(series->op, name), *series->size ? ", " : "",
              plot_text(series->size, size), names[series->quantity]);
    panel_set(panel, "xdata time");
    panel_set(panel, "timefmt '%%s'");
    panel_set(panel, "format x '%s'", span > 4 * DAY ? "%Y-%m-%d" : "%m-%d %H:%M");
    panel_set(panel, "xtics %.0f, %.0f, %.0f", first, fmax(ceil(span / 3), 1), first + span + 3);
    panel_set(panel, "xrange [%.1f:%.1f]", first - span / 20 - 1, first + span + span / 20 + 1);
    panel_set(panel, "ylabel UNIT");
    panel_set(panel, "offsets 0, 0, graph 0.15, 0");
}

int history_draw(const struct history *history, const struct plot_output *output,
                 struct bytes *picture, struct error *error)
{
    struct panel panels[PLOT_PANELS];
    size_t count = 0;
    int code = 0;

    for (size_t i = 0; i < history->series_count && count < PLOT_PANELS && code == 0; i++) {
        const struct history_series *series = &history->series[i];
        struct panel *panel = &panels[count];

        if (!history_is_shown(series))
            continue;
        count++;
        code = panel_open(panel);
        if (code)
            break;
        panel->key_columns = 2;
        panel_unit(panel, farthest(series));
        set_axes(series, panel);
        draw_changes(series, panel);
        draw_points(series, panel);
        draw_means(series, panel);
    }
    return panels_draw(panels, count, code, output, picture, error);
}
