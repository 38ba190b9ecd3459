/* A picture of latencies over time: the number of calls by time and latency, as colours. */
#include <inttypes.h>
#include <math.h>

#include "report/plot_kinds.h"

/* Return the heat map number INDEX of SET, and store the indices of its file and op in *FILE and
 * *OP. Maps are ordered by op, then by file. Returns NULL if there is no map INDEX, or if INDEX is
 * PANEL_CURVES or more. */
static const struct heat_map *find_map(const struct result_set *set, size_t index, size_t *file,
                                       size_t *op)
{
    for (*op = 0; *op < set->op_count && index < PANEL_CURVES; ++*op)
        for (*file = 0; *file < set->count; ++*file) {
            const struct heat_map *map = result_set_op(set, *file, *op)->map;

            if (map && index-- == 0)
                return map;
        }
    return NULL;
}

/* The drawn rows of a heat map: from the first to the last row with calls. END is exclusive. */
struct extent {
    size_t first, end;
    uint64_t most; /* largest number of calls in a cell */
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

/* Write a line for each non-empty cell: its ends in time (s) and latency (us), and its calls. */
static void write_cells(const struct heat_map *map, struct panel *panel)
{
    panel_block(panel);
    for (size_t i = 0; i < map->columns; i++)
        for (size_t row = 0; row < HEAT_ROWS; row++)
            if (map->counts[i][row] > 0)
                panel_row(panel, "%.8g %.8g %.6g %.6g %" PRIu64, map->began_s[i],
                          i + 1 < map->columns ? map->began_s[i + 1] : map->ended_s,
                          heat_map_low(row) / 1000, heat_map_low(row + 1) / 1000,
                          map->counts[i][row]);
}

/* Write the colours of the numbers of calls (viridis, by S. van der Walt and N. Smith). Their
 * lightness grows evenly, so that colour-blind readers can distinguish them. Few calls are dark and
 * many are light, also on dark pages. */
static void write_colours(const struct extent *extent, struct panel *panel)
{
    panel_set(panel, "palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', "
                     "4 '#fde725')");
    panel_set(panel, "logscale cb");
    panel_set(panel, "cbrange [1:%.6g]", fmax((double)extent->most, 10));
    panel_set(panel, "cblabel 'calls' offset 1");
    panel_set(panel, "format cb '%%.0f'");
    panel_set(panel, "rmargin 15");
}

static bool draw_heat(const struct result_set *set, size_t index, struct panel *panel)
{
    size_t file, op;
    const struct heat_map *map = find_map(set, index, &file, &op);
    char name[PANEL_TEXT_SIZE], label[PANEL_LABEL_SIZE] = "";
    struct extent extent;
    double low, high;

    if (!map)
        return false;
    extent = extent_of(map);
    low = heat_map_low(extent.first) / 1000;
    high = heat_map_low(extent.end) / 1000;
    if (set->count > 1)
        plot_file_label(set, file, label);
    panel_title(panel, set, "%s%s%s: latency over time", label, label[0] ? ", " : "",
                plot_text(set->ops[op], name));
    write_colours(&extent, panel);
    panel_set(panel, "xlabel 'time since the first round (s)'");
    panel_set(panel, "ylabel 'latency of a call'");
    panel_set(panel, "logscale y");
    panel_set(panel, "xrange [0:%.8g]", map->ended_s);
    panel_set(panel, "yrange [%.6g:%.6g]", low, high);
    panel_set(panel, "key off");
    panel_log_tics(panel, "y", low, high, true);
    panel->key_columns = 0;
    write_cells(map, panel);
    panel_draw(panel, NULL, "using 1:3:1:2:3:4:5 with boxxyerror fs solid 1 noborder lc palette");
    return true;
}

const struct plot_kind plot_heat = {
    .name = "heat",
    .caption = "Latency over time, of a run with --interval: the colour is the number of "
               "calls. A band that splits, jumps or widens is a change that percentiles over the "
               "whole run don't show.",
    .usual = true,
    .draw = draw_heat,
};
