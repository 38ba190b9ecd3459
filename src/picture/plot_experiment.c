/* Pictures of experiments over what varies: throughput and latency over the load, cost over the
 * size. */
#include <math.h>
#include <string.h>

#include "picture/panel.h"

/* The cells of an op and variant that differ in the load alone, or in the size alone. */
struct curve {
    const struct experiment_result *experiment;
    size_t file;
    const struct experiment_cell *first;
    const struct experiment_scaling *scaling; /* what they teach; NULL */
    const struct experiment_sizes *sizes;     /* likewise */
    const char *colour;
    char label[2 * PANEL_TEXT_SIZE];
};

enum which { OVER_LOAD, OVER_SIZE };

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool belongs(const struct experiment_cell *cell, const struct experiment_cell *first,
                    enum which which)
{
    const struct cell_setting *a = &cell->setting, *b = &first->setting;

    if (cell->units == 0 || !is_same(cell->op, first->op) ||
        !is_same(cell->variant, first->variant))
        return false;
    return which == OVER_LOAD ? a->size == b->size
                              : a->clients == b->clients && a->connections == b->connections &&
                                    a->depth == b->depth && a->rate == b->rate;
}

/* Calls in flight or, in an open loop, calls per second. */
static double load_of(const struct experiment_result *experiment,
                      const struct cell_setting *setting)
{
    return experiment->varies_rate
               ? setting->rate
               : (double)setting->clients * setting->connections * setting->depth;
}

static bool is_varied(const struct experiment_result *experiment, enum which which)
{
    return which == OVER_SIZE
               ? experiment->varies_size
               : experiment->varies_clients || experiment->varies_depth || experiment->varies_rate;
}

static void find_analysis(struct curve *curve)
{
    const struct experiment_result *experiment = curve->experiment;
    const struct experiment_cell *first = curve->first;

    for (size_t i = 0; i < experiment->scaling_count; i++)
        if (experiment->scaling[i].size == first->setting.size || !experiment->varies_size)
            curve->scaling = &experiment->scaling[i];
    for (size_t i = 0; i < experiment->sizes_count; i++) {
        const struct experiment_sizes *sizes = &experiment->sizes[i];

        if (sizes->clients == first->setting.clients && sizes->depth == first->setting.depth &&
            is_same(sizes->op, first->op) && is_same(sizes->variant, first->variant))
            curve->sizes = sizes;
    }
}

/* "A  today.json, krb5p, 4096 bytes"; of one file with the op in place of its name. */
static void name_curve(const struct result_set *set, struct curve *curve, enum which which)
{
    const struct experiment_result *experiment = curve->experiment;
    const struct cell_setting *setting = &curve->first->setting;
    const char *variant = curve->first->variant;
    char file[PANEL_LABEL_SIZE], own[64] = "", text[PANEL_TEXT_SIZE];

    if (which == OVER_LOAD && experiment->varies_size && setting->size > 0)
        snprintf(own, sizeof own, ", %u bytes", setting->size);
    else if (which == OVER_SIZE && is_varied(experiment, OVER_LOAD))
        snprintf(own, sizeof own, ", %.6g %s", load_of(experiment, setting),
                 experiment->varies_rate ? "calls/s" : "in flight");
    if (set->count > 1)
        plot_file_label(set, curve->file, file);
    else
        snprintf(file, sizeof file, "%s", plot_text(curve->first->op, text));
    snprintf(curve->label, sizeof curve->label, "%s%s%.60s%s", file, variant ? ", " : "",
             variant ? plot_text(variant, text) : "", own);
}

/* How many cells of its curve come before cell INDEX, and how many there are. */
static size_t count_cells(const struct experiment_result *experiment, size_t index,
                          enum which which, size_t *before)
{
    size_t count = 0;

    *before = 0;
    for (size_t i = 0; i < experiment->cell_count; i++)
        if (belongs(&experiment->cells[i], &experiment->cells[index], which)) {
            *before += i < index;
            count++;
        }
    return count;
}

/* Does a curve of OP begin with cell INDEX? Of variants two cells are no curve: they are compared
 * (plot_variants.c). */
static bool begins(const struct experiment_result *experiment, size_t index, const char *op,
                   enum which which)
{
    const size_t least = experiment->reference ? 3 : 1;
    size_t before, count = count_cells(experiment, index, which, &before);

