/* Pictures of latencies, from histograms. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "measure/histogram.h"
#include "report/plot_curves.h"

/* Return the first non-empty bucket of CURVE's op at or after FROM; HISTOGRAM_BUCKETS if none. */
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

static double p99_of(const struct plot_curve *curve)
{
    return histogram_quantile(curve->op->histogram, 0.99);
}

/* Set *FIRST and *END so that the range from 2^*FIRST ns to 2^*END ns covers all CURVES. */
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

static void write_log2(const struct plot_curve *curve, int first, int end, struct panel *panel)
{
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS];

    histogram_log2(curve->op->histogram, counts);
    panel_block(panel);
    for (int power = first; power < end; power++)
        if (counts[power] > 0)
            panel_row(panel, "%d %" PRIu64, power, counts[power]);
}

static void set_log2_tics(int first, int end, struct panel *panel)
{
    const int step = (end - first + 7) / 8;
    char label[PANEL_TEXT_SIZE];

    /* replace gnuplot's labels by an empty one; the labels added below follow it */
    panel_set(panel, "xtics ('' %d)", first - 1);
    for (int power = first; power <= end; power += step)
        panel_set(panel, "xtics add ('%s' %d)", panel_duration(ldexp(1, power), label), power);
}

static bool draw_log2(const struct result_set *set, size_t index, struct panel *panel)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, index, "latencies by powers of two", curves, panel);
    double width = 0.8 / (double)count;
    int first, end;

    log2_range(curves, count, &first, &end);
    for (size_t i = 0; i < count; i++) {
        const struct plot_style *style = &curves[i].style;

        write_log2(&curves[i], first, end, panel);
        panel_draw(panel, curves[i].label,
                   "using ($1+%g):2 with boxes fs pattern %d lt %d lc rgb '%s'",
                   0.1 + width * ((double)i + 0.5), style->filling, style->line, style->colour);
    }
    if (count == 0)
        return false;
    panel_set(panel, "xlabel 'latency of a call'");
    panel_set(panel, "ylabel 'calls'");
    panel_set(panel, "logscale y 10");
    panel_set(panel, "format y '%%.0f'");
    set_log2_tics(first, end, panel);
    panel_set(panel, "xrange [%d:%d]", first, end);
    panel_set(panel, "yrange [0.7:*]");
    panel_set(panel, "boxwidth %g", width);
    return true;
}

const struct plot_kind plot_log2 = {
    .name = "log2",
    .caption = "Numbers of calls by latency, in powers of two; both scales are logarithmic, so "
               "that even a single slow call is visible.",
    .draw = draw_log2,
};

/* Draw each curve of panel INDEX. WRITE writes the points of one curve. The longest median
 * determines the panel's unit. Returns the number of curves. */
static size_t draw_curves(const struct result_set *set, size_t index, const char *title,
                          void (*write)(const struct plot_curve *curve, struct panel *panel),
                          const char *using_and_with, struct plot_curve curves[RESULT_SET_FILES],
                          struct panel *panel)
{
    const size_t count = plot_curves(set, index, title, curves, panel);
    double largest = 0;

    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, curves[i].op->latency.p50);
    panel_unit(panel, largest);
    for (size_t i = 0; i < count; i++) {
        panel_block(panel);
        write(&curves[i], panel);
        plot_draw_curve(panel, &curves[i], using_and_with);
    }
    return count;
}

/* Write the corners of CURVE's histogram up to the p99. Empty buckets are drawn as 0. */
static void write_fine(const struct plot_curve *curve, struct panel *panel)
{
    size_t first = next_bucket(curve, 0);
    double end = p99_of(curve), after = histogram_bucket_low(first);

    panel_row(panel, "%.10g 0", panel_time(panel, after));
    for (size_t i = first; i < HISTOGRAM_BUCKETS && histogram_bucket_low(i) <= end;
         i = next_bucket(curve, i + 1)) {
        double low = histogram_bucket_low(i), high = histogram_bucket_high(i);
        double density = 100 * count_of(curve, i) / total_of(curve) / panel_time(panel, high - low);

        if (low > after)
            panel_row(panel, "%.10g 0\n%.10g 0", panel_time(panel, after), panel_time(panel, low));
        panel_row(panel, "%.10g %.6g\n%.10g %.6g", panel_time(panel, low), density,
                  panel_time(panel, high), density);
        after = high;
    }
    panel_row(panel, "%.10g 0", panel_time(panel, after));
}

