/* Pictures of experiments: throughput and latency by load, and cost by size. */
#include <math.h>
#include <string.h>

#include "experiment/experiment.h"
#include "experiment/laws/objective.h"
#include "output/view/number.h"
#include "report/plot_kinds.h"

enum which { OVER_LOAD, OVER_SIZE, PER_KIB }; /* PER_KIB: by size, and per KiB */

/* A curve: the cells of one op and variant that differ only in the load, or only in the size. */
struct curve {
    const struct experiment_result *experiment;
    size_t file;
    const struct experiment_cell *first;
    /* analysis of the curve's cells by load; NULL: none */
    const struct experiment_scaling *scaling;
    const struct experiment_sizes *sizes; /* analysis of the curve's cells by size; NULL: none */
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

/* Return SETTING's load: the calls in flight or, for an open loop, the offered calls per second. */
static double load_of(const struct experiment_result *experiment,
                      const struct cell_setting *setting)
{
    return experiment->varies_rate ? setting->rate : cell_in_flight(setting);
}

static bool is_varied(const struct experiment_result *experiment, enum which which)
{
    return which == OVER_LOAD
               ? experiment->varies_clients || experiment->varies_depth || experiment->varies_rate
               : experiment->varies_size;
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

/* Set the label of CURVE: "read 4Ki, krb5p" for a curve by load, "read, krb5p, 8 in flight" for one
 * by size. With several files, the file's name precedes it. */
static void name_curve(const struct result_set *set, struct curve *curve, enum which which)
{
    const struct experiment_result *experiment = curve->experiment;
    const struct experiment_cell *cell = curve->first;
    char file[PANEL_LABEL_SIZE] = "", name[CELL_NAME_SIZE], text[FIELD_ROOM];

    if (set->count > 1)
        plot_file_label(set, curve->file, file);
    field_print(text, "%s%s%s", file, file[0] ? ", " : "",
                which == OVER_LOAD ? cell_name(cell, name) : cell->op);
    if (cell->variant)
        field_append(text, ", %s", cell->variant);
    if (which != OVER_LOAD && is_varied(experiment, OVER_LOAD))
        field_append(text, ", %.6g %s", load_of(experiment, &cell->setting),
                     experiment->varies_rate ? "calls/s" : "in flight");
    plot_text(text, curve->label);
}

/* Return whether cell INDEX is the first of a curve. In an experiment with a reference, fewer than
 * three cells are no curve, because plot_variants.c draws them. */
static bool begins_curve(const struct experiment_result *experiment, size_t index, enum which which)
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

static size_t find_curves(const struct result_set *set, const char *op, enum which which,
                          struct curve curves[PANEL_CURVES])
{
    size_t count = 0;

    for (size_t file = 0; file < set->file_count; file++) {
        const struct experiment_result *experiment = experiment_of(set->files[file]);

        for (size_t i = 0; experiment && i < experiment->cell_count && count < PANEL_CURVES; i++) {
            if (!is_varied(experiment, which) || strcmp(experiment->cells[i].op, op) != 0 ||
                !begins_curve(experiment, i, which))
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

/* Find the curves of panel INDEX. Each op of the first file has a panel if any file has curves of
 * the op. Returns the number of curves; 0 if there is no panel INDEX. */
static size_t find_panel(const struct result_set *set, size_t index, enum which which,
                         struct curve curves[PANEL_CURVES])
{
    const struct experiment_result *experiment = experiment_of(set->files[0]);

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

/* FAR_APART: an axis of loads, sizes or costs is logarithmic from this ratio of its ends */
enum { VALUES_MAXIMUM = 64, FAR_APART = 8 };

/* Ranges of the points of a panel. */
struct range {
    double values[VALUES_MAXIMUM]; /* x values in ascending order, each once */
    size_t count;
    double low, high;       /* least and largest of VALUES */
    double least, most;     /* least and largest estimate */
    double lowest, highest; /* lowest and highest ends of all intervals */
    const struct curve *at_most;
    double most_at; /* x value of AT_MOST's point that has the estimate MOST */
};

/* Return END, an end of INTERVAL; or INTERVAL's estimate if END is not finite. */
static double end_of(const struct interval *interval, double end)
{
    return isfinite(end) ? end : interval->estimate;
}

/* Return FIGURE of CELL; if FIGURE is CELL_FIGURES, the difference from the reference. */
static struct interval level_of(const struct experiment_cell *cell, enum cell_figure figure)
{
    if (figure != CELL_FIGURES)
        return cell->intervals[figure];
    return cell->against ? cell->against->comparison.difference : (struct interval){NAN, NAN, NAN};
}

static void widen(struct range *range, const struct curve *curve, double x,
                  const struct interval *level)
{
    size_t i = 0;

    while (i < range->count && range->values[i] < x)
        i++;
    if (range->count < VALUES_MAXIMUM && (i == range->count || range->values[i] > x)) {
        memmove(range->values + i + 1, range->values + i,
                (range->count++ - i) * sizeof *range->values);
        range->values[i] = x;
    }
    range->low = range->values[0];
    range->high = range->values[range->count - 1];
    range->least = fmin(range->least, level->estimate);
    if (level->estimate > range->most) {
        range->most = level->estimate;
        range->at_most = curve;
        range->most_at = x;
    }
    range->lowest = fmin(range->lowest, level->low);
    range->highest = fmax(range->highest, level->high);
}

/* Set *X and *LEVEL to the position of CELL's point: its load or size, and FIGURE with its interval
 * (per KiB with PER_KIB). Returns true, or false if CURVE has no point for CELL. */
static bool find_point(const struct curve *curve, const struct experiment_cell *cell,
                       enum which which, enum cell_figure figure, double *x, struct interval *level)
{
    const struct interval found = level_of(cell, figure);
    const double divisor = which == PER_KIB ? cell->setting.size / 1024.0 : 1;

    *x = which == OVER_LOAD ? load_of(curve->experiment, &cell->setting) : cell->setting.size;
    *level = (struct interval){found.estimate / divisor, end_of(&found, found.low) / divisor,
                               end_of(&found, found.high) / divisor};
    return belongs(cell, curve->first, which) && isfinite(level->estimate) && *x > 0;
}

static struct range range_of(const struct curve *curves, size_t count, enum which which,
                             const enum cell_figure *figures, size_t figure_count)
{
    struct range range = {
        .least = INFINITY, .lowest = INFINITY, .most = -INFINITY, .highest = -INFINITY};
    struct interval level;
    double x;

    for (size_t i = 0; i < count * figure_count; i++) {
        const struct curve *curve = &curves[i / figure_count];

        for (size_t j = 0; j < curve->experiment->cell_count; j++)
            if (find_point(curve, &curve->experiment->cells[j], which, figures[i % figure_count],
                           &x, &level))
                widen(&range, curve, x, &level);
    }
    return range;
}

static void write_points(const struct curve *curve, enum which which, enum cell_figure figure,
                         struct panel *panel)
{
    const struct experiment_result *experiment = curve->experiment;
    struct interval level;
    double x;

    panel_block(panel);
    for (size_t i = 0; i < experiment->cell_count; i++)
        if (find_point(curve, &experiment->cells[i], which, figure, &x, &level))
            panel_value(panel, x, &level, curve->label);
}

/* Write NUMBER as "16Ki" or "250k". */
static const char *short_number(double number, char out[NUMBER_SIZE])
{
    const double unit = number < 1000 ? 1 : number < 1e6 ? 1e3 : 1e6;

    if (number < 1e15 && fmod(number, number < 1e4 ? 1 : 1024) == 0)
        return number_binary((uint64_t)number, out);
    snprintf(out, NUMBER_SIZE, "%.*g%s", number / unit < 100 ? 3 : 4, number / unit,
             unit < 1e3   ? ""
             : unit < 1e6 ? "k"
                          : "M");
    return out;
}

/* Label the x axis with the measured values, except a value too close to the last labelled one. The
 * axis is logarithmic if its ends are far apart. */
static void set_x_axis(const struct range *range, const char *label, struct panel *panel)
{
    const double room = 0.1;
    const bool logarithmic = range->high >= FAR_APART * range->low;
    const double length =
        logarithmic ? log(range->high / range->low) : fmax(range->high - range->low, 1);
    const double margin = logarithmic ? exp(0.04 * length) : 0.04 * length;
    double last = -INFINITY;
    char text[NUMBER_SIZE];

    panel_set(panel, "xlabel '%s'", label);
    /* replace gnuplot's labels by an empty one; the labels added below follow it */
    panel_set(panel, "xtics ('' %.8g)", range->low / 2);
    for (size_t i = 0; i < range->count; i++) {
        const double value = range->values[i], place = logarithmic ? log(value) : value;

        if (place < last + room * length)
            continue;
        last = place;
        panel_set(panel, "xtics add ('%s' %.8g)", short_number(value, text), value);
    }
    if (logarithmic)
        panel_set(panel, "logscale x");
    panel_set(panel, "xrange [%.8g:%.8g]", logarithmic ? range->low / margin : range->low - margin,
              logarithmic ? range->high * margin : range->high + margin);
}

/* Set the y axis. It cuts off intervals that reach far beyond all estimates, as the interval of two
 * trials may, because otherwise the points would be too close together. */
static void set_y_axis(const struct range *range, bool logarithmic, struct panel *panel)
{
    const double most = range->most, least = range->least;
    const double high = logarithmic ? fmin(1.1 * range->highest, 3 * most)
                                    : fmax(fmin(1.1 * range->highest, 1.6 * most), -0.1 * least);
    const double low = logarithmic ? fmax(0.9 * range->lowest, least / 3)
                                   : fmin(0, fmax(1.1 * range->lowest, -0.5 * fmax(most, -least)));

    panel_set(panel, "yrange [%.8g:%.8g]", low / panel->unit, high / panel->unit);
    if (!logarithmic)
        return;
    panel_set(panel, "logscale y");
    panel_log_tics(panel, "y", low / panel->unit, high / panel->unit, true);
}

#define BAND                                                                                       \
    "object rectangle from %.8g, graph 0 to %.8g, graph 1 behind fc rgb '%s' fs transparent "      \
    "solid 0.15 noborder"

/* Draw an arrow to the right for CURVE, whose knee is at a higher load than was measured. The arrow
 * is drawn above the NUMBER arrows of earlier curves. */
static void point_beyond(const struct curve *curve, size_t number, struct panel *panel)
{
    const double height = 0.05 + 0.05 * (double)number; /* as a share of the panel's height */

    panel_set(panel,
              "arrow from graph 0.92, graph %.2f to graph 0.99, graph %.2f lw 1.5 lc rgb '%s'",
              height, height, curve->colour);
}

/* Draw each knee within RANGE: its interval as a band, and its estimate as a line. Point to knees
 * at a higher load than was measured. */
static void draw_knees(const struct curve *curves, size_t count, const struct range *range,
                       struct panel *panel)
{
    size_t knees = 0, beyond = 0;

    for (size_t i = 0; i < count; i++) {
        const struct experiment_scaling *scaling = curves[i].scaling;
        const struct interval *knee = scaling ? &scaling->knee.concurrency : NULL;

        if (!knee || !scaling->has_knee || curves[i].experiment->varies_rate)
            continue;
        if (scaling->knee.lower_bound) {
            point_beyond(&curves[i], beyond++, panel);
            continue;
        }
        if (!(knee->estimate >= range->low && knee->estimate <= range->high))
            continue;
        knees++;
        panel_set(panel, BAND, fmax(end_of(knee, knee->low), range->low),
                  fmin(end_of(knee, knee->high), range->high), curves[i].colour);
        panel_set(panel, "arrow from %.8g, graph 0 to %.8g, graph 1 nohead dt 2 lc rgb '%s'",
                  knee->estimate, knee->estimate, curves[i].colour);
    }
    if (beyond > 0)
        panel_key(panel, "arrow: throughput still grew", "points pt -1");
    if (knees > 0)
        panel_key(panel, knees > 1 ? "knees, with 95 % interval" : "knee, with 95 % interval",
                  "lines dt 2 lc rgb '#404040'");
}

/* Write the straight line PIECE as many points, because it is a curve on a logarithmic axis. */
static void write_piece(const struct piecewise_piece *piece, struct panel *panel)
{
    enum { STEPS = 32 };
    double fixed = piece->fixed_ns.estimate, slope = piece->ns_per_byte.estimate;

    if (!piece->fixed_known || !piece->slope_known)
        return;
    for (int i = 0; i <= STEPS; i++) {
        double size = piece->first + (piece->last - piece->first) * pow((double)i / STEPS, 3);

        panel_row(panel, "%.8g %.8g", size, (fixed + slope * size) / panel->unit);
    }
    panel_row(panel, "%s", "");
}

/* Draw the known pieces of CURVE in the style of curve NUMBER. Returns whether CURVE has any. */
static bool draw_pieces(const struct curve *curve, size_t number, struct panel *panel)
{
    const struct experiment_sizes *sizes = curve->sizes;

    panel_block(panel);
    for (size_t i = 0; sizes && i < sizes->piece_count; i++)
        write_piece(&sizes->cost.piece[i], panel);
    panel_draw(panel, NULL, "using 1:2 with lines lw 1.5 lt %zu lc rgb '%s'", number,
               curve->colour);
    return panel->rows > 0;
}

/* Draw FIGURE of CURVE as points in the style of curve NUMBER. Connect the points by lines, unless
 * WHICH is OVER_SIZE or the points are probes of a search. The label is the curve's with WHAT
 * appended, because a curve may be drawn for two figures. */
static void draw_figure(const struct curve *curve, size_t number, enum which which,
                        enum cell_figure figure, const char *what, struct panel *panel)
{
    const bool second = figure == CELL_P99;
    char title[2 * PANEL_LABEL_SIZE];

    write_points(curve, which, figure, panel);
    if (which != OVER_SIZE && !curve->experiment->objective_text)
        panel_draw(panel, NULL, "using 1:2 with lines lw 1.5 dt %d lt %zu lc rgb '%s'",
                   second ? 3 : 1, number, curve->colour);
    snprintf(title, sizeof title, "%s%s", curve->label, what);
    panel_draw_values(panel, title, "pt %d ps 0.5 lt %zu lc rgb '%s'", second ? 6 : 7, number,
                      curve->colour);
}

/* Draw the latency limit of the objective TEXT, and extend RANGE to include the limit. */
static void draw_limit(const char *text, struct range *range, struct panel *panel)
{
    struct objective objective;
    struct error error;
    double limit;

    if (objective_parse(text, &objective, &error) != 0)
        return;
    limit = (double)objective.limit_ns;
    range->most = fmax(range->most, limit);
    range->highest = fmax(range->highest, limit);
    panel_set(panel, "arrow from graph 0, first %.8g to graph 1, first %.8g nohead dt 2",
              limit / panel->unit, limit / panel->unit);
    panel_key(panel, "limit", "lines dt 2 lc 'black'");
}

/* Draw the interval of the rate that a search found, its ANSWER, as a band. Draw nothing if the
 * search found that all rates, or no rates, meet the limit. */
static void draw_answer(const struct objective_result *answer, const struct range *range,
                        struct panel *panel)
{
    if (answer->outcome != OBJECTIVE_FOUND && answer->outcome != OBJECTIVE_UNCLEAR)
        return;
    panel_set(panel, BAND, fmax(answer->rate.low, range->low), fmin(answer->rate.high, range->high),
              "#404040");
    panel_key(panel, "highest rate, with 95 % interval",
              "boxes fs solid 0.15 noborder lc rgb '#404040'");
}

/* Set the title. If LATENCY, it is the largest p99. Otherwise, it is the result of a search, or, if
 * there was no search, "at most 30.7k calls/s: read 16Ki, 4 calls in flight". With several files,
 * the file's letter replaces the curve's label, "read 16Ki". */
static void title_load(const struct result_set *set, const struct range *range, bool latency,
                       struct panel *panel)
{
    const struct experiment_result *experiment = range->at_most->experiment;
    const struct objective_result *answer = &experiment->objective;
    const char letter[] = {result_set_letter(range->at_most->file), '\0'};
    char time[PANEL_TEXT_SIZE], rate[NUMBER_SIZE], load[NUMBER_SIZE], at[FIELD_ROOM];

    short_number(experiment->objective_text ? answer->rate.estimate : range->most, rate);
    field_print(at, "%s, %s %s", set->count > 1 ? letter : range->at_most->label,
                short_number(range->most_at, load),
                experiment->varies_rate ? "calls/s offered" : "calls in flight");
    if (latency)
        panel_title(panel, set, "p99 up to %s: %s", panel_duration(range->most, time), at);
    else if (!experiment->objective_text)
        panel_title(panel, set, "at most %s calls/s: %s", rate, at);
    else if (answer->outcome == OBJECTIVE_ALL_HELD)
        panel_title(panel, set, "the limit is kept in most probes even at the highest rate");
    else if (answer->outcome == OBJECTIVE_ALL_FAILED)
        panel_title(panel, set, "no rate is known to keep the limit");
    else
        panel_title(panel, set, "the limit is kept up to %s calls/s", rate);
}

/* Draw panel INDEX of SET. Each op has two panels, the throughput and then the latency by load. */
static bool draw_load(const struct result_set *set, size_t index, struct panel *panel)
{
    static const enum cell_figure rates[] = {CELL_RATE}, latencies[] = {CELL_MEAN, CELL_P99};
    static const char *const names[] = {"calls/s", "thousand calls/s", "million calls/s"};
    const bool latency = index % 2;
    struct curve curves[PANEL_CURVES];
    const size_t count = find_panel(set, index / 2, OVER_LOAD, curves);
    struct range range = latency ? range_of(curves, count, OVER_LOAD, latencies, 2)
                                 : range_of(curves, count, OVER_LOAD, rates, 1);
    const size_t thousands = range.most < 2e4 ? 0 : range.most < 2e6 ? 1 : 2;
    const struct experiment_result *experiment;

    if (range.count == 0)
        return false;
    experiment = curves->experiment;
    title_load(set, &range, latency, panel);
    panel_set(panel, "ylabel '%s'", latency ? "latency of a call" : names[thousands]);
    if (!latency) {
        panel->unit = pow(1000, (double)thousands);
        panel->unit_name = names[thousands];
    } else if (experiment->objective_text) {
        draw_limit(experiment->objective_text, &range, panel);
    }
    set_y_axis(&range, latency, panel);
    for (size_t i = 0; i < count; i++) {
        draw_figure(&curves[i], i + 1, OVER_LOAD, latency ? CELL_MEAN : CELL_RATE,
                    latency ? ", mean" : "", panel);
        if (latency)
            draw_figure(&curves[i], i + 1, OVER_LOAD, CELL_P99, ", p99", panel);
    }
    set_x_axis(&range, experiment->varies_rate ? "offered rate (calls/s)" : "calls in flight",
               panel);
    draw_knees(curves, count, &range, panel);
    if (experiment->objective_text)
        draw_answer(&experiment->objective, &range, panel);
    return true;
}

/* Set the title: "read: 3.1 us, and 0.25 us per KiB" if there is one curve and one line fits all
 * its sizes, else OTHERWISE. */
static void title_sizes(const struct result_set *set, const struct curve *curves, size_t count,
                        const char *otherwise, struct panel *panel)
{
    const struct experiment_sizes *sizes = count == 1 ? curves->sizes : NULL;
    const struct piecewise_piece *piece =
        sizes && sizes->piece_count == 1 ? sizes->cost.piece : NULL;
    char fixed[PANEL_TEXT_SIZE], each[PANEL_TEXT_SIZE];

    if (piece && piece->fixed_known && piece->slope_known)
        panel_title(panel, set, "%s: %s, and %s per KiB", curves->label,
                    panel_duration(piece->fixed_ns.estimate, fixed),
                    panel_duration(1024 * piece->ns_per_byte.estimate, each));
    else
        panel_title(panel, set, "%s", otherwise);
}

/* Draw panel INDEX of SET. Each op has two panels, the cost and then the cost per KiB, by size. */
static bool draw_size(const struct result_set *set, size_t index, struct panel *panel)
{
    static const struct {
        enum cell_figure figure;
        const char *title;
    } by_basis[] = {[SIZES_TYPICAL] = {CELL_TYPICAL, "typical time of a call"},
                    [SIZES_ABOVE_NULL] = {CELL_COST, "cost above the null call"},
                    [SIZES_ABOVE_REFERENCE] = {CELL_FIGURES, "cost above the reference"}};
    const enum which which = index % 2 ? PER_KIB : OVER_SIZE;
    struct curve curves[PANEL_CURVES];
    const size_t count = find_panel(set, index / 2, which, curves);
    size_t basis = SIZES_TYPICAL;
    struct range range;
    bool decades, any = false;

    for (size_t i = count; i > 0; i--) /* the basis is that of the first curve with an analysis */
        basis = curves[i - 1].sizes ? curves[i - 1].sizes->basis : basis;
    range = range_of(curves, count, which, &by_basis[basis].figure, 1);
    if (range.count == 0)
        return false;
    decades = range.least > 0 && range.most > FAR_APART * range.least;
    panel_unit(panel, range.most);
    if (which == PER_KIB)
        panel_title(panel, set, "%s, per KiB", by_basis[basis].title);
    else
        title_sizes(set, curves, count, by_basis[basis].title, panel);
    panel_set(panel, decades ? "ylabel '%s%s'" : "ylabel '%s%s ('.UNIT.')'", by_basis[basis].title,
              which == PER_KIB ? ", per KiB" : "");
    set_y_axis(&range, decades, panel);
    for (size_t i = 0; i < count; i++) {
        if (which == OVER_SIZE)
            any = draw_pieces(&curves[i], i + 1, panel) || any;
        draw_figure(&curves[i], i + 1, which, by_basis[basis].figure, "", panel);
    }
    set_x_axis(&range, "bytes", panel);
    if (any)
        panel_key(panel, "fixed cost and cost of a byte, between breaks",
                  "lines lw 1.5 lc rgb '#404040'");
    return true;
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
    .caption = "The cost over the size of READ or WRITE, and per KiB, with 95 % intervals from the "
               "spread between trials, and lines that are fitted to the cost: each has a fixed "
               "cost and a cost per byte. Between two lines the cost has a step or a bend.",
    .usual = true,
    .draw = draw_size,
};
