/* Pictures of latencies, from the histograms. */
#include <math.h>

#include "measure/histogram.h"
#include "output/plot_kind.h"

static double us(double nanoseconds)
{
    return nanoseconds / 1000;
}

static double middle(const struct result_file_bucket *bucket)
{
    return (bucket->low + bucket->high) / 2;
}

/* By powers of two */

/* The buckets of any curve: from 2^*first ns to 2^*end. */
static void log2_range(const struct plot_curve *curves, size_t count, int *first, int *end)
{
    *first = HISTOGRAM_LOG2_BUCKETS;
    *end = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < curves[i].op->bucket_count; j++) {
            int power = ilogb(fmax(curves[i].op->buckets[j].low, 1));

            *first = power < *first ? power : *first;
            *end = power >= *end ? power + 1 : *end;
        }
}

/* A line for each power: its place, and its count for each curve. */
static void write_log2(const struct plot_curve *curve, size_t index, int first, int end, FILE *out)
{
    double counts[HISTOGRAM_LOG2_BUCKETS + 1] = {0};

    for (size_t i = 0; i < curve->op->bucket_count; i++)
        counts[ilogb(fmax(curve->op->buckets[i].low, 1))] += curve->op->buckets[i].count;
    fprintf(out, "$curve%zu << END\n", index);
    for (int power = first; power < end; power++)
        if (counts[power] > 0)
            fprintf(out, "%d %.0f\n", power, counts[power]);
    fputs("END\n", out);
}

static void write_log2_tics(int first, int end, FILE *out)
{
    int step = (end - first + 8) / 9;

    fputs("set xtics (", out);
    for (int power = first; power <= end; power += step)
        fprintf(out, "%s'%.*f' %d", power > first ? ", " : "", power < 17, us(ldexp(1, power)),
                power);
    fputs(")\n", out);
}

static void draw_log2(const struct result_set *set, size_t panel, FILE *out)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, panel, curves);
    double width = 0.8 / (double)count;
    int first, end;

    log2_range(curves, count, &first, &end);
    for (size_t i = 0; i < count; i++)
        write_log2(&curves[i], i, first, end, out);
    plot_curve_title(set, panel, "latencies by powers of two", out);
    fputs("set xlabel 'latency of a call ('.US.')'\nset ylabel 'calls'\n"
          "set logscale y 10\nset format y '%.0f'\n",
          out);
    write_log2_tics(first, end, out);
    plot_curve_key(set, count, out);
    fprintf(out, "set xrange [%d:%d]\nset yrange [0.7:*]\nset boxwidth %g\n", first, end, width);
    for (size_t i = 0; i < count; i++)
        fprintf(
            out,
            "%s $curve%zu using ($1+%g):2 with boxes fs pattern %d lt %d lc rgb '%s' title '%s'",
            i ? ",\\\n    " : "plot", i, 0.1 + width * ((double)i + 0.5), curves[i].style.filling,
            curves[i].style.line, curves[i].style.colour, curves[i].label);
    fputc('\n', out);
}

const struct plot_kind plot_log2 = {
    .name = "log2",
    .caption = "Calls by powers of two of their latency; both scales are logarithmic, so that a "
               "single slow call is seen.",
    .panels = plot_curve_panels,
    .draw = draw_log2,
};

/* Fine */

/* The steps' corners; between buckets that hold something there may be empty ones. */
static void write_fine(const struct plot_curve *curve, size_t index, FILE *out)
{
    const struct result_file_op *op = curve->op;
    double end = result_file_quantile(op, 0.99), after = op->buckets[0].low;

    fprintf(out, "$curve%zu << END\n%.10g 0\n", index, us(after));
    for (size_t i = 0; i < op->bucket_count && op->buckets[i].low <= end; i++) {
        const struct result_file_bucket *bucket = &op->buckets[i];
        double density = 100 * bucket->count / op->timed / us(bucket->high - bucket->low);

        if (bucket->low > after)
            fprintf(out, "%.10g 0\n%.10g 0\n", us(after), us(bucket->low));
        fprintf(out, "%.10g %.6g\n%.10g %.6g\n", us(bucket->low), density, us(bucket->high),
                density);
        after = bucket->high;
    }
    fprintf(out, "%.10g 0\nEND\n", us(after));
}

static void draw_fine(const struct result_set *set, size_t panel, FILE *out)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, panel, curves);

    for (size_t i = 0; i < count; i++)
        write_fine(&curves[i], i, out);
    plot_curve_title(set, panel, "latencies in fine, up to p99", out);
    fputs("set xlabel 'latency of a call ('.US.')'\nset ylabel 'calls, % per '.US\n"
          "set yrange [0:*]\n",
          out);
    plot_curve_key(set, count, out);
    plot_curve_commands(curves, count, "using 1:2 with lines lw 1.3", out);
}

const struct plot_kind plot_fine = {
    .name = "fine",
    .caption = "The histogram in its finest buckets, up to the 99th percentile: the area below a "
               "curve is its share of the calls.",
    .panels = plot_curve_panels,
    .draw = draw_fine,
};

