/* Pictures of the costs above null. */
#include <math.h>

#include "report/plot_kinds.h"

/* A row is an op of one file. Only ops that have a cost in all files have rows. An empty row
 * separates the ops. */
struct row {
    const struct result *result;
    const struct result_op *op;
    size_t file;
    double place;
};

struct rows {
    struct row list[RESULT_SET_OPS * RESULT_SET_FILES];
    size_t count;
};

static bool has_cost(const struct result_set *set, size_t op)
{
    for (size_t i = 0; i < set->count; i++)
        if (!result_set_op(set, i, op)->has_above_null)
            return false;
    return true;
}

/* Find the rows of SET and name them in PANEL. Returns true, or false if SET has no rows or INDEX
 * is not 0, because there is only one panel. */
static bool begin_rows(struct rows *rows, const struct result_set *set, size_t index,
                       struct panel *panel)
{
    rows->count = 0;
    for (size_t op = 0; op < set->op_count && index == 0; op++) {
        if (!has_cost(set, op))
            continue;
        panel_name_row(panel, panel->bottom + (double)(set->count - 1) / 2, set, PANEL_NO_FILE,
                       set->ops[op]);
        for (size_t file = 0; file < set->count; file++)
            rows->list[rows->count++] = (struct row){
                set->results[file], result_set_op(set, file, op), file, panel->bottom++};
        panel->bottom++;
    }
    return rows->count > 0;
}

/* Return the row with the highest significant cost above 0; NULL if there is none. */
static const struct row *find_costliest(const struct rows *rows)
{
    const struct row *found = NULL;

    for (const struct row *row = rows->list; row < rows->list + rows->count; row++)
        if (row->op->above_null.distinguishable &&
            row->op->above_null.cost.estimate > (found ? found->op->above_null.cost.estimate : 0))
            found = row;
    return found;
}

/* Return the largest noise floor of SET's results, in ns; 0 if no result has one. */
static double noise_floor(const struct result_set *set)
{
    double reach = 0;

    for (size_t i = 0; i < set->count; i++)
        reach = fmax(reach, result_noise(set->results[i], RESULT_COST));
    return reach;
}

static void draw_floor(const struct result_set *set, struct panel *panel)
{
    const double reach = panel_time(panel, noise_floor(set));

    if (!(reach > 0))
        return;
    panel_set(panel,
              "object 1 rectangle from %.8g, graph 0 to %.8g, graph 1 behind fc rgb '#b8b8b8' fs "
              "solid 0.5 noborder",
              -reach, reach);
    panel_key(panel, set->count > 1 ? "noise floor of the runs" : "noise floor of the run",
              "boxes fs solid 0.5 noborder lc rgb '#b8b8b8'");
}

static void title_costs(const struct result_set *set, const struct rows *rows, struct panel *panel)
{
    const struct row *found = find_costliest(rows);
    char op[PANEL_TEXT_SIZE], cost[PANEL_TEXT_SIZE];

    if (set->count > 1)
        panel_title(panel, set, "what the ops cost above the null call");
    else if (!found)
        panel_title(panel, set, "no op costs significantly more than the null call");
    else
        panel_title(panel, set, "%s costs %s%s above the null call", plot_text(found->op->op, op),
                    rows->count > 1 ? "most, " : "",
                    panel_duration(found->op->above_null.cost.estimate, cost));
}

static bool draw_cost(const struct result_set *set, size_t index, struct panel *panel)
{
    char label[PANEL_LABEL_SIZE];
    double largest = noise_floor(set);
    struct rows rows;

    if (!begin_rows(&rows, set, index, panel))
        return false;
    for (size_t i = 0; i < rows.count; i++)
        largest = fmax(largest, panel_farthest(&rows.list[i].op->above_null.cost));
    panel_unit(panel, largest);
    title_costs(set, &rows, panel);
    panel_time_axis(panel, "cost above null, with 95 % interval", "*<0");
    panel_set(panel, "yzeroaxis lt 1 lw 1 lc rgb '#808080'");
    for (const struct row *row = rows.list; row < rows.list + rows.count; row++) {
        const struct interval cost = panel_times(panel, 0, &row->op->above_null.cost);

        panel_block(panel);
        panel_point(panel, row->place, &cost, cost.high, "%.4g", cost.estimate);
        panel_draw_points(panel, NULL, "lw 1.6 pt %d ps 0.6 lc rgb '%s'", plot_point(row->file),
                          plot_style_of(row->op->op).colour);
    }
    for (size_t i = 0; set->count > 1 && i < set->count; i++)
        panel_key(panel, plot_file_label(set, i, label), "points pt %d ps 0.6 lc rgb '#404040'",
                  plot_point(i));
    draw_floor(set, panel);
    return true;
}

const struct plot_kind plot_cost = {
    .name = "cost",
    .caption = "What each op costs above the null call, with its 95 % interval. An interval that "
               "overlaps the grey band is within the noise.",
    .usual = true,
    .draw = draw_cost,
};

enum part { PART_FLOOR, PART_BYTES, PART_PAUSE, PART_SERVER, PARTS };

/* Set ENDS[0] to 0, where the first part of ROW's bar begins, and ENDS[I + 1] to the end of part I,
 * in ns. Each part begins at the end of the part before it; a negative part ends before it begins.
 * If the parts of the cost are not known, the last part is the complete cost. */