static bool draw_fine(const struct result_set *set, size_t index, struct panel *panel)
{
    struct plot_curve curves[RESULT_SET_FILES];
    const size_t count = draw_curves(set, index, "distribution of latencies, up to p99", write_fine,
                                     "using 1:2 with lines lw 1.3", curves, panel);

    panel_set(panel, "xlabel 'latency of a call ('.UNIT.')'");
    panel_set(panel, "ylabel 'calls, %% per '.UNIT");
    panel_set(panel, "yrange [0:*]");
    return count > 0;
}

const struct plot_kind plot_fine = {
    .name = "fine",
    .caption = "A histogram in narrow buckets, up to the 99th percentile: the area under a section "
               "of a curve is the share of the calls with these latencies.",
    .draw = draw_fine,
};

/* Write the percentiles of CURVE as in HdrHistogram's plots: x is the number of calls / the number
 * of slower calls, so that each power of ten on the logarithmic axis adds a 9 to the percentile. */
static void write_percentiles(const struct plot_curve *curve, struct panel *panel)
{
    size_t first = next_bucket(curve, 0);
    double sum = 0, last_x = 0, last_y = 0, total = total_of(curve);

    for (size_t i = first; i < HISTOGRAM_BUCKETS; i = next_bucket(curve, i + 1)) {
        double left = total - (sum += count_of(curve, i)), y = panel_time(panel, middle(i));
        double x = left > 0.5 ? total / left : total;

        if (i > first && x < 1.01 * last_x && y < 1.01 * last_y)
            continue;
        last_x = x;
        last_y = y;
        panel_row(panel, "%.8g %.6g", x, y);
    }
}

/* with at most this many curves, the title has their p99, and the key is inside the diagram */
enum { FEW = 3 };

static void title_p99(const struct result_set *set, const struct plot_curve *curves, size_t count,
                      struct panel *panel)
{
    char text[FEW * 2 * PANEL_TEXT_SIZE] = "", name[PANEL_TEXT_SIZE], p99[PANEL_TEXT_SIZE];
    const bool files = set->count > 1;

    for (size_t i = 0; i < count && count <= FEW; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s %s", i ? ", " : "",
                 files ? 1 : (int)sizeof curves[i].label, curves[i].label,
                 panel_duration(p99_of(&curves[i]), p99));
    if (*text)
        panel_title(panel, set, "%s%sp99: %s", files ? plot_text(curves->op->op, name) : "",
                    files ? ", " : "", text);
}

static bool draw_percentiles(const struct result_set *set, size_t index, struct panel *panel)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = draw_curves(set, index, "percentiles of the latency", write_percentiles,
                               "using 1:2 with lines lw 1.6", curves, panel);
    double low = INFINITY, high = 0, calls = 0;

    title_p99(set, curves, count, panel);
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, panel_time(panel, middle(next_bucket(&curves[i], 0))) * 0.9);
        high = fmax(high, panel_time(panel, middle(last_bucket(&curves[i]))) * 1.1);
        calls = fmax(calls, total_of(&curves[i]));
    }
    panel_set(panel, "xlabel 'percentile of the calls'");
    panel_set(panel, "ylabel 'latency of a call'");
    panel_set(panel, "logscale xy 10");
    panel_set(panel, "xtics ('0 %%%%' 1, '90 %%%%' 10, '99 %%%%' 100, '99.9 %%%%' 1e3, "
                     "'99.99 %%%%' 1e4, '99.999 %%%%' 1e5, '99.9999 %%%%' 1e6)");
    panel_log_tics(panel, "y", low, high, true);
    panel_set(panel, "xrange [1:%.6g]", 1.5 * calls);
    panel_set(panel, "yrange [%.6g:%.6g]", low, high);
    if (count <= FEW)
        panel_key_inside(panel, "top left");
    return count > 0;
}

const struct plot_kind plot_percentiles = {
    .name = "percentiles",
    .caption =
        "The latency (vertical) within which a percentage of the calls (horizontal) was "
        "answered. The horizontal axis is stretched towards 100 %, because slow calls are few.",
    .usual = true,
    .draw = draw_percentiles,
};