/* Percentiles, as HdrHistogram's plots have them: the share of slower calls falls by ten with each
 * step to the right. */

static void write_percentiles(const struct plot_curve *curve, size_t index, FILE *out)
{
    const struct result_file_op *op = curve->op;
    double sum = 0, last_x = 0, last_y = 0;

    fprintf(out, "$curve%zu << END\n", index);
    for (size_t i = 0; i < op->bucket_count; i++) {
        double left = op->timed - (sum += op->buckets[i].count), y = us(middle(&op->buckets[i]));
        double x = left > 0.5 ? op->timed / left : op->timed;

        if (i > 0 && x < 1.01 * last_x && y < 1.01 * last_y)
            continue;
        last_x = x;
        last_y = y;
        fprintf(out, "%.8g %.6g\n", x, y);
    }
    fputs("END\n", out);
}

/* The latencies and the number of calls that the curves have, all of them together. */
static void percentile_range(const struct plot_curve *curves, size_t count, double *low,
                             double *high, double *calls)
{
    *low = INFINITY;
    *high = *calls = 0;
    for (size_t i = 0; i < count; i++) {
        const struct result_file_op *op = curves[i].op;

        *low = fmin(*low, us(middle(&op->buckets[0])) * 0.9);
        *high = fmax(*high, us(middle(&op->buckets[op->bucket_count - 1])) * 1.1);
        *calls = fmax(*calls, op->timed);
    }
}

static void draw_percentiles(const struct result_set *set, size_t panel, FILE *out)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, panel, curves);
    double low, high, calls;

    percentile_range(curves, count, &low, &high, &calls);
    for (size_t i = 0; i < count; i++)
        write_percentiles(&curves[i], i, out);
    plot_curve_title(set, panel, "percentiles of the latency", out);
    fputs("set xlabel 'percentile of the calls'\nset ylabel 'latency of a call ('.US.')'\n"
          "set logscale xy 10\n"
          "set xtics ('0 %%' 1, '90 %%' 10, '99 %%' 100, '99.9 %%' 1e3, '99.99 %%' 1e4, "
          "'99.999 %%' 1e5, '99.9999 %%' 1e6)\nset key top left inside vertical\n",
          out);
    plot_log_tics("y", low, high, out);
    fprintf(out, "set xrange [1:%.6g]\nset yrange [%.6g:%.6g]\n", 1.5 * calls, low, high);
    plot_curve_commands(curves, count, "using 1:2 with lines lw 1.6", out);
}

const struct plot_kind plot_percentiles = {
    .name = "percentiles",
    .caption = "How slow the slowest calls are: of the calls, the share below is faster than the "
               "latency at the left.",
    .usual = true,
    .panels = plot_curve_panels,
    .draw = draw_percentiles,
};

/* Cumulative */

static void write_cumulative(const struct plot_curve *curve, size_t index, FILE *out)
{
    const struct result_file_op *op = curve->op;
    double sum = 0, last_x = 0, last_share = 0;

    fprintf(out, "$curve%zu << END\n%.6g 0\n", index, us(op->buckets[0].low));
    for (size_t i = 0; i < op->bucket_count; i++) {
        double x = us(op->buckets[i].high), share = 100 * (sum += op->buckets[i].count) / op->timed;

        if (i + 1 < op->bucket_count && x < 1.02 * last_x && share < last_share + 0.2)
            continue;
        last_x = x;
        last_share = share;
        fprintf(out, "%.8g %.6g\n", x, share);
    }
    fputs("END\n", out);
}

/* Where the first calls of any curve begin, and nearly all calls of every curve have ended, us. */
static void cumulative_range(const struct plot_curve *curves, size_t count, double *low,
                             double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t i = 0; i < count; i++) {
        *low = fmin(*low, us(result_file_quantile(curves[i].op, 0.001)) * 0.95);
        *high = fmax(*high, us(result_file_quantile(curves[i].op, 0.998)) * 1.05);
    }
}

static void draw_cumulative(const struct result_set *set, size_t panel, FILE *out)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, panel, curves);
    double low, high;

    cumulative_range(curves, count, &low, &high);
    for (size_t i = 0; i < count; i++)
        write_cumulative(&curves[i], i, out);
    plot_curve_title(set, panel, "cumulative distribution", out);
    fprintf(out,
            "set xlabel 'latency of a call ('.US.')'\nset ylabel 'calls that took less (%%)'\n"
            "set logscale x 10\nset yrange [0:100]\nset xrange [%.6g:%.6g]\n"
            "set key bottom right inside vertical\n",
            low, high);
    plot_log_tics("x", low, high, out);
    plot_curve_commands(curves, count, "using 1:2 with lines lw 1.6", out);
}

const struct plot_kind plot_cumulative = {
    .name = "cumulative",
    .caption = "The share of the calls that took less time than that; the further left a curve "
               "stands, the faster the op.",
    .panels = plot_curve_panels,
    .draw = draw_cumulative,
};
