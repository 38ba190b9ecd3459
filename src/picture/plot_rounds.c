/* Pictures of the level over the run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/plot_kind.h"

enum { BINS = 80 };

/* Write the rounds in bins: the middle round of each, then the 10th, 50th and 90th percentile, us.
 */
static void write_bins(const double *blocks, size_t rounds, size_t index, FILE *out)
{
    size_t bins = rounds < BINS ? rounds : BINS;
    double *sorted = malloc(rounds * sizeof *sorted);

    fprintf(out, "$curve%zu << END\n", index);
    for (size_t i = 0; sorted && i < bins; i++) {
        size_t first = i * rounds / bins, count = (i + 1) * rounds / bins - first;

        memcpy(sorted, blocks + first, count * sizeof *sorted);
        estimate_sort(sorted, count);
        fprintf(out, "%g %.6g %.6g %.6g\n", (double)first + (double)(count - 1) / 2 + 1,
                estimate_quantile(sorted, count, 0.1) / 1000, estimate_median(sorted, count) / 1000,
                estimate_quantile(sorted, count, 0.9) / 1000);
    }
    fputs("END\n", out);
    free(sorted);
}

static size_t rounds_of(const struct result_set *set, const struct result_op *op)
{
    for (size_t i = 0; i < set->count; i++)
        if (op >= set->results[i]->ops && op < set->results[i]->ops + set->results[i]->op_count)
            return set->results[i]->rounds.done;
    return 0;
}

/* Widen the range *LOW to *HIGH, us, to cover all but the fastest and slowest rounds. */
static void widen(const double *blocks, size_t rounds, double *low, double *high)
{
    double *sorted = malloc(rounds * sizeof *sorted);

    if (sorted) {
        memcpy(sorted, blocks, rounds * sizeof *sorted);
        estimate_sort(sorted, rounds);
        *low = fmin(*low, estimate_quantile(sorted, rounds, 0.01) / 1000);
        *high = fmax(*high, estimate_quantile(sorted, rounds, 0.99) / 1000);
    }
    free(sorted);
}

static void draw_rounds(const struct result_set *set, size_t panel, FILE *out)
{
    struct plot_curve curves[RESULT_SET_FILES];
    size_t count = plot_curves(set, panel, curves);
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < count; i++) {
        size_t rounds = rounds_of(set, curves[i].op);

        write_bins(curves[i].op->blocks, rounds, i, out);
        widen(curves[i].op->blocks, rounds, &low, &high);
    }
    plot_curve_title(set, panel, "latency over the run: median and 80 % band", out);
    fputs("set xlabel 'round'\nset ylabel 'mean of a block ('.US.')'\n", out);
    plot_curve_key(set, count, out);
    fprintf(out, "set yrange [%.6g:%.6g]\nplot", low - (high - low) / 10,
            high + (high - low) / 10 + 0.01);
    for (size_t i = 0; i < count; i++)
        fprintf(out,
                " $curve%zu using 1:2:4 with filledcurves fs transparent solid 0.15 noborder lt %d "
                "lc rgb '%s' notitle,\\\n    ",
                i, curves[i].style.line, curves[i].style.colour);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s $curve%zu using 1:3 with lines lw 1.5 lt %d lc rgb '%s' dt %s title '%s'",
                i ? ",\\\n    " : "", i, curves[i].style.line, curves[i].style.colour,
                curves[i].style.dash, curves[i].label);
    fputc('\n', out);
}

const struct plot_kind plot_rounds = {
    .name = "rounds",
    .caption = "Whether the level was steady: the median of neighbouring rounds, and a band that "
               "contains 80 % of them. The slowest and fastest 1 % may be outside the picture.",
    .panels = plot_curve_panels,
    .draw = draw_rounds,
};
