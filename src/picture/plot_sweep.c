/* Pictures of sweeps: throughput and latency over the load, cost over the size. */
#include <math.h>
#include <string.h>

#include "picture/plot_kind.h"

/* The points of one size, or of one load: a curve. */
struct sweep_curve {
    const struct sweep *sweep;
    size_t file;
    const struct sweep_point *first;     /* of the points with the same size, or the same load */
    const struct sweep_scaling *scaling; /* what they teach; NULL */
    const struct sweep_sizes *sizes;     /* likewise */
    const char *colour;
    char label[2 * PLOT_TEXT_SIZE];
};

enum which { OVER_LOAD, OVER_SIZE };

static bool belongs(const struct sweep_point *point, const struct sweep_point *first,
                    enum which which)
{
    const struct sweep_setting *a = &point->setting, *b = &first->setting;

    if (point->repeats == 0)
        return false;
    return which == OVER_LOAD ? a->size == b->size
                              : a->clients == b->clients && a->connections == b->connections &&
                                    a->depth == b->depth && a->rate == b->rate;
}

/* Calls in flight or, in an open loop, calls per second. */
static double load_of(const struct sweep *sweep, const struct sweep_setting *setting)
{
    return sweep->swept_rate ? setting->rate
                             : (double)setting->clients * setting->connections * setting->depth;
}

static bool is_swept(const struct sweep *sweep, enum which which)
{
    return which == OVER_SIZE ? sweep->swept_size
                              : sweep->swept_clients || sweep->swept_depth || sweep->swept_rate;
}

static void find_analysis(struct sweep_curve *curve)
{
    const struct sweep *sweep = curve->sweep;
    const struct sweep_setting *setting = &curve->first->setting;

    for (size_t i = 0; i < sweep->scaling_count; i++)
        if (sweep->scaling[i].size == setting->size || !sweep->swept_size)
            curve->scaling = &sweep->scaling[i];
    for (size_t i = 0; i < sweep->sizes_count; i++)
        if (sweep->sizes[i].clients == setting->clients && sweep->sizes[i].depth == setting->depth)
            curve->sizes = &sweep->sizes[i];
}

static void name_curve(const struct result_set *set, struct sweep_curve *curve, enum which which)
{
    const struct sweep_setting *setting = &curve->first->setting;
    const struct sweep *sweep = curve->sweep;
    char file[PLOT_TEXT_SIZE + 8], own[64] = "", op[PLOT_TEXT_SIZE];

    if (which == OVER_LOAD && sweep->swept_size)
        snprintf(own, sizeof own, "%u bytes", setting->size);
    else if (which == OVER_SIZE && is_swept(sweep, OVER_LOAD))
        snprintf(own, sizeof own, "%.6g %s", load_of(sweep, setting),
                 sweep->swept_rate ? "calls/s" : "in flight");
    if (set->count > 1)
        plot_file_label(set, curve->file, file);
    else
        snprintf(file, sizeof file, "%s", plot_text(sweep->op, op));
    snprintf(curve->label, sizeof curve->label, "%s%s%s", file, own[0] ? ", " : "", own);
}

/* Is POINT the first of its curve? */
static bool begins(const struct sweep *sweep, size_t point, enum which which)
{
    for (size_t i = 0; i < point; i++)
        if (belongs(&sweep->points[i], &sweep->points[point], which))
            return false;
    return sweep->points[point].repeats > 0;
}

static size_t find_curves(const struct result_set *set, enum which which,
                          struct sweep_curve curves[PLOT_CURVES])
{
    size_t count = 0;

