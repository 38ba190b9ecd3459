/* Pictures of experiments: throughput and latency over the load, cost over the size, and what each
 * variant makes of the reference's call. */
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "picture/panel.h"

enum which { OVER_LOAD, OVER_SIZE };

/* The cells of an op and variant that differ in the load alone, or in the size alone. */
struct curve {
    const struct experiment_result *experiment;
    size_t file;
    const struct experiment_cell *first;
    const struct experiment_scaling *scaling; /* what they teach; NULL */
    const struct experiment_sizes *sizes;     /* likewise */
    const char *colour;
    char label[PANEL_TEXT_SIZE];
};

static bool belongs(const struct experiment_cell *cell, const struct experiment_cell *first,
                    enum which which)
{
    const struct cell_setting *a = &cell->setting, *b = &first->setting;

    if (cell->units == 0 || !same_text(cell->op, first->op) ||
        !same_text(cell->variant, first->variant))
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

    for (size_t i = 0; i < experiment->scaling_count; i++) {
        const struct experiment_scaling *scaling = &experiment->scaling[i];

        if (scaling->size == first->setting.size && same_text(scaling->op, first->op) &&
            same_text(scaling->variant, first->variant))
            curve->scaling = scaling;
    }
    for (size_t i = 0; i < experiment->sizes_count; i++) {
        const struct experiment_sizes *sizes = &experiment->sizes[i];

        if (sizes->clients == first->setting.clients && sizes->depth == first->setting.depth &&
            same_text(sizes->op, first->op) && same_text(sizes->variant, first->variant))
            curve->sizes = sizes;
    }
}

/* "read 4Ki, krb5p", or over the size "read, krb5p, 8 in flight"; of several files their names. */
static void name_curve(const struct result_set *set, struct curve *curve, enum which which)
{
    const struct experiment_result *experiment = curve->experiment;
    const struct experiment_cell *cell = curve->first;
    char file[PANEL_LABEL_SIZE] = "", name[CELL_NAME_SIZE], text[FIELD_ROOM];

    if (set->count > 1)
        plot_file_label(set, curve->file, file);
    field_print(text, "%s%s%s", file, file[0] ? ", " : "",
                which == OVER_SIZE ? cell->op : cell_name(cell, name));
    if (cell->variant)
        field_append(text, ", %s", cell->variant);
    if (which == OVER_SIZE && is_varied(experiment, OVER_LOAD))
        field_append(text, ", %.6g %s", load_of(experiment, &cell->setting),
                     experiment->varies_rate ? "calls/s" : "in flight");
    plot_text(text, curve->label);
}

/* Is cell INDEX the first of a curve? Of variants two cells are none: they are compared. */
static bool begins(const struct experiment_result *experiment, size_t index, enum which which)
{
    size_t count = 0;

    for (size_t i = 0; i < experiment->cell_count; i++) {
        const bool own = belongs(&experiment->cells[i], &experiment->cells[index], which);

        if (own && i < index)
            return false;
        count += own;
    }
    return count > (experiment->reference ? 2 : 0);
}

/* Those of OP. */
static size_t find_curves(const struct result_set *set, const char *op, enum which which,
                          struct curve curves[PANEL_CURVES])
{
    size_t count = 0;

    for (size_t file = 0; file < set->file_count; file++) {
        const struct experiment_result *experiment = set->files[file].experiment;

        for (size_t i = 0; experiment && i < experiment->cell_count && count < PANEL_CURVES; i++) {
            if (!is_varied(experiment, which) || strcmp(experiment->cells[i].op, op) != 0 ||
                !begins(experiment, i, which))
                continue;
            curves[count] = (struct curve){.experiment = experiment,
                                           .file = file,
                                           .first = &experiment->cells[i],
                                           .colour = plot_colour(count)};
            find_analysis(&curves[count]);
            name_curve(set, &curves[count++], which);
        }
    }
    return count;
}

/* Of the op of the first file that is number INDEX of those with curves. */
static size_t find_panel(const struct result_set *set, size_t index, enum which which,
                         struct curve curves[PANEL_CURVES])
{
    const struct experiment_result *experiment = set->files[0].experiment;

