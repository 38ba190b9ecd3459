/* Pictures of the latency over the run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot_curves.h"

enum {
    BINS = 80,
    SINGLE_ROUNDS = 10 /* with fewer rounds, each round has a label on the axis */
};

/* Write a block with a line for each bin of CURVE's rounds: the middle round of the bin, and the
 * 10th, 50th and 90th percentiles of the latencies of the bin's rounds. Extend *LOW and *HIGH to
 * include the 1st and the 99th percentile of the latencies of all rounds. */
static void write_bins(const struct plot_curve *curve, double *low, double *high,
                       struct panel *panel)
{
    const size_t rounds = curve->result->rounds.done, bins = rounds < BINS ? rounds : BINS;
    double *sorted = malloc(rounds * sizeof *sorted);

    panel_block(panel);
    for (size_t i = 0; sorted && i < bins; i++) {
        size_t first = i * rounds / bins, count = (i + 1) * rounds / bins - first;

        memcpy(sorted, curve->op->blocks + first, count * sizeof *sorted);
        estimate_sort(sorted, count);
        panel_row(panel, "%g %.6g %.6g %.6g", (double)first + (double)(count - 1) / 2 + 1,
                  panel_time(panel, estimate_quantile(sorted, count, 0.1)),
                  panel_time(panel, estimate_median(sorted, count)),
                  panel_time(panel, estimate_quantile(sorted, count, 0.9)));
    }
    if (sorted) {
        memcpy(sorted, curve->op->blocks, rounds * sizeof *sorted);
        estimate_sort(sorted, rounds);
        *low = fmin(*low, panel_time(panel, estimate_quantile(sorted, rounds, 0.01)));
        *high = fmax(*high, panel_time(panel, estimate_quantile(sorted, rounds, 0.99)));
    }
    free(sorted);
}

/* Draw all bands before the curves, so that no band hides a curve. */
static bool draw_rounds(const struct result_set *set, size_t index, struct panel *panel)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, index, "latency by round: median, 80 % band", curves, panel);
    double low = INFINITY, high = 0, largest = 0;

    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, curves[i].op->latency.p50);
    panel_unit(panel, largest);
    for (size_t i = 0; i < count; i++) {
        write_bins(&curves[i], &low, &high, panel);
        panel_draw(panel, NULL,
                   "using 1:2:4 with filledcurves fs transparent solid 0.15 noborder lt %d lc rgb "
                   "'%s'",
                   curves[i].style.line, curves[i].style.colour);
    }
    for (size_t i = 0; i < count; i++) {
        write_bins(&curves[i], &low, &high, panel);
        plot_draw_curve(panel, &curves[i], "using 1:3 with lines lw 1.5");
    }
    panel_set(panel, "xlabel 'round'");
    if (count > 0 && curves->result->rounds.done < SINGLE_ROUNDS)
        panel_set(panel, "xtics 1");
    panel_set(panel, "ylabel 'mean of a block ('.UNIT.')'");
    panel_set(panel, "yrange [%.6g:%.6g]", low - (high - low) / 10,
              high + (high - low) / 10 + 0.01);
    return count > 0;
}

const struct plot_kind plot_rounds = {
    .name = "rounds",
    .caption = "Whether the level was steady: the median of neighbouring rounds, and a band of "
               "80 % of these rounds. The slowest and fastest 1 % may be outside the picture.",
    .draw = draw_rounds,
};