    return count >= least && before == 0 && strcmp(experiment->cells[index].op, op) == 0 &&
           experiment->cells[index].units > 0;
}

static size_t find_curves(const struct result_set *set, const char *op, enum which which,
                          struct curve curves[PANEL_CURVES])
{
    size_t count = 0;

    for (size_t file = 0; file < set->file_count; file++) {
        const struct experiment_result *experiment = set->files[file].experiment;

        if (!experiment || !is_varied(experiment, which))
            continue;
        for (size_t i = 0; i < experiment->cell_count && count < PANEL_CURVES; i++)
            if (begins(experiment, i, op, which)) {
                struct curve *curve = &curves[count];

                *curve = (struct curve){.experiment = experiment,
                                        .file = file,
                                        .first = &experiment->cells[i],
                                        .colour = plot_colour(count)};
                find_analysis(curve);
                name_curve(set, curve, which);
                count++;
            }
    }
    return count;
}

/* The curves of the op numbered INDEX of those that have some. */
static size_t find_panel(const struct result_set *set, size_t index, enum which which,
                         struct curve curves[PANEL_CURVES])
{
    const char *ops[PLOT_PANELS];
    size_t op_count = 0;

    for (size_t file = 0; file < set->file_count; file++) {
        const struct experiment_result *experiment = set->files[file].experiment;

        for (size_t i = 0; experiment && i < experiment->cell_count && op_count < PLOT_PANELS;
             i++) {
            const char *op = experiment->cells[i].op;
            size_t known = 0, count;

            while (known < op_count && strcmp(ops[known], op) != 0)
                known++;
            if (known < op_count)
                continue;
            ops[op_count++] = op;
            count = find_curves(set, op, which, curves);
            if (count > 0 && index-- == 0)
                return count;
        }
    }
    return 0;
}

/* Data */

/* The range of what is on the x axis, and how many values of it there are. */
struct range {
    double low, high;
    size_t values;
};

static void take(struct range *range, double x)
{
    range->low = range->values ? fmin(range->low, x) : x;
    range->high = range->values ? fmax(range->high, x) : x;
    range->values++;
}

/* An end of an interval, or its estimate where there is none. */
static double end_of(const struct interval *interval, double end)
{
    return isfinite(end) ? end : interval->estimate;
}

/* FIGURE of CELL; of a curve of what is above the reference, that. */
static struct interval level_of(const struct experiment_cell *cell, enum cell_figure figure)
{
    if (figure != CELL_FIGURES)
        return cell->intervals[figure];
    return cell->against ? cell->against->comparison.difference : (struct interval){NAN, NAN, NAN};
}

/* A block with FIGURE of CURVE's cells: x, value, and the ends of its interval. */
static void write_points(const struct curve *curve, enum which which, enum cell_figure figure,
                         struct range *range, struct panel *panel)
{
    const double unit = figure == CELL_RATE ? 1 : 1000;

    panel_block(panel);
    for (size_t i = 0; i < curve->experiment->cell_count; i++) {
        const struct experiment_cell *cell = &curve->experiment->cells[i];
        const struct interval level = level_of(cell, figure);
        double x =
            which == OVER_SIZE ? cell->setting.size : load_of(curve->experiment, &cell->setting);

        if (!belongs(cell, curve->first, which) || !isfinite(level.estimate) || !(x > 0))
            continue;
        take(range, x);
        panel_row(panel, "%.8g %.8g %.8g %.8g", x, level.estimate / unit,
                  end_of(&level, level.low) / unit, end_of(&level, level.high) / unit);
    }
}

/* The last block's points, as NUMBER of the curves. */
static void draw_points(const struct curve *curve, size_t number, int point, const char *what,
                        struct panel *panel)
{
    char title[2 * PANEL_LABEL_SIZE];

    snprintf(title, sizeof title, "%s%s", curve->label, what);
    panel_draw(panel, title, "using 1:2:3:4 with yerrorbars pt %d ps 0.5 lt %zu lc rgb '%s'", point,
               number, curve->colour);
}