    for (size_t i = 0; experiment && i < experiment->cell_count; i++) {
        const char *op = experiment->cells[i].op;
        size_t first = 0, count;

        while (strcmp(experiment->cells[first].op, op) != 0)
            first++;
        count = first == i ? find_curves(set, op, which, curves) : 0;
        if (count > 0 && index-- == 0)
            return count;
    }
    return 0;
}

/* Data */

/* The range of what is on the x axis, and how many values of it there are. */
struct range {
    double low, high;
    size_t values;
};

/* An end of an interval, or its estimate where there is none. */
static double end_of(const struct interval *interval, double end)
{
    return isfinite(end) ? end : interval->estimate;
}

/* FIGURE of CELL; CELL_FIGURES: its difference to the reference. */
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
    const struct experiment_result *experiment = curve->experiment;
    const double unit = figure == CELL_RATE ? 1 : 1000;

    panel_block(panel);
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct experiment_cell *cell = &experiment->cells[i];
        const struct interval level = level_of(cell, figure);
        double x = which == OVER_SIZE ? cell->setting.size : load_of(experiment, &cell->setting);

        if (!belongs(cell, curve->first, which) || !isfinite(level.estimate) || !(x > 0))
            continue;
        range->low = range->values ? fmin(range->low, x) : x;
        range->high = range->values ? fmax(range->high, x) : x;
        range->values++;
        panel_row(panel, "%.8g %.8g %.8g %.8g", x, level.estimate / unit,
                  end_of(&level, level.low) / unit, end_of(&level, level.high) / unit);
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
    panel_log_tics(panel, "x", range->low, range->high);
    if (by_two) { /* numbers of calls and of bytes are mostly powers of two */
        panel_set(panel, "xtics ('' %.8g)", range->low / 2); /* only those that follow */
        panel_set(panel, "for [i=0:9] xtics add (sprintf('%%d', 2**i) 2**i, "
                         "sprintf('%%dKi', 2**i) 2**(i+10), sprintf('%%dMi', 2**i) 2**(i+20))");
    }
    panel_set(panel, "xrange [%.8g:%.8g]", range->low / margin, range->high * margin);
}

/* Of each knee that is in the picture, a band as wide as its interval, and a line in it. */
static void draw_knees(const struct curve *curves, size_t count, const struct range *range,
                       struct panel *panel)
{
    size_t knees = 0;

    for (size_t i = 0; i < count; i++) {
        const struct experiment_scaling *scaling = curves[i].scaling;
        const struct interval *knee = scaling ? &scaling->knee.concurrency : NULL;

        if (!knee || !scaling->has_knee || curves[i].experiment->varies_rate ||
            !(knee->estimate >= range->low && knee->estimate <= range->high))
            continue;
        knees++;
        panel_set(panel,
                  "object rectangle from %.8g, graph 0 to %.8g, graph 1 behind fc rgb '%s' "
                  "fs transparent solid 0.15 noborder",
                  fmax(end_of(knee, knee->low), range->low),
                  fmin(end_of(knee, knee->high), range->high), curves[i].colour);
        panel_set(panel, "arrow from %.8g, graph 0 to %.8g, graph 1 nohead dt 2 lc rgb '%s'",
                  knee->estimate, knee->estimate, curves[i].colour);
    }
    if (knees > 0)
        panel_key(panel, knees > 1 ? "knees, with 95 % interval" : "knee, with 95 % interval",
                  "lines dt 2 lc rgb '#404040'");
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

/* FIGURE of CURVE, which is NUMBER of the panel's, as points, over the load with lines between.
 * WHAT is behind its name, of a second figure of the same curve. */
static void draw_figure(const struct curve *curve, size_t number, enum which which,
                        enum cell_figure figure, const char *what, struct range *range,
                        struct panel *panel)
{
    const bool second = figure == CELL_P99;
    char title[2 * PANEL_LABEL_SIZE];

