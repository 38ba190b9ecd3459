/* A picture of latencies over time: how many calls took how long, as colours. */
#include <inttypes.h>
#include <math.h>

#include "picture/plot_kind.h"

/* The maps of a set: for each op, those of its results. */
static size_t find_map(const struct result_set *set, size_t panel, size_t *file, size_t *op)
{
    size_t count = 0;

    for (size_t i = 0; i < set->op_count; i++)
        for (size_t j = 0; j < set->count && count < PLOT_CURVES; j++) {
            if (!result_set_op(set, j, i)->map)
                continue;
            if (count++ == panel) {
                *file = j;
                *op = i;
            }
        }
    return count;
}

static size_t heat_panels(const struct result_set *set)
{
    size_t file, op;

    return find_map(set, HEAT_COLUMNS, &file, &op);
}

/* The rows that hold anything: FIRST up to, but not including, END. */
struct extent {
    size_t first, end;
    uint64_t most; /* calls in a cell */
};

static struct extent extent_of(const struct heat_map *map)
{
    struct extent extent = {HEAT_ROWS, 0, 1};

    for (size_t i = 0; i < map->columns; i++)
        for (size_t row = 0; row < HEAT_ROWS; row++) {
            uint64_t count = map->counts[i][row];

            if (count == 0)
                continue;
            extent.first = row < extent.first ? row : extent.first;
            extent.end = row >= extent.end ? row + 1 : extent.end;
            extent.most = count > extent.most ? count : extent.most;
        }
    return extent;
}

/* A line for each cell that holds a call: its four sides, and the count. */
static void write_cells(const struct heat_map *map, FILE *out)
{
    fputs("$cells << END\nNaN NaN NaN NaN NaN\n", out);
    for (size_t i = 0; i < map->columns; i++)
        for (size_t row = 0; row < HEAT_ROWS; row++)
            if (map->counts[i][row] > 0)
                fprintf(out, "%.8g %.8g %.6g %.6g %" PRIu64 "\n", map->began_s[i],
                        i + 1 < map->columns ? map->began_s[i + 1] : map->ended_s,
                        heat_map_low(row) / 1000, heat_map_low(row + 1) / 1000,
                        map->counts[i][row]);
    fputs("END\n", out);
}

/* Colours whose lightness grows evenly, and that colour-blind readers can distinguish (viridis, by
 * S. van der Walt and N. Smith): few calls are dark, many are light, on light and dark pages. */
static void write_colours(const struct extent *extent, FILE *out)
{
    fprintf(
        out,
        "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n"
        "set logscale cb\nset cbrange [1:%.6g]\nset cblabel 'calls' offset 1\n"
        "set format cb '%%.0f'\nset rmargin 15\n",
        fmax((double)extent->most, 10));
}

static void draw_heat(const struct result_set *set, size_t panel, FILE *out)
{
    size_t file = 0, op = 0;
    char name[PLOT_TEXT_SIZE], title[2 * PLOT_TEXT_SIZE], label[PLOT_TEXT_SIZE + 8] = "";
    const struct heat_map *map;
    struct extent extent;

    find_map(set, panel, &file, &op);
    map = result_set_op(set, file, op)->map;
    extent = extent_of(map);
    write_cells(map, out);
    if (set->count > 1)
        plot_file_label(set, file, label);
    snprintf(title, sizeof title, "%s%s%s: latency over time", label, label[0] ? ", " : "",
             plot_text(set->ops[op], name));
    plot_title(set, title, out);
    write_colours(&extent, out);
    fprintf(out,
            "set xlabel 'time since the first round (s)'\nset ylabel 'latency ('.US.')'\n"
            "set logscale y\nset xrange [0:%.8g]\nset yrange [%.6g:%.6g]\nunset key\n",
            map->ended_s, heat_map_low(extent.first) / 1000, heat_map_low(extent.end) / 1000);
    plot_log_tics("y", heat_map_low(extent.first) / 1000, heat_map_low(extent.end) / 1000, out);
    fputs(
        "plot $cells using 1:3:1:2:3:4:5 with boxxyerror fs solid 1 noborder lc palette notitle\n",
        out);
}

const struct plot_kind plot_heat = {
    .name = "heat",
    .caption = "Latency over time, of a run with --interval: how many calls took how long, as "
               "colours. A band that splits, jumps or widens is a change that percentiles over the "
               "whole run don't show.",
    .usual = true,
    .panels = heat_panels,
    .draw = draw_heat,
};