/* "64k" at 65536; numbers of calls and of bytes are mostly powers of two. */
static void set_powers_of_two(const struct range *range, struct panel *panel)
{
    static const char *const prefixes[] = {"", "k", "M", "G"};

    panel_set(panel, "xtics ('' %.8g)", range->low / 2); /* only those that follow */
    for (double x = exp2(ceil(log2(range->low))); x <= range->high; x *= 2) {
        int power = ilogb(x) / 10 < 3 ? ilogb(x) / 10 : 3;

        panel_set(panel, "xtics add ('%.6g%s' %.8g)", power > 0 ? x / exp2(10 * power) : x,
                  power > 0 ? prefixes[power] : "", x);
    }
}

/* A logarithmic axis where its ends are far apart. */
static void set_x_axis(const struct range *range, const char *label, bool by_two,
                       struct panel *panel)
{
    const double far_apart = 8;
    bool logarithmic = range->values > 1 && range->high >= far_apart * range->low;
    double margin = logarithmic ? pow(range->high / range->low, 0.04)
                                : (range->high - range->low) * 0.04 + 1e-9 * range->high;

    panel_set(panel, "xlabel '%s'", label);
    if (range->values == 0)
        return;
    if (!logarithmic) {
        panel_set(panel, "xrange [%.8g:%.8g]", range->low - margin, range->high + margin);
        return;
    }
    panel_set(panel, "logscale x");
    if (by_two)
        set_powers_of_two(range, panel);
    else
        panel_log_tics(panel, "x", range->low, range->high);
    panel_set(panel, "xrange [%.8g:%.8g]", range->low / margin, range->high * margin);
}

/* Over the load */

static bool has_knee(const struct curve *curve, const struct range *range)
{
    const struct experiment_scaling *scaling = curve->scaling;

    return scaling && scaling->has_knee && !curve->experiment->varies_rate &&
           scaling->knee.concurrency.estimate >= range->low &&
           scaling->knee.concurrency.estimate <= range->high;
}

/* A band as wide as its interval, and a line in it. */
static void draw_knee(const struct curve *curve, const struct range *range, struct panel *panel)
{
    const struct interval *knee = &curve->scaling->knee.concurrency;

    panel_set(panel,
              "object rectangle from %.8g, graph 0 to %.8g, graph 1 behind fc rgb '%s' "
              "fs transparent solid 0.15 noborder",
              fmax(end_of(knee, knee->low), range->low),
              fmin(end_of(knee, knee->high), range->high), curve->colour);
    panel_set(panel, "arrow from %.8g, graph 0 to %.8g, graph 1 nohead dt 2 lc rgb '%s'",
              knee->estimate, knee->estimate, curve->colour);
}

static void draw_knees(const struct curve *curves, size_t count, const struct range *range,
                       struct panel *panel)
{
    size_t knees = 0;

    for (size_t i = 0; i < count; i++)
        if (has_knee(&curves[i], range)) {
            draw_knee(&curves[i], range, panel);
            knees++;
        }
    if (knees > 0)
        panel_key(panel, knees > 1 ? "knees, with 95 % interval" : "knee, with 95 % interval",
                  "lines dt 2 lc rgb '#404040'");
}

/* What is over the load in a panel, each as a line of its own. */
struct over_load {
    const char *title, *ylabel, *setting;
    struct {
        enum cell_figure figure;
        const char *what;
        int dash, point;
    } figures[2];
    size_t count;
};

static const struct over_load over_load[] = {
    {"throughput over the load", "'calls/s'", "yrange [0:*]", {{CELL_RATE, "", 1, 7}}, 1},
    {"latency over the load",
     "'latency ('.US.')'",
     "logscale y",
     {{CELL_MEAN, ", mean", 1, 7}, {CELL_P99, ", p99", 3, 6}},
     2},
};

enum { OVER_LOADS = sizeof over_load / sizeof over_load[0] };

static bool draw_load(const struct result_set *set, size_t index, struct panel *panel)
{
    const struct over_load *load = &over_load[index % OVER_LOADS];
    struct curve curves[PANEL_CURVES];
    size_t count = find_panel(set, index / OVER_LOADS, OVER_LOAD, curves);
    struct range range = {.values = 0};

    if (count == 0)
        return false;
    panel_title(panel, set, "%s", load->title);
    panel_set(panel, "ylabel %s", load->ylabel);
    panel_set(panel, "%s", load->setting);
    if (load->figures[0].figure == CELL_RATE)
        panel_set(panel, "format y '%%.0f'");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < load->count; j++) {
            write_points(&curves[i], OVER_LOAD, load->figures[j].figure, &range, panel);
            panel_draw(panel, NULL, "using 1:2 with lines lw 1.5 dt %d lt %zu lc rgb '%s'",
                       load->figures[j].dash, i + 1, curves[i].colour);
            draw_points(&curves[i], i + 1, load->figures[j].point, load->figures[j].what, panel);
        }
    set_x_axis(&range,
               curves[0].experiment->varies_rate ? "offered rate (calls/s)" : "calls in flight",
               !curves[0].experiment->varies_rate, panel);
    draw_knees(curves, count, &range, panel);
    return true;
}

