/* Pictures of latencies, from the histograms. */
#include <inttypes.h>
#include <math.h>

#include "measure/histogram.h"
#include "output/number.h"
#include "picture/plot_kind.h"

/* The next bucket of a curve's op, from FROM on, that is not empty; HISTOGRAM_BUCKETS after the
 * last. */
static size_t next_bucket(const struct plot_curve *curve, size_t from)
{
    return histogram_next(curve->op->histogram, from);
}

static double middle(size_t bucket)
{
    return (histogram_bucket_low(bucket) + histogram_bucket_high(bucket)) / 2;
}

static size_t last_bucket(const struct plot_curve *curve)
{
    size_t last = next_bucket(curve, 0);

    for (size_t i = last; i < HISTOGRAM_BUCKETS; i = next_bucket(curve, i + 1))
        last = i;
    return last;
}

static double count_of(const struct plot_curve *curve, size_t bucket)
{
    return (double)curve->op->histogram->buckets[bucket];
}

static double total_of(const struct plot_curve *curve)
{
    return (double)curve->op->histogram->count;
}

/* The middle of the bucket that holds the quantile Q. */
static double quantile(const struct plot_curve *curve, double q)
{
    double sum = 0, rank = fmax(ceil(q * total_of(curve)), 1);

    for (size_t i = next_bucket(curve, 0); i < HISTOGRAM_BUCKETS; i = next_bucket(curve, i + 1)) {
        sum += count_of(curve, i);
        if (sum >= rank)
            return middle(i);
    }
    return NAN;
}

/* Powers of two */

/* The range that covers all curves: from 2^*first ns to 2^*end. */
static void log2_range(const struct plot_curve *curves, size_t count, int *first, int *end)
{
    *first = HISTOGRAM_LOG2_BUCKETS;
    *end = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = next_bucket(&curves[i], 0); j < HISTOGRAM_BUCKETS;
             j = next_bucket(&curves[i], j + 1)) {
            int power = ilogb(fmax(histogram_bucket_low(j), 1));

            *first = power < *first ? power : *first;
            *end = power >= *end ? power + 1 : *end;
        }
}

/* Write a line for each power of two: its exponent and its count. */
static void write_log2(const struct plot_curve *curve, size_t index, int first, int end, FILE *out)
{
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS];

    histogram_log2(curve->op->histogram, counts);
    fprintf(out, "$curve%zu << END\n", index);
    for (int power = first; power < end; power++)
        if (counts[power] > 0)
            fprintf(out, "%d %" PRIu64 "\n", power, counts[power]);
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
    plot_curve_title(set, panel, "latencies by powers of two: a bar is a count of calls", out);
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
    .caption = "Numbers of calls by latency, in powers of two; both scales are logarithmic, so "
               "that even a single slow call is visible.",
    .panels = plot_curve_panels,
    .draw = draw_log2,
};

/* Finest buckets */

/* Write the corners of the steps; there may be empty buckets between the others. */
static void write_fine(const struct plot_curve *curve, size_t index, FILE *out)
{
    size_t first = next_bucket(curve, 0);
    double end = quantile(curve, 0.99), after = histogram_bucket_low(first);

    fprintf(out, "$curve%zu << END\n%.10g 0\n", index, us(after));
    for (size_t i = first; i < HISTOGRAM_BUCKETS && histogram_bucket_low(i) <= end;
         i = next_bucket(curve, i + 1)) {
        double low = histogram_bucket_low(i), high = histogram_bucket_high(i);
        double density = 100 * count_of(curve, i) / total_of(curve) / us(high - low);

        if (low > after)
            fprintf(out, "%.10g 0\n%.10g 0\n", us(after), us(low));
        fprintf(out, "%.10g %.6g\n%.10g %.6g\n", us(low), density, us(high), density);
        after = high;
    }
    fprintf(out, "%.10g 0\nEND\n", us(after));
}

