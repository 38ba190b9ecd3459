/* A picture of results over time. */
#include <math.h>

#include "output/number.h"
#include "picture/plot.h"
#include "picture/plot_kind.h"

#define DAY 86400 /* s */

static double time_of(const struct history_series *series, size_t index)
{
    return (double)series->points[index].result->started;
}

/* Write a line for each result: its time, its value and the ends of its interval. */
static void write_points(const struct history_series *series, FILE *out)
{
    fputs("$points << END\n", out);
    for (size_t i = 0; i < series->count; i++) {
        const struct interval *value = &series->points[i].value;
        bool known = !isnan(value->low);

        fprintf(out, "%.0f %.8g %.8g %.8g\n", time_of(series, i), us(value->estimate),
                us(known ? value->low : value->estimate),
                us(known ? value->high : value->estimate));
    }
    fputs("END\n", out);
}

/* Draw the mean of the results from FIRST up to, but not including, END. */
static void write_mean(const struct history_series *series, size_t first, size_t end, FILE *out)
{
    double mean = 0;

    for (size_t i = first; i < end; i++)
        mean += us(series->points[i].value.estimate) / (double)(end - first);
    fprintf(out, "%.0f %.8g\n%.0f %.8g\n\n", time_of(series, first), mean, time_of(series, end - 1),
            mean);
}

static void write_means(const struct history_series *series, FILE *out)
{
    size_t first = 0;

    fputs("$means << END\n", out);
    for (size_t i = 0; i < series->change_count; i++) {
        write_mean(series, first, series->changes[i].change.at, out);
        first = series->changes[i].change.at;
    }
    write_mean(series, first, series->count, out);
    fputs("END\n", out);
}

/* Draw a vertical line where the level changed, with the difference beside it. */
static void write_changes(const struct history_series *series, FILE *out)
{
    for (size_t i = 0; i < series->change_count; i++) {
        const struct change *change = &series->changes[i].change;
        double at = (time_of(series, change->at - 1) + time_of(series, change->at)) / 2;

        fprintf(out,
                "set arrow from %.1f, graph 0 to %.1f, graph 1 nohead dt 2 lc rgb '#d55e00'\n"
                "set label '%+.3f ' at %.1f, graph 0.96 right\n",
                at, at, us(change->means.difference.estimate), at);
    }
}

static void write_axes(const struct history_series *series, FILE *out)
{
    static const char *const names[RESULT_QUANTITIES] = {"round trip", "cost above the null call",
                                                         "mean cost above the null call",
                                                         "p99 above the null call's"};
    double first = time_of(series, 0), span = time_of(series, series->count - 1) - first;
    char name[PLOT_TEXT_SIZE], size[PLOT_TEXT_SIZE];

    fprintf(out, "set title '%s%s%s: %s'\n", plot_text(series->op, name), *series->size ? ", " : "",
            plot_text(series->size, size), names[series->quantity]);
    fprintf(out,
            "set xdata time\nset timefmt '%%s'\nset format x '%s'\nset xtics %.0f, %.0f, %.0f\n",
            span > 4 * DAY ? "%Y-%m-%d" : "%m-%d %H:%M", first, fmax(ceil(span / 3), 1),
            first + span + 3);
    fprintf(out, "set xrange [%.1f:%.1f]\nset ylabel US\nset offsets 0, 0, graph 0.15, 0\n",
            first - span / 20 - 1, first + span + span / 20 + 1);
}

/* The series of PANEL: of those that are shown, the one with that number. */
static const struct history_series *series_at(const struct history *history, size_t panel)
{
    const struct history_series *series = history->series;

    while (!history_is_shown(series) || panel-- > 0)
        series++;
    return series;
}

static size_t count_shown(const struct history *history)
{
    size_t shown = 0;

    for (size_t i = 0; i < history->series_count; i++)
        shown += history_is_shown(&history->series[i]);
    return shown;
}

static void draw_series(const void *data, size_t panel, FILE *out)
{
    const struct history_series *series = series_at(data, panel);
    struct plot_style style = plot_style_of(series->op);

    write_points(series, out);
    write_means(series, out);
    write_axes(series, out);
    write_changes(series, out);
    plot_key_rows(1, out);
    fprintf(out,
            "plot $points using 1:2:3:4 with yerrorbars pt 7 ps 0.5 lt %d lc rgb '%s' title "
            "'results, with 95 %% intervals',\\\n    $means using 1:2 with lines lw 2 lt %d lc rgb "
            "'#404040' title 'mean between changes'\n",
            style.line, style.colour, style.line);
}

static unsigned height(const void *data, size_t panel)
{
    return PLOT_HEIGHT;
}

int plot_history(const struct history *history, const struct plot_output *output,
                 struct bytes *picture, struct error *error)
{
    struct plot_content content = {count_shown(history), history, NULL, height, draw_series};

    if (content.count > PLOT_PANELS)
        content.count = PLOT_PANELS;
    return plot_draw_content(&content, output, picture, error);
}