const struct plot_kind plot_load = {
    .name = "load",
    .caption = "Throughput and latency over the load, with 95 % intervals from the spread between "
               "trials. With more calls in flight than at the knee, calls wait for one another.",
    .usual = true,
    .draw = draw_load,
};

/* Over the size */

/* What is drawn, as its pieces are; CELL_FIGURES: what is above the reference. */
static enum cell_figure cost_figure(const struct curve *curve)
{
    static const enum cell_figure figures[] = {[SIZES_TYPICAL] = CELL_TYPICAL,
                                               [SIZES_ABOVE_NULL] = CELL_COST,
                                               [SIZES_ABOVE_REFERENCE] = CELL_FIGURES};

    if (curve->experiment->reference)
        return CELL_FIGURES;
    return curve->sizes ? figures[curve->sizes->basis] : CELL_TYPICAL;
}

/* A piece: the line between its first and its last size, point by point, as a logarithmic axis
 * bends it. */
static void write_piece(const struct piecewise_piece *piece, struct panel *panel)
{
    enum { STEPS = 32 };
    double fixed = piece->fixed_ns.estimate, slope = piece->ns_per_byte.estimate;

    if (!piece->fixed_known || !piece->slope_known)
        return;
    for (int i = 0; i <= STEPS; i++) {
        double size = piece->first + (piece->last - piece->first) * pow((double)i / STEPS, 3);

        panel_row(panel, "%.8g %.8g", size, (fixed + slope * size) / 1000);
    }
    panel_row(panel, "%s", "");
}

/* Returns whether CURVE has pieces. */
static bool draw_pieces(const struct curve *curve, size_t number, struct panel *panel)
{
    const struct experiment_sizes *sizes = curve->sizes;

    panel_block(panel);
    for (size_t i = 0; sizes && i < sizes->piece_count; i++)
        write_piece(&sizes->cost.piece[i], panel);
    panel_draw(panel, NULL, "using 1:2 with lines lw 1.5 lt %zu lc rgb '%s'", number,
               curve->colour);
    return sizes && sizes->piece_count > 0;
}

static const char *size_title(enum cell_figure figure)
{
    return figure == CELL_COST      ? "cost above the null call over the size"
           : figure == CELL_FIGURES ? "cost above the reference over the size"
                                    : "typical time of a call over the size";
}

static bool draw_size(const struct result_set *set, size_t index, struct panel *panel)
{
    struct curve curves[PANEL_CURVES];
    size_t count = find_panel(set, index, OVER_SIZE, curves);
    struct range range = {.values = 0};
    bool any = false;

    if (count == 0)
        return false;
    panel_title(panel, set, "%s", size_title(cost_figure(&curves[0])));
    panel_set(panel, "ylabel 'time ('.US.')'");
    panel_set(panel, "yrange [*<0:*]");
    for (size_t i = 0; i < count; i++) {
        any = draw_pieces(&curves[i], i + 1, panel) || any;
        write_points(&curves[i], OVER_SIZE, cost_figure(&curves[i]), &range, panel);
        draw_points(&curves[i], i + 1, 7, "", panel);
    }
    set_x_axis(&range, "bytes", true, panel);
    if (any)
        panel_key(panel, "fixed cost and cost of a byte, between breaks",
                  "lines lw 1.5 lc rgb '#404040'");
    return true;
}

const struct plot_kind plot_size = {
    .name = "size",
    .caption = "The cost over the size of READ or WRITE, with 95 % intervals from the spread "
               "between trials, and the lines that describe it: each has a fixed cost and a cost "
               "of a byte. Between two lines the cost has a step or a bend.",
    .usual = true,
    .draw = draw_size,
};