static void draw_fine(const struct result_set *set, size_t panel, FILE *out)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, panel, curves);

    for (size_t i = 0; i < count; i++)
        write_fine(&curves[i], i, out);
    plot_curve_title(set, panel, "distribution of latencies, up to p99", out);
    fputs("set xlabel 'latency of a call ('.US.')'\nset ylabel 'calls, % per '.US\n"
          "set yrange [0:*]\n",
          out);
    plot_curve_key(set, count, out);
    plot_curve_commands(curves, count, "using 1:2 with lines lw 1.3", out);
}

const struct plot_kind plot_fine = {
    .name = "fine",
    .caption = "The histogram in its finest buckets, up to the 99th percentile: the area under a "
               "curve is its share of the calls.",
    .panels = plot_curve_panels,
    .draw = draw_fine,
};

/* Percentiles as in HdrHistogram's plots: with each step to the right, the share of slower calls
 * falls by a factor of ten. */

static void write_percentiles(const struct plot_curve *curve, size_t index, FILE *out)
{
    size_t first = next_bucket(curve, 0);
    double sum = 0, last_x = 0, last_y = 0, total = total_of(curve);

    fprintf(out, "$curve%zu << END\n", index);
    for (size_t i = first; i < HISTOGRAM_BUCKETS; i = next_bucket(curve, i + 1)) {
        double left = total - (sum += count_of(curve, i)), y = us(middle(i));
        double x = left > 0.5 ? total / left : total;

        if (i > first && x < 1.01 * last_x && y < 1.01 * last_y)
            continue;
        last_x = x;
        last_y = y;
        fprintf(out, "%.8g %.6g\n", x, y);
    }
    fputs("END\n", out);
}

/* The range of latencies and the largest number of calls of all curves. */
static void percentile_range(const struct plot_curve *curves, size_t count, double *low,
                             double *high, double *calls)
{
    *low = INFINITY;
    *high = *calls = 0;
    for (size_t i = 0; i < count; i++) {
        *low = fmin(*low, us(middle(next_bucket(&curves[i], 0))) * 0.9);
        *high = fmax(*high, us(middle(last_bucket(&curves[i]))) * 1.1);
        *calls = fmax(*calls, total_of(&curves[i]));
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
    .caption = "How slow the slowest calls are: the percentage of calls on the horizontal axis is "
               "faster than the latency on the vertical axis.",
    .usual = true,
    .panels = plot_curve_panels,
    .draw = draw_percentiles,
};

/* Cumulative */

static void write_cumulative(const struct plot_curve *curve, size_t index, FILE *out)
{
    size_t first = next_bucket(curve, 0), last = last_bucket(curve);
    double sum = 0, last_x = 0, last_share = 0;

    fprintf(out, "$curve%zu << END\n%.6g 0\n", index, us(histogram_bucket_low(first)));
    for (size_t i = first; i < HISTOGRAM_BUCKETS; i = next_bucket(curve, i + 1)) {
        double x = us(histogram_bucket_high(i));
        double share = 100 * (sum += count_of(curve, i)) / total_of(curve);

        if (i < last && x < 1.02 * last_x && share < last_share + 0.2)
            continue;
        last_x = x;
        last_share = share;
        fprintf(out, "%.8g %.6g\n", x, share);
    }
    fputs("END\n", out);
}

/* The smallest latency of any curve, and one above nearly all calls of every curve, us. */
static void cumulative_range(const struct plot_curve *curves, size_t count, double *low,
                             double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t i = 0; i < count; i++) {
        *low = fmin(*low, us(quantile(&curves[i], 0.001)) * 0.95);
        *high = fmax(*high, us(quantile(&curves[i], 0.998)) * 1.05);
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
    .caption = "The percentage of calls that took less time than the latency on the horizontal "
               "axis; the further left a curve is, the faster the op.",
    .panels = plot_curve_panels,
    .draw = draw_cumulative,
};