    for (size_t file = 0; file < set->file_count; file++) {
        const struct sweep *sweep = set->files[file].sweep;

        if (!sweep || !is_swept(sweep, which))
            continue;
        for (size_t i = 0; i < sweep->point_count && count < PLOT_CURVES; i++)
            if (begins(sweep, i, which)) {
                struct sweep_curve *curve = &curves[count];

                *curve = (struct sweep_curve){.sweep = sweep,
                                              .file = file,
                                              .first = &sweep->points[i],
                                              .colour = plot_colour(count)};
                find_analysis(curve);
                name_curve(set, curve, which);
                count++;
            }
    }
    return count;
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

/* Write the FIGURE of CURVE's points: x, value, and the ends of its interval. */
static void write_points(const struct sweep_curve *curve, size_t index, enum which which,
                         enum sweep_figure figure, const char *name, struct range *range, FILE *out)
{
    const double unit = figure == SWEEP_THROUGHPUT ? 1 : 1000;
    size_t before = range->values;

    fprintf(out, "$%s%zu << END\n", name, index);
    for (size_t i = 0; i < curve->sweep->point_count; i++) {
        const struct sweep_point *point = &curve->sweep->points[i];
        const struct interval *level = &point->intervals[figure];
        double x =
            which == OVER_SIZE ? point->setting.size : load_of(curve->sweep, &point->setting);

        if (!belongs(point, curve->first, which) || !isfinite(level->estimate) || !(x > 0))
            continue;
        take(range, x);
        fprintf(out, "%.8g %.8g %.8g %.8g\n", x, level->estimate / unit,
                end_of(level, level->low) / unit, end_of(level, level->high) / unit);
    }
    if (range->values == before) /* gnuplot refuses a block without a line */
        fputs("NaN NaN NaN NaN\n", out);
    fputs("END\n", out);
}

/* "64k" at 65536; numbers of calls and of bytes are mostly powers of two. */
static void write_powers_of_two(const struct range *range, FILE *out)
{
    const char *separator = "";

    fputs("set xtics (", out);
    for (double x = exp2(ceil(log2(range->low))); x <= range->high; x *= 2) {
        int power = ilogb(x) / 10;

        fprintf(out, "%s'%.6g%s' %.8g", separator, power > 0 ? x / exp2(10 * power) : x,
                power == 0   ? ""
                : power == 1 ? "k"
                : power == 2 ? "M"
                             : "G",
                x);
        separator = ", ";
    }
    fputs(")\n", out);
}

/* A logarithmic axis where its ends are far apart. */
static void write_x_axis(const struct range *range, const char *label, bool by_two, FILE *out)
{
    const double far_apart = 8;
    bool logarithmic = range->values > 1 && range->high >= far_apart * range->low;
    double margin = logarithmic ? pow(range->high / range->low, 0.04)
                                : (range->high - range->low) * 0.04 + 1e-9 * range->high;

    fprintf(out, "set xlabel '%s'\n", label);
    if (range->values == 0)
        return;
    if (logarithmic) {
        fputs("set logscale x\n", out);
        if (by_two)
            write_powers_of_two(range, out);
        else
            plot_log_tics("x", range->low, range->high, out);
        fprintf(out, "set xrange [%.8g:%.8g]\n", range->low / margin, range->high * margin);
    } else {
        fprintf(out, "set xrange [%.8g:%.8g]\n", range->low - margin, range->high + margin);
    }
}

/* Over the load */

static size_t load_panels(const struct result_set *set)
{
    struct sweep_curve curves[PLOT_CURVES];

    return find_curves(set, OVER_LOAD, curves) > 0 ? 2 : 0;
}

static bool has_knee(const struct sweep_curve *curve, const struct range *range)
{
    const struct sweep_scaling *scaling = curve->scaling;

    return scaling && scaling->has_knee && !curve->sweep->swept_rate &&
           scaling->knee.concurrency.estimate >= range->low &&
           scaling->knee.concurrency.estimate <= range->high;
}

/* A band as wide as its interval, and a line in it. */
static size_t write_knees(const struct sweep_curve *curves, size_t count, const struct range *range,
                          FILE *out)
{
    size_t knees = 0;

    for (size_t i = 0; i < count; i++) {
        const struct interval *knee =
            has_knee(&curves[i], range) ? &curves[i].scaling->knee.concurrency : NULL;

        if (!knee)
            continue;
        knees++;
        fprintf(out,
                "set object rectangle from %.8g, graph 0 to %.8g, graph 1 behind fc rgb '%s' "
                "fs transparent solid 0.15 noborder\n"
                "set arrow from %.8g, graph 0 to %.8g, graph 1 nohead dt 2 lc rgb '%s'\n",
                fmax(end_of(knee, knee->low), range->low),
                fmin(end_of(knee, knee->high), range->high), curves[i].colour, knee->estimate,
                knee->estimate, curves[i].colour);
    }
    return knees;
}

/* The key has a line for each curve, and what the panel has beside. */
static void write_key(size_t lines, FILE *out)
{
    fputs("set key maxcols 1\n", out);
    plot_key_rows(lines, out);
}

static void write_curve(const struct sweep_curve *curve, const char *name, size_t index,
                        const char *what, int dash, FILE *out)
{
    fprintf(out,
            "%s $%s%zu using 1:2 with lines lw 1.5 dt %d lt %zu lc rgb '%s' notitle,\\\n"
            "    $%s%zu using 1:2:3:4 with yerrorbars pt %d ps 0.5 lt %zu lc rgb '%s' title '%s%s'",
            index || dash > 1 ? ",\\\n    " : "plot", name, index, dash, index + 1, curve->colour,
            name, index, dash > 1 ? 6 : 7, index + 1, curve->colour, curve->label, what);
}

static void write_knee_key(size_t knees, FILE *out)
{
    if (knees > 0)
        fprintf(out,
                ",\\\n    keyentry with lines dt 2 lc rgb '#404040' title "
                "'knee%s, with 95 %% interval'",
                knees > 1 ? "s" : "");
    fputc('\n', out);
}

static const char *load_label(const struct sweep_curve *curve)
{
    return curve->sweep->swept_rate ? "offered rate (calls/s)" : "calls in flight";
}

static void draw_throughput(const struct result_set *set, FILE *out)
{
    struct sweep_curve curves[PLOT_CURVES];
    size_t count = find_curves(set, OVER_LOAD, curves), knees;
    struct range range = {.values = 0};

    for (size_t i = 0; i < count; i++)
        write_points(&curves[i], i, OVER_LOAD, SWEEP_THROUGHPUT, "rate", &range, out);
    plot_title(set, "throughput over the load", out);
    write_x_axis(&range, load_label(&curves[0]), !curves[0].sweep->swept_rate, out);
    fputs("set ylabel 'calls/s'\nset yrange [0:*]\nset format y '%.0f'\n", out);
    knees = write_knees(curves, count, &range, out);
    write_key(count + (knees > 0), out);
    for (size_t i = 0; i < count; i++)
        write_curve(&curves[i], "rate", i, "", 1, out);
    write_knee_key(knees, out);
}

static void draw_latency(const struct result_set *set, FILE *out)
{
    struct sweep_curve curves[PLOT_CURVES];
    size_t count = find_curves(set, OVER_LOAD, curves), knees;
    struct range range = {.values = 0};

    for (size_t i = 0; i < count; i++) {
        write_points(&curves[i], i, OVER_LOAD, SWEEP_MEAN, "mean", &range, out);
        write_points(&curves[i], i, OVER_LOAD, SWEEP_P99, "tail", &range, out);
    }
    plot_title(set, "latency over the load", out);
    write_x_axis(&range, load_label(&curves[0]), !curves[0].sweep->swept_rate, out);
    fputs("set ylabel 'latency ('.US.')'\nset logscale y\n", out);
    knees = write_knees(curves, count, &range, out);
    write_key(2 * count + (knees > 0), out);
    for (size_t i = 0; i < count; i++) {
        write_curve(&curves[i], "mean", i, ", mean", 1, out);
        write_curve(&curves[i], "tail", i, ", p99", 3, out);
    }
    write_knee_key(knees, out);
}

static void draw_load(const struct result_set *set, size_t panel, FILE *out)
{
    (panel == 0 ? draw_throughput : draw_latency)(set, out);
}

const struct plot_kind plot_load = {
    .name = "load",
    .caption = "Throughput and latency over the load, with 95 % intervals from the spread between "
               "trials. With more calls in flight than at the knee, calls wait for one another.",
    .usual = true,
    .panels = load_panels,
    .draw = draw_load,
};

/* Over the size */

static size_t size_panels(const struct result_set *set)
{
    struct sweep_curve curves[PLOT_CURVES];

    return find_curves(set, OVER_SIZE, curves) > 0;
}

static enum sweep_figure cost_figure(const struct sweep_curve *curve)
{
    return curve->sizes && curve->sizes->above_null ? SWEEP_COST : SWEEP_TYPICAL;
}

static bool has_pieces(const struct sweep_curve *curve)
{
    return curve->sizes && curve->sizes->piece_count > 0;
}

/* A piece: the line between its first and its last size, point by point, as a logarithmic axis
 * bends it. */
static void write_piece(const struct piecewise_piece *piece, FILE *out)
{
    enum { STEPS = 32 };
    double fixed = piece->fixed_ns.estimate, slope = piece->ns_per_byte.estimate;

    for (int i = 0; i <= STEPS && piece->fixed_known && piece->slope_known; i++) {
        double size = piece->first + (piece->last - piece->first) * pow((double)i / STEPS, 3);

        fprintf(out, "%.8g %.8g\n", size, (fixed + slope * size) / 1000);
    }
    fputc('\n', out);
}

static void write_pieces(const struct sweep_curve *curve, size_t index, FILE *out)
{
    fprintf(out, "$piece%zu << END\nNaN NaN\n\n", index);
    for (size_t i = 0; has_pieces(curve) && i <= curve->sizes->cost.breaks; i++)
        write_piece(&curve->sizes->cost.piece[i], out);
    fputs("END\n", out);
}

static void draw_size(const struct result_set *set, size_t panel, FILE *out)
{
    struct sweep_curve curves[PLOT_CURVES];
    size_t count = find_curves(set, OVER_SIZE, curves), lines = 0;
    struct range range = {.values = 0};

    for (size_t i = 0; i < count; i++) {
        write_points(&curves[i], i, OVER_SIZE, cost_figure(&curves[i]), "cost", &range, out);
        write_pieces(&curves[i], i, out);
        lines += has_pieces(&curves[i]);
    }
    plot_title(set,
               cost_figure(&curves[0]) == SWEEP_COST ? "cost above the null call over the size"
                                                     : "typical time of a call over the size",
               out);
    write_x_axis(&range, "bytes", true, out);
    fputs("set ylabel 'time ('.US.')'\nset yrange [*<0:*]\n", out);
    write_key(count + (lines > 0), out);
    for (size_t i = 0; i < count; i++)
        fprintf(out,
                "%s $piece%zu using 1:2 with lines lw 1.5 lt %zu lc rgb '%s' notitle,\\\n"
                "    $cost%zu using 1:2:3:4 with yerrorbars pt 7 ps 0.5 lt %zu lc rgb '%s' "
                "title '%s'",
                i ? ",\\\n    " : "plot", i, i + 1, curves[i].colour, i, i + 1, curves[i].colour,
                curves[i].label);
    if (lines > 0)
        fputs(",\\\n    keyentry with lines lw 1.5 lc rgb '#404040' title "
              "'fixed cost and cost of a byte, between breaks'",
              out);
    fputc('\n', out);
}

const struct plot_kind plot_size = {
    .name = "size",
    .caption = "The cost over the size of READ or WRITE, with 95 % intervals from the spread "
               "between trials, and the lines that describe it: each has a fixed cost and a cost "
               "of a byte. Between two lines the cost has a step or a bend.",
    .usual = true,
    .panels = size_panels,
    .draw = draw_size,
};