static void ends_of(const struct row *row, double ends[PARTS + 1])
{
    const struct result_op *op = row->op;
    const struct result_split whole = {.server = op->above_null.cost};
    const struct result_split *split = result_has_parts(op) ? &op->split : &whole;
    const double parts[PARTS] = {result_level(row->result, op->baseline), split->bytes.estimate,
                                 split->pause.estimate, split->server.estimate};

    ends[0] = 0;
    for (int part = 0; part < PARTS; part++)
        ends[part + 1] = ends[part] + parts[part];
}

static const unsigned colours[PARTS] = {0xd4d4d4, 0x9a9a9a, 0x606060, 0x0072b2};

/* Write a block with bars of part number PART. If BELOW is true, only rows where the part is
 * negative have bars; else only rows where it is not. The server's part has the op's colour. */
static void write_part(const struct rows *rows, int part, bool below, struct panel *panel)
{
    panel_block(panel);
    for (const struct row *row = rows->list; row < rows->list + rows->count; row++) {
        double ends[PARTS + 1];

        ends_of(row, ends);
        if ((ends[part + 1] < ends[part]) == below)
            panel_bar(panel, row->place, ends[part], ends[part + 1],
                      part < PART_SERVER ? colours[part]
                                         : plot_rgb(plot_style_of(row->op->op).colour));
    }
}

static void draw_parts(const struct rows *rows, bool split, struct panel *panel)
{
    static const char *const fillings[PARTS] = {"solid 1 noborder", "pattern 2", "pattern 1",
                                                "solid 1 noborder"};
    const char *const titles[PARTS] = {"null call: RPC, network, waking up", "bytes", "pause",
                                       split ? "server (in the op''s colour)"
                                             : "cost above null (in the op''s colour)"};

    for (int part = 0; part < PARTS; part++) {
        if (!split && part != PART_FLOOR && part != PART_SERVER)
            continue;
        write_part(rows, part, false, panel);
        panel_draw_bars(panel, 0.4, fillings[part], titles[part], colours[part]);
    }
}

/* Draw negative parts as thinner bars over the positive parts, so that both remain visible. */
static void draw_below(const struct rows *rows, struct panel *panel)
{
    bool any = false;

    for (int part = 0; part < PARTS; part++) {
        write_part(rows, part, true, panel);
        panel_draw_bars(panel, 0.2, "solid 1 border rgb '#404040'", NULL, 0);
        any = any || panel->rows > 0;
    }
    if (any)
        panel_key(panel, "lower bar: a part below 0, subtracted",
                  "boxes lc rgb '#606060' fs solid 1 border rgb '#404040'");
}

/* Draw each row's total, the baseline's time plus the cost, with the interval of the cost. */
static void draw_totals(const struct rows *rows, struct panel *panel)
{
    panel_block(panel);
    for (const struct row *row = rows->list; row < rows->list + rows->count; row++) {
        const struct interval *cost = &row->op->above_null.cost;
        double ends[PARTS + 1], reach = 0;
        struct interval whole;

        ends_of(row, ends);
        whole = panel_times(panel, ends[PARTS] - cost->estimate, cost);
        for (int part = 1; part <= PARTS; part++)
            reach = fmax(reach, panel_time(panel, ends[part]));
        panel_point(panel, row->place, &whole, reach, "%.4g", whole.estimate);
    }
    panel_draw_points(panel, NULL, "pt 7 ps 0.4 lw 1.4 lt 1 lc rgb '#404040'");
}

static void title_parts(const struct result_set *set, const struct rows *rows, struct panel *panel)
{
    const struct row *found = find_costliest(rows);
    char op[PANEL_TEXT_SIZE];
    double ends[PARTS + 1];

    if (found)
        ends_of(found, ends);
    if (set->count > 1 || !found || ends[PARTS] <= ends[PART_FLOOR + 1])
        panel_title(panel, set, "the parts of a typical call");
    else
        panel_title(panel, set, "%.0f %% of a typical %s is what a null call costs",
                    100 * ends[PART_FLOOR + 1] / ends[PARTS], plot_text(found->op->op, op));
}

static bool draw_stack(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows;
    double largest = 0;
    bool split = false;

    if (!begin_rows(&rows, set, index, panel))
        return false;
    for (size_t i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];

        split = split || result_has_parts(row->op);
        largest = fmax(largest, result_level(row->result, row->op));
    }
    panel_unit(panel, largest);
    title_parts(set, &rows, panel);
    panel_time_axis(panel, "time of a call, with 95 % interval", "0");
    draw_parts(&rows, split, panel);
    draw_below(&rows, panel);
    draw_totals(&rows, panel);
    return true;
}

const struct plot_kind plot_stack = {
    .name = "stack",
    .caption =
        "The parts of a call's time: the null call, which is RPC, network and waking up; the cost "
        "of the op's longer messages (bytes); the cost of the pause before the call (pause); and "
        "the server's own work. A part that was estimated below 0 is a lower bar from right to "
        "left. If the parts are not known, the cost above null is shown undivided.",
    .usual = true,
    .draw = draw_stack,
};