    write_points(curve, which, figure, range, panel);
    if (which == OVER_LOAD)
        panel_draw(panel, NULL, "using 1:2 with lines lw 1.5 dt %d lt %zu lc rgb '%s'",
                   second ? 3 : 1, number, curve->colour);
    snprintf(title, sizeof title, "%s%s", curve->label, what);
    panel_draw(panel, title, "using 1:2:3:4 with yerrorbars pt %d ps 0.5 lt %zu lc rgb '%s'",
               second ? 6 : 7, number, curve->colour);
}

/* Each op has a panel of throughput and one of latency. */
static bool draw_load(const struct result_set *set, size_t index, struct panel *panel)
{
    const bool latency = index % 2;
    struct curve curves[PANEL_CURVES];
    size_t count = find_panel(set, index / 2, OVER_LOAD, curves);
    const bool by_rate = count > 0 && curves[0].experiment->varies_rate;
    struct range range = {.values = 0};

    panel_title(panel, set, latency ? "latency over the load" : "throughput over the load");
    panel_set(panel, latency ? "ylabel 'latency ('.US.')'" : "ylabel 'calls/s'");
    panel_set(panel, latency ? "logscale y" : "yrange [0:*]");
    if (!latency)
        panel_set(panel, "format y '%%.0f'");
    for (size_t i = 0; i < count; i++) {
        draw_figure(&curves[i], i + 1, OVER_LOAD, latency ? CELL_MEAN : CELL_RATE,
                    latency ? ", mean" : "", &range, panel);
        if (latency)
            draw_figure(&curves[i], i + 1, OVER_LOAD, CELL_P99, ", p99", &range, panel);
    }
    set_x_axis(&range, by_rate ? "offered rate (calls/s)" : "calls in flight", !by_rate, panel);
    draw_knees(curves, count, &range, panel);
    return count > 0;
}

static bool draw_size(const struct result_set *set, size_t index, struct panel *panel)
{
    static const struct {
        enum cell_figure figure;
        const char *title;
    } by_basis[] = {
        [SIZES_TYPICAL] = {CELL_TYPICAL, "typical time of a call over the size"},
        [SIZES_ABOVE_NULL] = {CELL_COST, "cost above the null call over the size"},
        [SIZES_ABOVE_REFERENCE] = {CELL_FIGURES, "cost above the reference over the size"}};
    struct curve curves[PANEL_CURVES];
    size_t count = find_panel(set, index, OVER_SIZE, curves), basis = SIZES_TYPICAL;
    struct range range = {.values = 0};
    bool any = false;

    for (size_t i = count; i > 0; i--) /* of the first that has one */
        basis = curves[i - 1].sizes ? curves[i - 1].sizes->basis : basis;
    panel_title(panel, set, "%s", by_basis[basis].title);
    panel_set(panel, "ylabel 'time ('.US.')'");
    panel_set(panel, "yrange [*<0:*]");
    for (size_t i = 0; i < count; i++) {
        any = draw_pieces(&curves[i], i + 1, panel) || any;
        draw_figure(&curves[i], i + 1, OVER_SIZE, by_basis[basis].figure, "", &range, panel);
    }
    set_x_axis(&range, "bytes", true, panel);
    if (any)
        panel_key(panel, "fixed cost and cost of a byte, between breaks",
                  "lines lw 1.5 lc rgb '#404040'");
    return count > 0;
}

const struct plot_kind plot_load = {
    .name = "load",
    .caption = "Throughput and latency over the load, with 95 % intervals from the spread between "
               "trials. With more calls in flight than at the knee, calls wait for one another.",
    .usual = true,
    .draw = draw_load,
};

const struct plot_kind plot_size = {
    .name = "size",
    .caption = "The cost over the size of READ or WRITE, with 95 % intervals from the spread "
               "between trials, and the lines that describe it: each has a fixed cost and a cost "
               "of a byte. Between two lines the cost has a step or a bend.",
    .usual = true,
    .draw = draw_size,
};

/* Variants */

enum { ROWS_MAXIMUM = 96, VARIANTS_MAXIMUM = 16 };

/* Cells with a reference; the first ones of many. */
struct rows {
    struct {
        const struct experiment_cell *cell;
        size_t variant;
        struct interval times; /* a multiple of the reference's call */
    } list[ROWS_MAXIMUM];
    size_t count;
    const char *variants[VARIANTS_MAXIMUM]; /* each once */
    size_t variant_count;
    double low, high; /* of all */
    char name[FIELD_ROOM];
    size_t file; /* of the last one */
};

/* Below a tenth of the reference's call, an interval says nothing, and a logarithmic axis has no 0.
 */
#define TIMES_LEAST 0.1

/* "A  read 64Ki, depth 8" stands beside the first row of what differs in the variant alone. */
static void add_row(struct rows *rows, const struct result_set *set, size_t file,
                    const struct experiment_cell *cell, struct panel *panel)
{
    const struct interval *ratio = &cell->against->ratio;
    const struct interval times = {ratio->estimate, fmax(end_of(ratio, ratio->low), TIMES_LEAST),
                                   end_of(ratio, ratio->high)};
    const char *variant = cell->variant ? cell->variant : cell->op;
    char name[FIELD_ROOM];
    size_t i = 0;

    while (i < rows->variant_count && strcmp(rows->variants[i], variant) != 0)
        i++;
    if (rows->count == ROWS_MAXIMUM || i == VARIANTS_MAXIMUM || !(times.estimate >= TIMES_LEAST))
        return;
    rows->variants[i] = variant;
    rows->variant_count += i == rows->variant_count;
    cell_label(set->files[file].experiment, cell, false, name);
    if (strcmp(name, rows->name) != 0 || file != rows->file)
        panel_name_row(panel, (double)rows->count, set, file, name);
    strcpy(rows->name, name);
    rows->file = file;
    rows->low = fmin(rows->low, times.low);
    rows->high = fmax(rows->high, times.high);
    rows->list[rows->count].cell = cell;
    rows->list[rows->count].variant = i;
    rows->list[rows->count++].times = times;
}

/* Its multiple, and behind that what is above, us. */
static void draw_variant(const struct rows *rows, size_t variant, struct panel *panel)
{
    char name[PANEL_TEXT_SIZE];

    panel_block(panel);
    for (size_t i = 0; i < rows->count; i++) {
        const struct interval *times = &rows->list[i].times;
        const double above = us(rows->list[i].cell->against->comparison.difference.estimate);

        if (rows->list[i].variant == variant)
            panel_point(panel, (double)i, times, times->high, "%+.*f", fabs(above) < 100 ? 1 : 0,
                        above);
    }
    panel_draw_points(panel, plot_text(rows->variants[variant], name),
                      "lw 1.6 pt 7 ps 0.6 lt %zu lc rgb '%s'", variant + 2,
                      plot_colour(variant + 1)); /* as of curves, the first of which is the
                                                    reference */
}

static bool draw_variants(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows = {.low = 1, .high = 2};
    const char *reference = SEC_BASE;
    char name[PANEL_TEXT_SIZE];

    panel_title(panel, set, "what each variant costs: point and 95 %% interval");
    for (size_t file = 0; file < set->file_count; file++) {
        const struct experiment_result *experiment = set->files[file].experiment;

        for (size_t i = 0; experiment && i < experiment->cell_count; i++)
            if (experiment->cells[i].against) {
                reference = rows.count ? reference : experiment->reference;
                add_row(&rows, set, file, &experiment->cells[i], panel);
            }
    }
    panel->bottom = (double)rows.count - 0.2;
    panel_set(panel, "xlabel 'times the round trip by %s; figures: '.US.' above it'",
              strcmp(reference, SEC_BASE) == 0 ? "AUTH_SYS" : plot_text(reference, name));
    panel_set(panel, "logscale x");
    panel_log_tics(panel, "x", rows.low, rows.high);
    panel_set(panel, "xrange [%.8g:%.8g]", 0.9 * rows.low,
              rows.high * pow(rows.high / rows.low, 0.25));
    panel_set(panel, "arrow from 1, graph 0 to 1, graph 1 nohead lt 1 lc rgb '#808080'");
    for (size_t i = 0; i < rows.variant_count; i++)
        draw_variant(&rows, i, panel);
    panel_key_files(panel, set);
    return index == 0 && rows.count > 0;
}

const struct plot_kind plot_variants = {
    .name = "variants",
    .caption = "What each variant costs: the round trip of a call as a multiple of the "
               "reference's, with its 95 % interval from the spread between trials; the figure "
               "beside it is the difference.",
    .usual = true,
    .draw = draw_variants,
};
